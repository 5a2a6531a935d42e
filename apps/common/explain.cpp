#include "apps/common/explain.hpp"

#include <fmt/format.h>

#include <vector>

#include "apps/common/console.hpp"
#include "base/core/diagnostics.hpp"

namespace simbatch::cli {

ExitCode explain(std::string_view name) {
  const auto known = linked_codes();
  std::vector<std::string_view> names;
  for (const Code* code : known) {
    names.push_back(code->name);
    if (name == "all") print(fmt::format("{:<32} {:<8} {}\n", code->name, to_text(code->severity), code->meaning));
    if (name != code->name) continue;
    print(fmt::format("{}: {} (default: {})\n", code->name, code->meaning, to_text(code->severity)));
    return ExitCode::ok;
  }
  if (name == "all") return ExitCode::ok;
  const std::string_view near = nearest(name, names);
  print_error(fmt::format("unknown code {}{}; --explain all lists them", quoted(name),
                          near.empty() ? "" : fmt::format(", did you mean {}?", near)));
  return ExitCode::usage;
}

}  // namespace simbatch::cli
