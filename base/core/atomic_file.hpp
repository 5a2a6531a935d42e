#pragma once
/// Output files that are either complete or untouched.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/core/input.hpp"
#include "base/core/temporaries.hpp"

namespace simbatch {

/// A file that becomes visible only on commit(). The bytes go to a nameless file in the target's folder (O_TMPFILE, so that
/// SIGKILL leaves nothing; a named temporary where the file system has none), are synced, get a name, and are then renamed over
/// the target; SIGKILL between the last two, some microseconds, leaves `<target>.tmp<process>-<number>`. Until then the target
/// keeps its old content, so input and output may be the same path. Links are followed, also to a file that does not exist yet.
/// A new file gets the mode determined by the umask; an existing target's permissions are kept, and its owner if permitted.
/// Pipes and devices are written directly. `-` is standard output, written only by commit(). Different objects may be used in
/// different threads.
class AtomicFile {
 public:
  /// @throws IoError when the folder is missing or not writable
  explicit AtomicFile(const std::string& path);
  AtomicFile(AtomicFile&&) noexcept;
  AtomicFile& operator=(AtomicFile&&) noexcept;
  ~AtomicFile();  ///< without commit(): the target is unchanged, no temporary remains

  /// Appends bytes. @throws IoError (disk full, ...)
  void write(std::string_view bytes);
  /// Makes the file visible. @throws IoError; the target is then unchanged. Call once.
  void commit();
  const std::string& path() const;

  /// Several outputs that belong together: all are synced and linked before the first is renamed.
  static void commit_all(std::span<AtomicFile> files);

 private:
  void sync();
  void link();
  struct State;
  std::unique_ptr<State> state_;
};

/// Writes a whole file at once, atomically. `-` is standard output.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace simbatch
