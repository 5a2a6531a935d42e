#include "formats/trace/read.hpp"

#include <filesystem>

#include "base/core/input.hpp"
#include "formats/trace/codes.hpp"
#include "formats/trace/csv_names.hpp"
#include "formats/trace/csv_table.hpp"
#include "formats/trace/head.hpp"
#include "formats/trace/json_reading.hpp"
#include "formats/trace/part_feed.hpp"

namespace simbatch::trace {
namespace {
namespace fs = std::filesystem;
using namespace detail;

}  // namespace

Parsed<Trace> read_json(std::string_view text, const std::string& file_name) {
  return guarded(text, file_name, [&](Trace& trace, Diagnostics& diagnostics) {
    read_document(text, trace, nullptr);
    warn_if_cut(trace, diagnostics, {1, 1});
  });
}

Parsed<Trace> read_csv(const std::string& folder) {
  const std::string index_name = (fs::path(folder) / kIndexName).string();
  if (std::error_code error; !fs::exists(index_name, error) && !error)
    throw IoError(folder, std::string("is a folder without ") + kIndexName + ", not a trace");
  const Input index = Input::open_regular(index_name);
  std::vector<std::string> files;
  Parsed<Trace> result = guarded(index.text(), index_name, [&](Trace& trace, Diagnostics& diagnostics) {
    read_document(index.text(), trace, &files);
    if (files != csv_names(trace.header.devices))
      throw ReadFailure{&code::kShape, 0, "the files listed are not those of the devices"};
    make_columns(trace);
    warn_if_cut(trace, diagnostics, {1, 1});
  });
  if (!result.value) return result;
  Trace& trace = *result.value;
  std::vector<std::int64_t> steps;
  for (std::size_t d = 0; d < files.size(); ++d) {
    const Input table = Input::open_regular((fs::path(folder) / files[d]).string());
    steps.clear();
    if (!read_table(table.text(), table.name(), trace.header.devices[d], steps, trace.columns[d], result.diagnostics)) {
      result.value.reset();
      return result;
    }
    if (d == 0) trace.steps = steps;
    if (steps != trace.steps) {
      Diagnostics problem(table.name());
      problem.report(code::kShape, {1, 1}, "its steps are not those of " + simbatch::quoted(files[0]));
      result.diagnostics.append(std::move(problem));
      result.value.reset();
      return result;
    }
  }
  return result;
}

Parsed<Trace> read_head(std::string_view text, const std::string& file_name) {
  return guarded(text, file_name, [&](Trace& trace, Diagnostics& diagnostics) {
    std::vector<std::string> no_files;
    read_document(text, trace, &no_files);
    make_columns(trace);
    warn_if_cut(trace, diagnostics, {});
  });
}

}  // namespace simbatch::trace
