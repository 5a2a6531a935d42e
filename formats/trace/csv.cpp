// CSV: a folder with trace.json (the header, hashes and end, as in the JSON form) and a table for each device: RFC 4180,
// first line the field names after step and time. The tables are written into a folder beside the target, which takes
// the target's place at the very end.

#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <set>

#include "base/core/atomic_file.hpp"
#include "base/core/hash.hpp"
#include "base/core/text.hpp"
#include "formats/trace/csv_names.hpp"
#include "formats/trace/fast_number.hpp"
#include "formats/trace/json_document.hpp"
#include "formats/trace/writers.hpp"

namespace simbatch::trace::detail {
namespace fs = std::filesystem;
namespace {

// The folder's new content until it is put in place; whatever is left of it is deleted.
class Staging {
 public:
  explicit Staging(const fs::path& target) {
    for (int i = 0; i < 1000; ++i) {
      fs::path candidate = target;
      candidate += ".tmp" + std::to_string(::getpid()) + "-" + std::to_string(i);
      if (::mkdir(candidate.c_str(), 0777) == 0) {
        path_ = candidate;
        return;
      }
      if (errno != EEXIST) throw IoError::from_errno(target.string(), "cannot write", errno);
    }
    throw IoError(target.string(), "cannot find a name for a temporary folder");
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }
  void install(const fs::path& target) {
    // The old trace, if any, changes places with the new one and is deleted with the staging folder's name.
    if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) return;
    if (::rename(path_.c_str(), target.c_str()) != 0) {
      const int error = errno;
      throw IoError::from_errno(target.string(), "cannot write", error);
    }
  }

 private:
  fs::path path_;
};

class CsvWriter final : public Writer {
 public:
  CsvWriter(const std::string& path, Header header) : target_(path), header_(std::move(header)), rows_(row_shape(header_)) {
    if (path == "-" || path.empty()) throw IoError(path, "a trace of tables needs a folder");
    while (target_.has_relative_path() && !target_.has_filename()) target_ = target_.parent_path();
    std::error_code error;
    const fs::file_status status = fs::status(target_, error);
    if (fs::exists(status)) {
      if (!fs::is_directory(status)) throw IoError(path, "is a file, not a folder");
      if (!fs::is_empty(target_, error) && !fs::exists(target_ / kIndexName, error))
        throw IoError(path, "holds other things than a trace; name a new or empty folder");
      if (error) throw IoError::from_errno(path, "cannot read", error.value());
    }
    Staging probe(target_);  // the folder above can be written now; nothing of it is left
  }
  void row(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) override {
    rows_.add(step, numbers, texts);
  }
  void hash(HashPoint point) override { hashes_.push_back(point); }

  void finish(const End& end) override {
    Staging staging(target_);
    const std::vector<std::string> names = csv_names(header_.devices);
    std::size_t number = 0, text = 0;
    for (std::size_t d = 0; d < header_.devices.size(); ++d)
      write_table((staging.path() / names[d]).string(), header_.devices[d], number, text);
    AtomicFile index((staging.path() / kIndexName).string());
    write_document([&](std::string_view part) { index.write(part); }, header_, nullptr, &names, hashes_, end);
    index.commit();
    staging.install(target_);
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
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      put(out, static_cast<double>(rows_.steps()[row]));
      out += ',';
      put(out, static_cast<double>(rows_.steps()[row]) * header_.dt);
      std::size_t n = 0, t = 0;
      for (const Field& field : device.fields) {
        out += ',';
        if (field.type == FieldType::text)
          cell(out, rows_.text(text + t++, row));
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

  fs::path target_;
  Header header_;
  Rows rows_;
  std::vector<HashPoint> hashes_;
};

}  // namespace

std::vector<std::string> csv_names(const std::vector<Device>& devices) {
  std::vector<std::string> names;
  std::set<std::string> taken = {kIndexName};
  for (const Device& device : devices) {
    std::string name;
    for (const char c : device.name) {
      if (c == '/')
        name += "%2F";
      else if (c == '%')
        name += "%25";
      else
        name += c;
    }
    if (name.size() > 200) {
      std::size_t cut = 180;  // not within a character
      while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xC0) == 0x80) --cut;
      name = name.substr(0, cut) + "-" + hex64(hash64(device.name));
    }
    std::string candidate = name + ".csv";
    for (int i = 2; !taken.insert(lower_ascii(candidate)).second; ++i) candidate = name + "-" + std::to_string(i) + ".csv";
    names.push_back(std::move(candidate));
  }
  return names;
}

std::unique_ptr<Writer> make_csv_writer(const std::string& path, Header header) {
  return std::make_unique<CsvWriter>(path, std::move(header));
}

}  // namespace simbatch::trace::detail
