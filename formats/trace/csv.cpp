// CSV: a folder with trace.json (the header, hashes and end, as in the JSON form) and a table for each device: RFC 4180,
// first line the field names after step and time.

#include <filesystem>

#include "base/core/atomic_file.hpp"
#include "base/core/atomic_folder.hpp"
#include "base/core/diagnostics.hpp"
#include "base/core/number.hpp"
#include "formats/trace/csv_names.hpp"
#include "formats/trace/fast_number.hpp"
#include "formats/trace/json_document.hpp"
#include "formats/trace/writers.hpp"

namespace simbatch::trace::detail {
namespace fs = std::filesystem;
namespace {

class CsvWriter final : public Writer {
 public:
  CsvWriter(const std::string& path, Header header)
      : target_(path), header_(std::move(header)), rows_(row_shape(header_), spill_folder(path)) {
    if (path == "-" || path.empty()) throw IoError(path, "a trace of tables needs a folder");
    std::error_code error;
    const fs::file_status status = fs::status(target_, error);
    if (fs::exists(status)) {
      if (!fs::is_directory(status)) throw IoError(path, "is a file, not a folder");
      if (const std::string other = foreign_entry(target_, csv_files(target_)); !other.empty())
        throw IoError(path,
                      "contains " + simbatch::quoted(other) + ", which is not part of a trace; name a new or empty folder");
    }
    const AtomicFolder probe(target_);  // the folder above can be written; nothing of it is left
  }
  void row(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) override {
    rows_.add(step, numbers, texts);
  }
  void hash(HashPoint point) override { hashes_.push_back(point); }

  void finish(const End& end) override {
    AtomicFolder folder(target_);
    const std::vector<std::string> names = csv_names(header_.devices);
    std::size_t number = 0, text = 0;
    for (std::size_t d = 0; d < header_.devices.size(); ++d)
      write_table(folder.file(names[d]), header_.devices[d], number, text);
    AtomicFile index(folder.file(kIndexName));
    write_document([&](std::string_view part) { index.write(part); }, header_, nullptr, &names, hashes_, end);
    index.commit();
    folder.commit(csv_files(target_));
  }

 private:
  void write_table(const std::string& path, const Device& device, std::size_t& number, std::size_t& text) {
    AtomicFile file(path);
    std::string out = "step,time";
    std::size_t own_numbers = 0;
    for (const Field& field : device.fields) {
      out += ',';
      cell(out, field.name);
      own_numbers += field.type != FieldType::text;
    }
    out += "\r\n";
    std::vector<double> values;
    rows_.numbers(number, own_numbers, values);
    std::vector<std::vector<std::string>> texts(device.fields.size() - own_numbers);
    for (std::size_t t = 0; t < texts.size(); ++t)
      rows_.each_text(text + t, [&](std::string_view each) { texts[t].emplace_back(each); });
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      out += number_text(rows_.steps()[row]);
      out += ',';
      put(out, static_cast<double>(rows_.steps()[row]) * header_.dt);
      std::size_t n = 0, t = 0;
      for (const Field& field : device.fields) {
        out += ',';
        if (field.type == FieldType::text)
          cell(out, texts[t++][row]);
        else
          put(out, values[n++ * rows_.size() + row]);
      }
      out += "\r\n";
      if (out.size() > (std::size_t{1} << 16)) {
        file.write(out);
        out.clear();
      }
    }
    file.write(out);
    file.commit();
    number += own_numbers;
    text += device.fields.size() - own_numbers;
  }
  static void put(std::string& out, double value) {
    char text[kNumberChars];
    out.append(text, static_cast<std::size_t>(write_number(text, value) - text));
  }
  static void cell(std::string& out, std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
      out += text;
      return;
    }
    out += '"';
    for (const char c : text) {
      if (c == '"') out += '"';
      out += c;
    }
    out += '"';
  }

  std::string target_;
  Header header_;
  Rows rows_;
  std::vector<HashPoint> hashes_;
};

}  // namespace

std::unique_ptr<Writer> make_csv_writer(const std::string& path, Header header) {
  return std::make_unique<CsvWriter>(path, std::move(header));
}

}  // namespace simbatch::trace::detail
