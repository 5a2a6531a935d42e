// Arrays for NumPy and MATLAB: written at the end, from all rows. Names of fields become keys or nested structures; the document of
// the trace (header, hashes, end) is stored with them as text.

#include <map>
#include <set>

#include "base/core/atomic_file.hpp"
#include "base/core/diagnostics.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "base/mat/mat.hpp"
#include "base/npz/npz.hpp"
#include "formats/trace/columns.hpp"
#include "formats/trace/head.hpp"
#include "formats/trace/rows.hpp"
#include "formats/trace/writers.hpp"

namespace simbatch::trace::detail {
namespace {

constexpr std::size_t kMaxDepth = 32;  // of MATLAB's structures; dots beyond it become underscores

/// Collects the rows of a trace, and hands them over at the end.
class ArchiveWriter : public Writer {
 public:
  ArchiveWriter(const std::string& path, Header header)
      : file_(path), header_(std::move(header)), rows_(row_shape(header_), spill_folder(path)) {}
  void row(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) override {
    rows_.add(step, numbers, texts);
  }
  void hash(HashPoint point) override { hashes_.push_back(point); }
  void finish(const End& end) override {
    try {
      write(head_document(header_, hashes_, end));
    } catch (const std::length_error& error) {
      throw IoError(file_.path(), std::string(error.what()) + "; use Parquet");
    }
    file_.commit();
  }

 protected:
  virtual void write(const std::string& document) = 0;

  std::vector<double> times() const {
    std::vector<double> times;
    for (const std::int64_t step : rows_.steps()) times.push_back(static_cast<double>(step) * header_.dt);
    return times;
  }
  std::vector<std::string> texts(const TableColumn& column) const {
    std::vector<std::string> texts;
    rows_.each_text(column.place, [&](std::string_view text) { texts.push_back(valid_utf8(text)); });
    return texts;
  }
  std::vector<double> numbers(const TableColumn& column) const {
    std::vector<double> values;
    rows_.numbers(column.place, 1, values);
    return values;
  }

  AtomicFile file_;
  Header header_;
  Rows rows_;

 private:
  std::vector<HashPoint> hashes_;
};

class NpzWriter final : public ArchiveWriter {
 public:
  using ArchiveWriter::ArchiveWriter;

 private:
  void write(const std::string& document) override {
    npz::Writer out([this](std::string_view bytes) { file_.write(bytes); });
    out.add("step", rows_.steps());
    out.add("time", times());
    for (const TableColumn& column : table_columns(header_)) {
      if (column.field->type != FieldType::text) {
        out.add(column.name, numbers(column));
        continue;
      }
      const std::vector<std::string> values = texts(column);
      const std::vector<std::string_view> views(values.begin(), values.end());
      out.add(column.name, views);
    }
    out.add_text("simbatch.trace", document);
    out.finish();
  }
};

/// The fields of a trace as a tree by the dots of their names: "impreza.chassis.gyro0.rate" is rate of gyro0 of chassis of impreza.
struct Branch {
  std::map<std::string, Branch, std::less<>> children;
  std::vector<std::string> order;
  const TableColumn* column = nullptr;

  Branch& child(std::string_view name) {
    const auto [at, is_new] = children.try_emplace(std::string(name));
    if (is_new) order.emplace_back(name);
    return at->second;
  }
};

class MatWriter final : public ArchiveWriter {
 public:
  using ArchiveWriter::ArchiveWriter;

 private:
  void write(const std::string& document) override {
    mat::Writer out([this](std::string_view bytes) { file_.write(bytes); });
    std::set<std::string> names;
    mat::Value value;
    value.kind = mat::Value::Kind::numbers;
    value.name = unique("step", names);
    value.numbers.assign(rows_.steps().begin(), rows_.steps().end());
    out.add(value);
    value.name = unique("time", names);
    value.numbers = times();
    out.add(value);
    out.add({unique("simbatch", names), mat::Value::Kind::texts, {}, {document}, {}, {}});
    const std::vector<TableColumn> columns = table_columns(header_);
    Branch root;
    for (const TableColumn& column : columns) {
      Branch* at = &root;
      std::string_view rest = column.name;
      for (std::size_t dot = 0, depth = 0; depth < kMaxDepth && (dot = rest.find('.')) != std::string_view::npos;
           rest.remove_prefix(dot + 1), ++depth)
        at = &at->child(rest.substr(0, dot));
      at->child(rest).column = &column;
    }
    for (const std::string& name : root.order) {
      const Branch& branch = root.child(name);
      out.add(value_of(branch, unique(name, names)), expected(branch));
    }
  }

  /// The bytes of a branch, rather too many: memory that is reserved and not used costs nothing.
  std::size_t expected(const Branch& branch) const {
    constexpr std::size_t kHead = 256, kTextUnits = 128;  // of a matrix; of a text
    std::size_t bytes = kHead;
    if (branch.column != nullptr)
      bytes += rows_.size() * (branch.column->field->type == FieldType::text ? 2 * kTextUnits : sizeof(double));
    for (const auto& child : branch.children) bytes += expected(child.second);
    return bytes;
  }

  // A name may belong to both a field and a part: the field then becomes "value" of the structure.
  mat::Value value_of(const Branch& branch, std::string name) const {
    mat::Value value;
    value.name = std::move(name);
    std::set<std::string> names;
    if (branch.column != nullptr && !branch.order.empty()) {
      Branch own;
      own.column = branch.column;
      value.fields.push_back(value_of(own, unique("value", names)));
    } else if (branch.column != nullptr) {
      const bool text = branch.column->field->type == FieldType::text;
      value.kind = text ? mat::Value::Kind::texts : mat::Value::Kind::numbers;
      value.fill = [this, text, column = branch.column](mat::Value& filled) {
        if (text)
          filled.texts = texts(*column);
        else
          filled.numbers = numbers(*column);
      };
      return value;
    }
    for (const std::string& child : branch.order)
      value.fields.push_back(value_of(branch.children.at(child), unique(child, names)));
    return value;
  }

  static std::string unique(std::string_view name, std::set<std::string>& taken) {
    const std::string whole = mat::identifier(name);
    std::string result = whole;
    for (int n = 2; !taken.insert(result).second; ++n) {
      const std::string suffix = "_" + number_text(n);
      result = whole.substr(0, std::min<std::size_t>(whole.size(), 63 - suffix.size())) + suffix;
    }
    return result;
  }
};

}  // namespace

std::unique_ptr<Writer> make_npz_writer(const std::string& path, Header header) {
  return std::make_unique<NpzWriter>(path, std::move(header));
}
std::unique_ptr<Writer> make_mat_writer(const std::string& path, Header header) {
  return std::make_unique<MatWriter>(path, std::move(header));
}

}  // namespace simbatch::trace::detail
