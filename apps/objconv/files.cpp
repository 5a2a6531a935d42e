/// check, info and fmt: for every kind of file that is registered.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/objconv/codes.hpp"
#include "apps/objconv/grasp.hpp"
#include "apps/objconv/objconv.hpp"
#include "base/core/number.hpp"

namespace simbatch::objconv {

cli::ExitCode check_files(Session& session) {
  load_network(session);
  return run_check(session, [&](const Input& input, const Sink&) {
    Diagnostics diagnostics(input.name());
    if (const FileKind* kind = kind_of(session, input, diagnostics))
      kind->check(input.text(), input.name(), session, diagnostics);
    return diagnostics;
  });
}

namespace {

std::string info_text(const std::string& file, const std::vector<Fact>& facts) {
  std::string out = file + "\n";
  std::size_t width = 0;
  for (const Fact& f : facts) width = std::max(width, f.key.size());
  for (const Fact& f : facts) out += fmt::format("  {:<{}}  {}\n", f.key, width, f.value);
  return out;
}

std::string info_json(const std::string& file, const std::vector<Fact>& facts) {
  nlohmann::ordered_json json = {{"file", file}};
  for (const Fact& f : facts) {
    if (!f.is_number)
      json[f.key] = f.value;
    else if (const auto whole = parse_integer<std::int64_t>(f.value))
      json[f.key] = whole.value;
    else
      json[f.key] = parse_double(f.value).value;
  }
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

cli::ExitCode info_files(Session& session) {
  return run_check(session, [&](const Input& input, const Sink& sink) {
    Diagnostics diagnostics(input.name());
    const FileKind* kind = kind_of(session, input, diagnostics);
    if (kind == nullptr) return diagnostics;
    std::vector<Fact> facts = {fact("kind", std::string(kind->name))};
    if (kind->info != nullptr)
      for (Fact& f : kind->info(input.text(), input.name(), session, diagnostics)) facts.push_back(std::move(f));
    sink(session.json ? info_json(input.name(), facts) : info_text(input.name(), facts));
    return diagnostics;
  });
}

cli::ExitCode format_files(Session& session) {
  return run_batch(session, {}, [&](const Input& input, const Sink& sink) {
    Diagnostics diagnostics(input.name());
    const FileKind* kind = kind_of(session, input, diagnostics);
    if (kind == nullptr) return diagnostics;
    if (kind->format == nullptr) {
      diagnostics.report(code::kNoFormat, {}, fmt::format("{} files have no canonical form", kind->name));
      return diagnostics;
    }
    if (const auto text = kind->format(input.text(), input.name(), session, diagnostics)) sink(*text);
    return diagnostics;
  });
}

void add_files(CLI::App& app, Session& session) {
  const auto add_from = [&](CLI::App* command) {
    std::vector<std::string> names;
    for (const FileKind* kind : session.kinds) names.emplace_back(kind->name);
    command->add_option("--from", session.from, "Kind of the inputs, if their names and contents do not tell")
        ->check(CLI::IsMember(names))
        ->type_name("KIND")
        ->group("Input");
    add_grasp_options(command, session);
  };
  CLI::App* command =
      add_reading(app, session, "check", "Report everything that is wrong with files", [&] { return check_files(session); });
  add_from(command);
  add_rndf_option(command, session, false);
  command->add_option("--cbconf", session.cbconf, "Folder $CBCONF: look for sensor files there")
      ->type_name("FOLDER")
      ->group("Input");
  command->add_option("--cbbotname", session.cbbotname, "Name $CBBOTNAME of the robot below --cbconf")
      ->type_name("NAME")
      ->group("Input");
  command = add_reading(app, session, "info", "Say what files hold", [&] { return info_files(session); });
  add_from(command);
  command->add_flag("--json", session.json, "One JSON object a file")->group("Output");
  command = add_conversion(app, session, "fmt", "Write files in their canonical form", [&] { return format_files(session); });
  add_from(command);
}

}  // namespace simbatch::objconv
