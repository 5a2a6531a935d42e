#pragma once
/// Output files that are either complete or untouched.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/core/input.hpp"

namespace simbatch {

/// A file that appears under its name only with commit(). The bytes go to a nameless file in the target's folder
/// (O_TMPFILE, so that even a killed program leaves nothing behind; a named temporary where the file system has none),
/// are synced, and then renamed over the target. Until then the target keeps its old content, so input and output may be
/// the same path. A link is followed; an existing target's mode is kept. What is not a regular file (a pipe, a device)
/// is written directly. `-` is standard output, written only by commit().
class AtomicFile {
 public:
  /// @throws IoError when the folder is missing or not writable
  explicit AtomicFile(const std::string& path);
  AtomicFile(AtomicFile&&) noexcept;
  AtomicFile& operator=(AtomicFile&&) noexcept;
  ~AtomicFile();  ///< without commit(): the target stays as it was, nothing is left

  /// Appends bytes. @throws IoError (disk full, ...)
  void write(std::string_view bytes);
  /// Asks for room for a file of that size, or for `at_most` bytes more than before, ahead of writing: for a thread to do that
  /// has nothing else to do. What is asked for in vain is given back by commit(). Nothing happens where the file system cannot
  /// do it.
  void reserve(std::uint64_t bytes, std::uint64_t at_most = UINT64_MAX);
  /// Bytes written so far.
  std::uint64_t size() const;
  /// Makes the file appear. @throws IoError; then the target is as it was. Call once.
  void commit();
  const std::string& path() const;

  /// Several outputs that belong together: all are synced before the first is renamed.
  static void commit_all(std::span<AtomicFile> files);

 private:
  void prepare();
  struct State;
  std::unique_ptr<State> state_;
};

/// Writes a whole file at once, atomically. `-` is standard output.
void write_file(const std::string& path, std::string_view bytes);

/// Deletes the named temporaries that are still open, if any. For a signal handler: async-signal-safe.
void discard_temporaries() noexcept;

}  // namespace simbatch
