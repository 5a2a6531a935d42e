// A trace in any form, by what the file begins with.
#include <filesystem>

#include "base/compress/stream.hpp"
#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "base/mcap/read.hpp"
#include "formats/trace/codes.hpp"
#include "formats/trace/part_feed.hpp"
#include "formats/trace/parts.hpp"
#include "formats/trace/read.hpp"
#include "formats/trace/select.hpp"

namespace simbatch::trace {
namespace {
namespace fs = std::filesystem;

bool is_lines(std::string_view text) {
  const std::string_view start = trimmed(text.substr(0, 64));
  return start.starts_with('{') && trimmed(start.substr(1)).starts_with("\"header\"");
}

Parsed<Trace> damaged(const Input& input) {
  Parsed<Trace> result{std::nullopt, Diagnostics(input.name())};
  result.diagnostics.report(
      code::kSyntax, {},
      "the compressed file is damaged, or unpacks to more than " + number_text(kMaxInflation) + " times its size");
  return result;
}

ReadTrace read_text(std::string_view text, const std::string& name) {
  if (is_lines(text)) return {read_ndjson(text, name), Format::ndjson};
  return {read_json(text, name), Format::json};
}

PartsRead text_parts(std::string_view text, const std::string& name, PartReceiver& receiver, const ReleaseBytes& release) {
  return is_lines(text) ? ndjson_parts(text, name, receiver, release) : json_parts(text, name, receiver, release);
}

/// A trace that was read whole, as one part.
PartsRead one_part(Parsed<Trace> trace, Format format, PartReceiver& receiver) {
  PartsRead result{std::move(trace), format};
  if (!result.trace.value) return result;
  Trace& whole = *result.trace.value;
  for (const std::int64_t step : whole.steps) result.extent.add(step);
  Trace rows = whole;  // the head goes without them
  whole.steps.clear();
  detail::make_columns(whole);
  detail::PartFeed feed(&receiver);
  try {
    const StepRange range = feed.begin(whole);
    rows = only_steps(std::move(rows), range.first, range.last);
    feed.hand_over(rows);
  } catch (const detail::Stopped&) {
    result.trace.value.reset();
  }
  return result;
}

}  // namespace

ReadTrace read_trace(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return {read_csv(path), Format::csv};
  const Input input = Input::open(path);
  if (container_of(input.text())) {
    const std::optional<Unpacked> plain = unpacked(input.text());
    return plain ? read_text(plain->bytes, input.name()) : ReadTrace{damaged(input), Format::json};
  }
  if (input.text().starts_with("PAR1")) return {read_parquet(input.text(), input.name()), Format::parquet};
  if (mcap::is_mcap(input.text())) return {read_mcap(input.text(), input.name()), Format::mcap};
  return read_text(input.text(), input.name());
}

PartsRead read_parts(const std::string& path, PartReceiver& receiver) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return one_part(read_csv(path), Format::csv, receiver);
  const Input input = Input::open(path);
  const ReleaseBytes release = [&input](std::size_t from, std::size_t bytes) { input.release(from, bytes); };
  if (container_of(input.text())) {
    const std::optional<Unpacked> plain = unpacked(input.text());
    return plain ? text_parts(plain->bytes, input.name(), receiver, {}) : PartsRead{damaged(input), Format::json};
  }
  if (input.text().starts_with("PAR1")) return parquet_parts(input.text(), input.name(), receiver, release);
  if (mcap::is_mcap(input.text())) return mcap_parts(input.text(), input.name(), receiver, release);
  return text_parts(input.text(), input.name(), receiver, release);
}

}  // namespace simbatch::trace
