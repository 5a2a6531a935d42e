// NDJSON: {"header":{...}}, then a line for each row and each hash, then {"end":{...}}. Each line is written by one write(),
// so that a reader sees whole lines only, also during the run.

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/core/atomic_file.hpp"
#include "base/core/hash.hpp"
#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "formats/trace/fast_number.hpp"
#include "formats/trace/json_text.hpp"
#include "formats/trace/writers.hpp"

namespace simbatch::trace::detail {
namespace {

class NdjsonWriter final : public Writer {
 public:
  NdjsonWriter(const std::string& path, Header header, Lines lines)
      : path_(path == "-" ? "<stdout>" : path), header_(std::move(header)) {
    if (lines == Lines::at_the_end) {
      file_.emplace(path);
    } else if (path != "-") {
      open_alone(path);
    }
    prepare();
    line_ = "{\"header\":{";
    append_header(line_, header_, "");
    line_ += "}}\n";
    put();
  }
  ~NdjsonWriter() override {
    if (fd_ > 2) ::close(fd_);
  }

  void row(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) override {
    line_ = "{\"step\":";
    number(static_cast<double>(step));
    line_ += ",\"time\":";
    number(static_cast<double>(step) * header_.dt);
    line_ += ",\"data\":{";
    std::size_t n = 0, t = 0;
    for (const Piece& piece : pieces_) {
      line_ += piece.before;
      if (piece.kind == Piece::number)
        number(numbers[n++]);
      else if (piece.kind == Piece::text)
        append_json_string(line_, texts[t++]);
    }
    line_ += "}}\n";
    put();
  }
  void hash(HashPoint point) override {
    line_ = "{\"hash\":{\"step\":" + number_text(point.step) + ",\"hash\":\"" + hex64(point.hash) + "\"}}\n";
    put();
  }
  bool streams() const override { return true; }
  void finish(const End& end) override {
    line_ = "{\"end\":";
    append_end(line_, end);
    line_ += "}\n";
    put();
    if (file_) file_->commit();
    if (fd_ > 2) {
      const int fd = fd_;
      fd_ = -1;
      if (::close(fd) != 0 && errno != EINTR) throw IoError::from_errno(path_, "cannot write", errno);
    }
  }

 private:
  // The text before a value (commas, brackets, names), precomputed.
  struct Piece {
    enum Kind { number, text, nothing } kind;
    std::string before;
  };

  // Two runs in one file would form one broken trace: the second is refused before it truncates the first.
  void open_alone(const std::string& path) {
    fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    struct stat status {};
    if (fd_ < 0 || ::fstat(fd_, &status) != 0) throw IoError::from_errno(path_, "cannot write", errno);
    if (!S_ISREG(status.st_mode)) return;
    const bool taken = ::flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && ::ftruncate(fd_, 0) == 0) return;
    const int error = errno;
    ::close(std::exchange(fd_, -1));
    if (taken) throw IoError(path_, "is being written by another run");
    throw IoError::from_errno(path_, "cannot write", error);
  }

  void prepare() {
    std::string before;
    for (const Device& device : header_.devices) {
      if (&device != &header_.devices.front()) before += ',';
      append_json_string(before, device.name);
      before += ":[";
      for (const Field& field : device.fields) {
        if (&field != &device.fields.front()) before += ',';
        pieces_.push_back({field.type == FieldType::text ? Piece::text : Piece::number, std::move(before)});
        before.clear();
      }
      before += ']';
    }
    pieces_.push_back({Piece::nothing, std::move(before)});
  }
  void number(double value) {
    char text[kNumberChars];
    line_.append(text, static_cast<std::size_t>(write_number(text, value) - text));
  }
  void put() {
    if (file_) {
      file_->write(line_);
      return;
    }
    std::string_view rest = line_;
    while (!rest.empty()) {
      const ssize_t done = ::write(fd_, rest.data(), rest.size());
      if (done < 0) {
        if (errno == EINTR) continue;
        throw IoError::from_errno(path_, "cannot write", errno);
      }
      rest.remove_prefix(static_cast<std::size_t>(done));
    }
  }

  std::string path_;
  Header header_;
  int fd_ = 1;                      // ours unless standard output
  std::optional<AtomicFile> file_;  // instead of fd_, if the output must not be visible before the end
  std::vector<Piece> pieces_;
  std::string line_;
};

}  // namespace

std::unique_ptr<Writer> make_ndjson_writer(const std::string& path, Header header, Lines lines) {
  return std::make_unique<NdjsonWriter>(path, std::move(header), lines);
}

}  // namespace simbatch::trace::detail
