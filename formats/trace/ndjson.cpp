// NDJSON: {"header":{...}}, then a line for each row and each hash, then {"end":{...}}. Each line is written at once.

#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "formats/trace/fast_number.hpp"
#include "formats/trace/json_text.hpp"
#include "formats/trace/trace_file.hpp"
#include "formats/trace/writers.hpp"

namespace simbatch::trace::detail {
namespace {

class NdjsonWriter final : public Writer {
 public:
  NdjsonWriter(const std::string& path, Header header, Lines lines)
      : file_(path, lines), header_(std::move(header)), line_("{\"header\":{") {
    prepare();
    append_header(line_, header_, "");
    line_ += "}}\n";
    put();
  }

  void row(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) override {
    line_ = "{\"step\":";
    line_ += number_text(step);
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
    file_.finish();
  }

 private:
  // The text before a value (commas, brackets, names), precomputed.
  struct Piece {
    enum Kind { number, text, nothing } kind;
    std::string before;
  };

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
  void put() { file_.write(line_); }

  TraceFile file_;
  Header header_;
  std::vector<Piece> pieces_;
  std::string line_;
};

}  // namespace

std::unique_ptr<Writer> make_ndjson_writer(const std::string& path, Header header, Lines lines) {
  return std::make_unique<NdjsonWriter>(path, std::move(header), lines);
}

}  // namespace simbatch::trace::detail
