#pragma once
/// Bytes of a file or of standard input.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace simbatch {

/// A file could not be read or written (exit code 3). The message names file and cause.
class IoError : public std::runtime_error {
 public:
  IoError(const std::string& file, const std::string& cause) : IoError(file, cause, 0) {}
  /// With the system's text for `error_number` (an errno).
  static IoError from_errno(const std::string& file, const std::string& action, int error_number);
  const std::string& file() const { return file_; }
  const std::string& cause() const { return cause_; }
  /// True when standard output is a pipe whose reader has ended (`| head`): not an error.
  bool reader_gone() const;
  /// A mapped input lost bytes while it was in use.
  static IoError truncated(const std::string& file);

 private:
  IoError(const std::string& file, const std::string& cause, int error_number)
      : std::runtime_error(file + ": " + cause), file_(file), cause_(cause), error_number_(error_number) {}
  std::string file_, cause_;
  int error_number_;
};

/// The entire contents of a file, mapped into memory (regular files over 1 MiB) or read; `-` is standard input, named
/// `<stdin>`. Pipes work. Movable; the text lives as long as the object.
class Input {
 public:
  /// Opens a file named by the user: a pipe or a device is read to its end, up to 4 GiB.
  /// @throws IoError when it cannot be read (absent, a folder, no permission), or is larger than `max_bytes`
  static Input open(const std::string& file, std::size_t max_bytes = kNoLimit);
  /// Opens a file named in another file or found in a folder: never blocks and never reads an endless device, because only
  /// regular files are accepted. `-` is the name of a file.
  /// @throws IoError also for a FIFO, a socket or a device
  static Input open_regular(const std::string& file, std::size_t max_bytes = kNoLimit);
  Input(Input&& other) noexcept;
  Input& operator=(Input&& other) noexcept;
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input();

  std::string_view text() const { return {data_, size_}; }
  /// Returns the memory of these bytes of a mapped file to the system; they can still be read. Any thread may call it.
  void release(std::size_t from, std::size_t bytes) const noexcept;
  /// As given, or `<stdin>`.
  const std::string& name() const { return name_; }

 private:
  static constexpr std::size_t kNoLimit = std::size_t{1} << 40;
  Input() = default;
  static Input read(std::string name, int fd, bool regular_only, std::size_t max_bytes);
  std::string name_;
  std::string owned_;
  const char* data_ = "";
  std::size_t size_ = 0;
  bool mapped_ = false;
};

}  // namespace simbatch
