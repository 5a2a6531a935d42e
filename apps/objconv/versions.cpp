/// v1-to-v2 and v2-to-v1: converts CajunBot object files between versions.
#include "lib/traffic/versions.hpp"

#include "apps/objconv/batch.hpp"
#include "apps/objconv/commands.hpp"
#include "apps/objconv/network.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/traffic/traffic.hpp"

namespace simbatch::objconv {
namespace {

using cajunbot::ObjectFile;
using cajunbot::Version;

struct VersionOptions {
  InputOptions inputs;
  OutputOptions outputs;
  bool lossy = false;
  bool keep_extras = false;
  std::string name;     ///< --name, of v1-to-v2
  std::string rndf;     ///< --rndf, of v2-to-v1
  bool planar = false;  ///< --planar, likewise
};

cli::ExitCode v1_to_v2(const VersionOptions& options, cli::Reporter& reporter) {
  return convert_files(reporter, options.inputs, options.outputs, {}, ".xml", [&](const Input& input, const Sink& sink) {
    auto parsed = cajunbot::read_v1(input.text(), input.name(), {.strict = reporter.options().strict});
    if (!parsed.ok()) {
      file_kind::explain_errors(input.text(), input.name(), file_kind::Purpose::objects_v1, parsed.diagnostics);
      return std::move(parsed.diagnostics);
    }
    cajunbot::check(*parsed.value, Version::v1, parsed.diagnostics);
    if (!parsed.value->name && !options.name.empty()) parsed.value->name = options.name;
    const ObjectFile converted = traffic::to_v2(
        std::move(*parsed.value), {options.lossy, options.keep_extras, stem_of(input.name()), nullptr}, parsed.diagnostics);
    if (!parsed.diagnostics.has_errors()) cajunbot::write_v2(converted, {.extras = options.keep_extras}, sink);
    return std::move(parsed.diagnostics);
  });
}

cli::ExitCode v2_to_v1(const VersionOptions& options, cli::Reporter& reporter) {
  Diagnostics shared;
  const auto network = load_network(options.rndf, {reporter.options().strict, options.planar}, shared);
  const rndf::Index* index = network ? &network->index : nullptr;
  return convert_files(
      reporter, options.inputs, options.outputs, std::move(shared), ".obj", [&](const Input& input, const Sink& sink) {
        auto parsed = cajunbot::read_v2(input.text(), input.name());
        if (!parsed.ok()) {
          file_kind::explain_errors(input.text(), input.name(), file_kind::Purpose::objects_v2, parsed.diagnostics);
          return std::move(parsed.diagnostics);
        }
        cajunbot::check(*parsed.value, Version::v2, parsed.diagnostics);
        if (index != nullptr) traffic::check_waypoints(*parsed.value, *index, parsed.diagnostics);
        const ObjectFile converted =
            traffic::to_v1(std::move(*parsed.value), {options.lossy, options.keep_extras, {}, index}, parsed.diagnostics);
        if (!parsed.diagnostics.has_errors()) cajunbot::write_v1(converted, {.extras = options.keep_extras}, sink);
        return std::move(parsed.diagnostics);
      });
}

VersionOptions& add_version_options(cli::Command& command) {
  auto& o = command.keep<VersionOptions>();
  add_input_options(command, o.inputs);
  add_output_options(command, o.outputs);
  command.group("Behavior");
  command.flag("--lossy", o.lossy, "Convert even if facts are lost that cannot be guessed");
  command.flag("--keep-extras", o.keep_extras,
               "Keep what the target version lacks in extras, so that converting back is exact");
  return o;
}

}  // namespace

void add_versions(cli::Command& program) {
  {
    cli::Command& command = program.add("v1-to-v2", "CajunBot object files: version 1 to 2");
    VersionOptions& o = add_version_options(command);
    command.group("Output");
    command.option("--name", "TEXT", o.name, "Name of the new file's <name> (default: the input's name)");
    check_outputs(command, o.inputs, o.outputs, ".xml", false);
    command.examples({"objconv v1-to-v2 Sample.obj -o Objects.xml --report losses.json",
                      "objconv v1-to-v2 --keep-extras --out-dir xml --jobs 4 old/*.obj"});
    command.run([&o](cli::Reporter& reporter) { return v1_to_v2(o, reporter); });
  }
  cli::Command& command = program.add("v2-to-v1", "CajunBot object files: version 2 to 1");
  VersionOptions& o = add_version_options(command);
  add_rndf_option(command, o.rndf, false);
  add_planar_option(command, o.planar);
  check_outputs(command, o.inputs, o.outputs, ".obj", false, &o.rndf);
  command.examples({"objconv v2-to-v1 Objects.xml --rndf site.rndf -o Sample.obj"});
  command.run([&o](cli::Reporter& reporter) { return v2_to_v1(o, reporter); });
}

}  // namespace simbatch::objconv
