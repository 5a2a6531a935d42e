#include "formats/trace/write.hpp"

#include "formats/trace/writers.hpp"

namespace simbatch::trace {

std::string_view to_text(FieldType type) {
  switch (type) {
    case FieldType::number: return "number";
    case FieldType::integer: return "integer";
    case FieldType::text: return "text";
  }
  return "?";
}

std::string_view to_text(Format format) {
  switch (format) {
    case Format::json: return "json";
    case Format::ndjson: return "ndjson";
    case Format::csv: return "csv";
    case Format::wide: return "wide";
    case Format::mcap: return "mcap";
    case Format::parquet: return "parquet";
    case Format::npz: return "npz";
    case Format::mat: return "mat";
  }
  return "?";
}

std::optional<Format> format_named(std::string_view name) {
  for (const Format format : kFormats)
    if (name == to_text(format)) return format;
  return std::nullopt;
}

std::optional<Format> format_of(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  if (name.ends_with(".gz") || name.ends_with(".zst")) {
    const std::string_view inner = name.substr(0, name.rfind('.'));
    if (inner.ends_with(".csv")) return Format::wide;
    const std::optional<Format> format = inner.find('.') == std::string_view::npos ? std::nullopt : format_of(inner);
    return format == Format::json || format == Format::ndjson ? format : std::nullopt;
  }
  if (name.ends_with(".json")) return Format::json;
  if (name.ends_with(".ndjson") || name.ends_with(".jsonl")) return Format::ndjson;
  for (const Format format : {Format::mcap, Format::parquet, Format::npz, Format::mat})
    if (name.ends_with("." + std::string(to_text(format)))) return format;
  if (name.ends_with(".wide.csv")) return Format::wide;
  if (name.ends_with(".csv") || name.find('.') == std::string_view::npos) return Format::csv;
  return std::nullopt;
}

RowShape row_shape(const Header& header) {
  RowShape shape;
  for (const Device& device : header.devices)
    for (const Field& field : device.fields) ++(field.type == FieldType::text ? shape.texts : shape.numbers);
  return shape;
}

Writer::~Writer() = default;
bool Writer::make_texts(const TextMaker&) { return false; }

std::unique_ptr<Writer> make_writer(Format format, const std::string& path, Header header, Lines lines,
                                    Compression compression) {
  switch (format) {
    case Format::json: return detail::make_json_writer(path, std::move(header));
    case Format::ndjson: return detail::make_ndjson_writer(path, std::move(header), lines);
    case Format::csv: return detail::make_csv_writer(path, std::move(header));
    case Format::wide: return detail::make_wide_writer(path, std::move(header));
    case Format::mcap: return make_mcap_writer(path, std::move(header), lines, {}, compression);
    case Format::parquet: {
      const RowShape shape = row_shape(header);
      return detail::make_threaded_writer(detail::make_parquet_writer(path, std::move(header), compression), shape);
    }
    case Format::npz: return detail::make_npz_writer(path, std::move(header));
    case Format::mat: return detail::make_mat_writer(path, std::move(header));
  }
  return nullptr;
}

}  // namespace simbatch::trace
