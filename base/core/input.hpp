#pragma once
/// Bytes from a file or from standard input.

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
  /// True when standard output is a pipe whose reader has gone (`| head`), which is no error of ours.
  bool reader_gone() const;

 private:
  IoError(const std::string& file, const std::string& cause, int error_number)
      : std::runtime_error(file + ": " + cause), file_(file), cause_(cause), error_number_(error_number) {}
  std::string file_, cause_;
  int error_number_;
};

/// The whole of a file, mapped into memory (regular files over 1 MiB) or read; `-` is standard input, named `<stdin>`.
/// Pipes work. Movable; the text lives as long as the object.
class Input {
 public:
  /// @throws IoError when it cannot be read (absent, a folder, no permission), or is larger than `max_bytes`; a pipe or a device
  /// may have 4 GiB at the most.
  static Input open(const std::string& file, std::size_t max_bytes = std::size_t{1} << 40);
  Input(Input&& other) noexcept;
  Input& operator=(Input&& other) noexcept;
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input();

  std::string_view text() const { return {data_, size_}; }
  /// Gives memory back that bytes of a mapped file take; they can still be read. Another thread may do it that has the time.
  void release(std::size_t from, std::size_t bytes) const noexcept;
  /// As given, or `<stdin>`.
  const std::string& name() const { return name_; }

 private:
  Input() = default;
  std::string name_;
  std::string owned_;
  const char* data_ = "";
  std::size_t size_ = 0;
  bool mapped_ = false;
};

}  // namespace simbatch
