/// check, info and fmt, for all registered kinds of files.
#include "apps/objconv/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "apps/objconv/batch.hpp"
#include "apps/objconv/codes.hpp"
#include "apps/objconv/grasp_files.hpp"
#include "apps/objconv/kinds.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "base/json/write_json.hpp"

namespace simbatch::objconv {
namespace {

/// Inputs and options common to all three commands.
struct ReadOptions {
  InputOptions inputs;
  std::string kind;      ///< --from, or the command's own kind
  bool any_kind = true;  ///< the command is for files of all kinds
  GraspReadOptions grasp;
  bool planar = false;  ///< --planar

  Reading reading(const cli::Reporter& reporter) const {
    return {reporter.options().strict, grasp_options(grasp), nullptr, {}, {}, planar};
  }
};

/// Adds INPUT and, unless the kind is fixed, the options for selecting the kind and the reader.
void add_read_options(cli::Command& command, ReadOptions& options, std::string_view kind) {
  add_input_options(command, options.inputs);
  options.kind = kind;
  options.any_kind = kind.empty();
  add_planar_option(command, options.planar);
  if (!options.any_kind) return;
  std::vector<std::string> names;
  for (const FileKind* known : all_kinds()) names.emplace_back(known->name);
  command.group("Input");
  command.option("--from", "KIND", options.kind, "Kind of the inputs, if their names and contents do not show it")
      .choices(std::move(names));
  add_grasp_options(command, options.grasp);
}

std::string info_text(const std::string& file, const std::vector<Fact>& facts) {
  std::string out = printable(file) + "\n";
  std::size_t width = 0;
  for (const Fact& f : facts) width = std::max(width, f.key.size());
  for (const Fact& f : facts) out += fmt::format("  {:<{}}  {}\n", printable(f.key), width, printable(f.value));
  return out;
}

/// Keys of the same name get a number, so that no reader of JSON drops one of them.
void number_keys(std::vector<Fact>& facts) {
  std::set<std::string> taken;
  for (Fact& f : facts) {
    const std::string name = f.key;
    for (int i = 2; !taken.insert(f.key).second; ++i) f.key = fmt::format("{}#{}", name, i);
  }
}

std::string info_json(const std::string& file, const std::vector<Fact>& facts) {
  json::Writer out;
  out.open_object();
  out.member("file", file);
  for (const Fact& f : facts) {
    if (!f.json.empty())
      out.key(f.key).raw(f.json);
    else if (!f.is_number)
      out.member(f.key, f.value);
    else if (const auto whole = parse_integer<std::int64_t>(f.value))
      out.member(f.key, whole.value);
    else if (const auto number = parse_double(f.value))
      out.member(f.key, number.value);
    else
      out.key(f.key).raw("null");  // not finite
  }
  out.close();
  return out.text() + "\n";
}

/// Null, with an error, if it is unknown or not handled by the command.
const FileKind* find_kind(const ReadOptions& options, const Input& input, Diagnostics& diagnostics) {
  if (!options.any_kind && !is_expected(options.kind, input, diagnostics)) return nullptr;
  return kind_of(options.kind, input, diagnostics);
}

struct CheckOptions : ReadOptions {
  std::string rndf, cbconf, cbbotname, root;
};

cli::ExitCode check(const CheckOptions& options, cli::Reporter& reporter) {
  Diagnostics shared;
  const auto network = load_network(options.rndf, {reporter.options().strict, options.planar}, shared);
  Reading reading = options.reading(reporter);
  reading.network = network.get();
  reading.cbconf = options.cbconf;
  reading.cbbotname = options.cbbotname;
  reading.root = options.root;
  return read_files(reporter, options.inputs, std::move(shared), [&](const Input& input, const Sink&) {
    Diagnostics diagnostics(input.name());
    if (const FileKind* kind = find_kind(options, input, diagnostics))
      kind->check(input.text(), input.name(), reading, diagnostics);
    return diagnostics;
  });
}

struct InfoOptions : ReadOptions {
  bool json = false;
};

cli::ExitCode info(const InfoOptions& options, cli::Reporter& reporter) {
  const Reading reading = options.reading(reporter);
  return read_files(reporter, options.inputs, {}, [&](const Input& input, const Sink& sink) {
    Diagnostics diagnostics(input.name());
    const FileKind* kind = find_kind(options, input, diagnostics);
    if (kind == nullptr) return diagnostics;
    std::vector<Fact> facts = {fact("kind", std::string(kind->name))};
    if (kind->info != nullptr)
      for (Fact& f : kind->info(input.text(), input.name(), reading, diagnostics)) facts.push_back(std::move(f));
    number_keys(facts);
    sink(options.json ? info_json(input.name(), facts) : info_text(input.name(), facts));
    return diagnostics;
  });
}

struct FormatOptions : ReadOptions {
  OutputOptions outputs;
};

cli::ExitCode format(const FormatOptions& options, cli::Reporter& reporter) {
  const Reading reading = options.reading(reporter);
  return convert_files(reporter, options.inputs, options.outputs, {}, {}, [&](const Input& input, const Sink& sink) {
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

void add_check(cli::Command& group, const char* help, std::string_view kind, std::vector<std::string> examples) {
  cli::Command& command = group.add("check", help);
  auto& o = command.keep<CheckOptions>();
  add_read_options(command, o, kind);
  if (kind != "rndf") add_rndf_option(command, o.rndf, false);
  if (kind.empty()) {
    command.option("--cbconf", "FOLDER", o.cbconf, "Folder $CBCONF: look for sensor files there");
    command.option("--cbbotname", "NAME", o.cbbotname, "Name $CBBOTNAME of the robot below --cbconf");
    command.option("--root", "FOLDER", o.root, "Folder with the meshes that a robot or world may name (default: its own)");
  }
  command.examples(std::move(examples));
  command.run([&o](cli::Reporter& reporter) { return check(o, reporter); });
}

void add_info(cli::Command& group, const char* help, std::string_view kind, std::vector<std::string> examples) {
  cli::Command& command = group.add("info", help);
  auto& o = command.keep<InfoOptions>();
  add_read_options(command, o, kind);
  command.group("Output");
  command.flag("--json", o.json, "One JSON object per file");
  command.examples(std::move(examples));
  command.run([&o](cli::Reporter& reporter) { return info(o, reporter); });
}

void add_fmt(cli::Command& group, const char* help, std::string_view kind, std::vector<std::string> examples) {
  cli::Command& command = group.add("fmt", help);
  auto& o = command.keep<FormatOptions>();
  add_read_options(command, o, kind);
  add_output_options(command, o.outputs);
  check_outputs(command, o.inputs, o.outputs, {}, true);
  command.examples(std::move(examples));
  command.run([&o](cli::Reporter& reporter) { return format(o, reporter); });
}

void add_files(cli::Command& program) {
  add_check(program, "Report everything that is wrong with files", {},
            {"objconv check --rndf site.rndf Objects.xml", "objconv check --as loader gripper.cfg"});
  add_info(program, "Summarize the contents of files", {}, {"objconv info --json site.rndf Objects.xml"});
  add_fmt(program, "Write files in their canonical form", {}, {"objconv fmt Objects.xml -o Objects.xml"});
}

}  // namespace simbatch::objconv
