/// v1-to-v2 and v2-to-v1: CajunBot object files from one version to the other.
#include "lib/traffic/versions.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/objconv/batch.hpp"
#include "apps/objconv/commands.hpp"
#include "apps/objconv/network.hpp"
#include "formats/cajunbot/cajunbot.hpp"
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
  std::string name;  ///< --name, of v1-to-v2
  std::string rndf;  ///< --rndf, of v2-to-v1
};

cli::ExitCode v1_to_v2(const cli::Common& common, const VersionOptions& options) {
  return convert_files(common, options.inputs, options.outputs, {}, ".xml", [&](const Input& input, const Sink& sink) {
    auto parsed = cajunbot::read_v1(input.text(), input.name(), {.strict = common.strict});
    if (!parsed.ok()) return std::move(parsed.diagnostics);
    cajunbot::check(*parsed.value, Version::v1, parsed.diagnostics);
    if (!parsed.value->name && !options.name.empty()) parsed.value->name = options.name;
    const ObjectFile converted = traffic::to_v2(
        std::move(*parsed.value), {options.lossy, options.keep_extras, stem_of(input.name()), nullptr}, parsed.diagnostics);
    if (!parsed.diagnostics.has_errors()) cajunbot::write_v2(converted, {.extras = options.keep_extras}, sink);
    return std::move(parsed.diagnostics);
  });
}

cli::ExitCode v2_to_v1(const cli::Common& common, const VersionOptions& options) {
  Diagnostics shared;
  const auto network = load_network(options.rndf, common.strict, shared);
  const rndf::Index* index = network ? &network->index : nullptr;
  return convert_files(
      common, options.inputs, options.outputs, std::move(shared), ".obj", [&](const Input& input, const Sink& sink) {
        auto parsed = cajunbot::read_v2(input.text(), input.name());
        if (!parsed.ok()) return std::move(parsed.diagnostics);
        cajunbot::check(*parsed.value, Version::v2, parsed.diagnostics);
        if (index != nullptr) traffic::check_waypoints(*parsed.value, *index, parsed.diagnostics);
        const ObjectFile converted =
            traffic::to_v1(std::move(*parsed.value), {options.lossy, options.keep_extras, {}, index}, parsed.diagnostics);
        if (!parsed.diagnostics.has_errors()) cajunbot::write_v1(converted, {.extras = options.keep_extras}, sink);
        return std::move(parsed.diagnostics);
      });
}

using RunVersions = cli::ExitCode (*)(const cli::Common& common, const VersionOptions& options);

std::pair<CLI::App*, std::shared_ptr<VersionOptions>> add_version_command(CLI::App& app, Program& program, const char* name,
                                                                          const char* meaning, RunVersions run) {
  auto options = std::make_shared<VersionOptions>();
  CLI::App* command = app.add_subcommand(name, meaning);
  add_input_options(*command, options->inputs);
  add_output_options(*command, options->outputs);
  command->add_flag("--lossy", options->lossy, "Convert even if facts are lost that cannot be guessed")->group("Behavior");
  command
      ->add_flag("--keep-extras", options->keep_extras,
                 "Keep what the target version lacks in extras, so that converting back is exact")
      ->group("Behavior");
  command->final_callback([&program, command, options, run] {
    check_outputs(*command, options->inputs, options->outputs);
    program.action = [&program, options, run] { return run(program.common, *options); };
  });
  return {command, options};
}

}  // namespace

void add_versions(CLI::App& app, Program& program) {
  {
    const auto [command, options] =
        add_version_command(app, program, "v1-to-v2", "CajunBot object files: version 1 to 2", v1_to_v2);
    command->add_option("--name", options->name, "Name of the new file's <name> (default: the input's name)")
        ->type_name("TEXT")
        ->group("Output");
  }
  const auto [command, options] =
      add_version_command(app, program, "v2-to-v1", "CajunBot object files: version 2 to 1", v2_to_v1);
  add_rndf_option(*command, options->rndf, false);
}

}  // namespace simbatch::objconv
