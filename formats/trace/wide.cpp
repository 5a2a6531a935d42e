// One CSV table: a row for each step, a column for each field, called "DEVICE.FIELD [unit]" (RFC 4180, CR LF). Written row by row.

#include "base/core/number.hpp"
#include "formats/trace/columns.hpp"
#include "formats/trace/fast_number.hpp"
#include "formats/trace/trace_file.hpp"
#include "formats/trace/writers.hpp"

namespace simbatch::trace::detail {
namespace {

class WideWriter final : public Writer {
 public:
  WideWriter(const std::string& path, const Header& header)
      : file_(path, Lines::at_the_end), dt_(header.dt), text_("step,time [s]") {
    for (const TableColumn& column : table_columns(header)) {
      const std::string& unit = column.field->unit;
      text_ += ',';
      cell(column.name + (unit.empty() || unit == "1" ? "" : " [" + unit + "]"));
      is_text_.push_back(column.field->type == FieldType::text);
    }
    text_ += "\r\n";
  }

  void row(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) override {
    text_ += number_text(step);
    text_ += ',';
    number(static_cast<double>(step) * dt_);
    std::size_t n = 0, t = 0;
    for (const bool is_text : is_text_) {
      text_ += ',';
      if (is_text)
        cell(texts[t++]);
      else
        number(numbers[n++]);
    }
    text_ += "\r\n";
    if (text_.size() >= kBlock) flush();
  }
  void hash(HashPoint) override {}
  void finish(const End&) override {
    flush();
    file_.finish();
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 16;

  void number(double value) {
    char text[kNumberChars];
    text_.append(text, static_cast<std::size_t>(write_number(text, value) - text));
  }
  void cell(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
      text_ += text;
      return;
    }
    text_ += '"';
    for (const char c : text) {
      if (c == '"') text_ += '"';
      text_ += c;
    }
    text_ += '"';
  }
  void flush() {
    file_.write(text_);
    text_.clear();
  }

  TraceFile file_;
  double dt_;
  std::vector<bool> is_text_;
  std::string text_;
};

}  // namespace

// Same signature as all writer factories.
std::unique_ptr<Writer> make_wide_writer(const std::string& path,
                                         Header header) {  // NOLINT(performance-unnecessary-value-param)
  return std::make_unique<WideWriter>(path, header);
}

}  // namespace simbatch::trace::detail
