/// check, info and fmt: for every kind of file that is registered.
#include "apps/objconv/files.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/objconv/batch.hpp"
#include "apps/objconv/codes.hpp"
#include "apps/objconv/grasp_files.hpp"
#include "apps/objconv/kinds.hpp"
#include "base/core/number.hpp"

namespace simbatch::objconv {
namespace {

/// What all three commands read, and how.
struct ReadOptions {
  InputOptions inputs;
  std::string kind;      ///< --from, or what the command is for
  bool any_kind = true;  ///< the command is for files of all kinds
  GraspReadOptions grasp;

  Reading reading(const cli::Common& common) const { return {common.strict, grasp_options(grasp), nullptr, {}, {}}; }
};

/// Adds INPUT and, where the kind is not known from the start, what tells files apart and how they are read.
void add_read_options(CLI::App& command, ReadOptions& options, std::string_view kind) {
  add_input_options(command, options.inputs);
  options.kind = kind;
  options.any_kind = kind.empty();
  if (!options.any_kind) return;
  std::vector<std::string> names;
  for (const FileKind* known : all_kinds()) names.emplace_back(known->name);
  command.add_option("--from", options.kind, "Kind of the inputs, if their names and contents do not show it")
      ->check(CLI::IsMember(names))
      ->type_name("KIND")
      ->group("Input");
  add_grasp_options(command, options.grasp);
}

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

/// Null, and an error, if it is not known or not the command's.
const FileKind* find_kind(const ReadOptions& options, const Input& input, Diagnostics& diagnostics) {
  if (!options.any_kind && !is_expected(options.kind, input, diagnostics)) return nullptr;
  return kind_of(options.kind, input, diagnostics);
}

struct CheckOptions : ReadOptions {
  std::string rndf, cbconf, cbbotname;
};

cli::ExitCode check(const cli::Common& common, const CheckOptions& options) {
  Diagnostics shared;
  const auto network = load_network(options.rndf, common.strict, shared);
  Reading reading = options.reading(common);
  reading.network = network.get();
  reading.cbconf = options.cbconf;
  reading.cbbotname = options.cbbotname;
  return read_files(common, options.inputs, std::move(shared), [&](const Input& input, const Sink&) {
    Diagnostics diagnostics(input.name());
    if (const FileKind* kind = find_kind(options, input, diagnostics))
      kind->check(input.text(), input.name(), reading, diagnostics);
    return diagnostics;
  });
}

struct InfoOptions : ReadOptions {
  bool json = false;
};

cli::ExitCode info(const cli::Common& common, const InfoOptions& options) {
  const Reading reading = options.reading(common);
  return read_files(common, options.inputs, {}, [&](const Input& input, const Sink& sink) {
    Diagnostics diagnostics(input.name());
    const FileKind* kind = find_kind(options, input, diagnostics);
    if (kind == nullptr) return diagnostics;
    std::vector<Fact> facts = {fact("kind", std::string(kind->name))};
    if (kind->info != nullptr)
      for (Fact& f : kind->info(input.text(), input.name(), reading, diagnostics)) facts.push_back(std::move(f));
    sink(options.json ? info_json(input.name(), facts) : info_text(input.name(), facts));
    return diagnostics;
  });
}

struct FormatOptions : ReadOptions {
  OutputOptions outputs;
};

cli::ExitCode format(const cli::Common& common, const FormatOptions& options) {
  const Reading reading = options.reading(common);
  return convert_files(common, options.inputs, options.outputs, {}, {}, [&](const Input& input, const Sink& sink) {
    Diagnostics diagnostics(input.name());
    const FileKind* kind = find_kind(options, input, diagnostics);
    if (kind == nullptr) return diagnostics;
    if (kind->format == nullptr) {
      diagnostics.report(code::kNoFormat, {}, fmt::format("{} files have no canonical form", kind->name));
      return diagnostics;
    }
    if (const auto text = kind->format(input.text(), input.name(), reading, diagnostics)) sink(*text);
    return diagnostics;
  });
}

}  // namespace

void add_check(CLI::App& app, Program& program, const char* meaning, std::string_view kind) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", meaning);
  add_read_options(*command, *options, kind);
  if (kind != "rndf") add_rndf_option(*command, options->rndf, false);
  if (kind.empty()) {
    command->add_option("--cbconf", options->cbconf, "Folder $CBCONF: look for sensor files there")
        ->type_name("FOLDER")
        ->group("Input");
    command->add_option("--cbbotname", options->cbbotname, "Name $CBBOTNAME of the robot below --cbconf")
        ->type_name("NAME")
        ->group("Input");
  }
  command->final_callback(
      [&program, options] { program.action = [&program, options] { return check(program.common, *options); }; });
}

void add_info(CLI::App& app, Program& program, const char* meaning, std::string_view kind) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand("info", meaning);
  add_read_options(*command, *options, kind);
  command->add_flag("--json", options->json, "One JSON object per file")->group("Output");
  command->final_callback(
      [&program, options] { program.action = [&program, options] { return info(program.common, *options); }; });
}

void add_fmt(CLI::App& app, Program& program, const char* meaning, std::string_view kind) {
  auto options = std::make_shared<FormatOptions>();
  CLI::App* command = app.add_subcommand("fmt", meaning);
  add_read_options(*command, *options, kind);
  add_output_options(*command, options->outputs);
  command->final_callback([&program, command, options] {
    check_outputs(*command, options->inputs, options->outputs);
    program.action = [&program, options] { return format(program.common, *options); };
  });
}

void add_files(CLI::App& app, Program& program) {
  add_check(app, program, "Report everything that is wrong with files", {});
  add_info(app, program, "Summarize the contents of files", {});
  add_fmt(app, program, "Write files in their canonical form", {});
}

}  // namespace simbatch::objconv
