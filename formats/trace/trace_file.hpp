#pragma once
/// The file that a trace is written to.

#include <optional>
#include <string>
#include <string_view>

#include "base/compress/stream.hpp"
#include "base/core/atomic_file.hpp"
#include "formats/trace/write.hpp"

namespace simbatch::trace::detail {

/// With Lines::at_once each write() is one system call, so that a reader sees only whole pieces, even during the run. A file
/// called .gz or .zst is compressed; it can then be read except for about the last 64 kB.
class TraceFile {
 public:
  /// @param path  `-` is standard output. An existing file is emptied, unless another run is writing it
  TraceFile(const std::string& path, Lines lines);
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  void write(std::string_view bytes);
  /// After the last write. With Lines::at_the_end the file appears now.
  void finish();

 private:
  void open_alone(const std::string& path);
  void put(std::string_view bytes);

  std::string path_;
  int fd_ = 1;  // ours unless standard output
  std::optional<Packer> packer_;
  std::size_t unflushed_ = 0;
  std::optional<AtomicFile> file_;  // instead of fd_, if the output must not be visible before the end
};

}  // namespace simbatch::trace::detail
