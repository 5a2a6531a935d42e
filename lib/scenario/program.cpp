// User programs of robots: selection of the library and of the way to run it.

#include <filesystem>
#include <set>

#include "base/core/hash.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/site.hpp"
#include "lib/sim/program/codes.hpp"
#include "lib/sim/program/command/command_words.hpp"
#include "lib/sim/program/command/controller.hpp"
#include "lib/sim/program/isolated/isolated.hpp"
#include "lib/sim/program/native/native.hpp"

namespace simbatch::scenario::detail {
namespace {

namespace fs = std::filesystem;

// A library, read once however many robots use it.
struct Library {
  std::optional<Input> input;  // nothing: it could not be read
  bool usable = false;
  std::optional<bool> trusted = {};                     // by the user
  std::shared_ptr<const std::string> shared = nullptr;  // the bytes, for isolated programs
  std::set<const Code*> reported;                       // each code once for each library
};

// One program of one robot.
struct Plan {
  std::string robot;
  std::string label;  // its name in messages
  Source source;
  std::vector<std::string> arguments;
};

class ProgramBuilder {
 public:
  ProgramBuilder(const Site& site, const std::vector<autosim::RobotEntry>& vehicles) : site_(site), robots_(site.file.robots) {
    robots_.insert(robots_.end(), vehicles.begin(), vehicles.end());
  }

  std::unique_ptr<ProgramScheduler> build() {
    for (const ProgramChoice& choice : site_.options.program_choices)
      check_robot(choice.robot, choice.library, choice.may_miss);
    for (const ControllerChoice& choice : site_.options.controllers) check_robot(choice.robot, choice.command, choice.may_miss);
    if (site_.options.isolate || !site_.options.controllers.empty()) allow_many_descriptors();
    auto scheduler = std::make_unique<ProgramScheduler>(site_.simulation);
    scheduler_ = scheduler.get();
    for (const autosim::RobotEntry& robot : robots_) {
      if (site_.simulation.tree().find(robot.name) == nullptr) continue;  // reported where it was to be built
      const ProgramChoice* choice = nullptr;
      for (const ProgramChoice& candidate : site_.options.program_choices)
        if (glob_matches(candidate.robot, robot.name)) choice = &candidate;
      if (choice != nullptr && !choice->library.empty()) {
        Plan plan{robot.name, choice->library, {site_.files.scenario(), robot.place.at}, {}};
        if (!robot.programs.empty()) plan.arguments = robot.programs.front().arguments;
        add(chosen(*choice, robot), plan, true);
      }
      const bool controlled = add_controllers(robot);
      if (choice != nullptr || controlled) continue;
      for (const autosim::UserProgram& program : robot.programs)
        add(named(program), {robot.name, program.path, {site_.files.scenario(), program.place.at}, program.arguments},
            site_.options.allow_programs);
    }
    return scheduler->empty() ? nullptr : std::move(scheduler);
  }

 private:
  void check_robot(const std::string& pattern, const std::string& program, bool may_miss) {
    if (may_miss) return;
    for (const autosim::RobotEntry& robot : robots_)
      if (glob_matches(pattern, robot.name)) return;
    for (const autosim::GraspWorld& world : site_.file.grasps)
      for (const TreeNode* node : site_.simulation.tree().nodes())
        if (const std::string& name = node->name();
            name.starts_with(world.name + ".") && node->type().kind == "GraspRobot" &&
            (glob_matches(pattern, name) || glob_matches(pattern, name.substr(world.name.size() + 1)) || pattern == world.name))
          return refuse_grasp(pattern, site_.files.scenario(), site_.files.problems());
    std::vector<std::string_view> names;
    for (const autosim::RobotEntry& robot : robots_) names.push_back(robot.name);
    const std::string_view near = nearest(pattern, names);
    site_.files.report(program_code::kRobot, {},
                       "no robot " + simbatch::quoted(pattern) + " to run " + simbatch::quoted(program) +
                           (near.empty() ? "" : ", did you mean " + simbatch::quoted(near) + "?") +
                           list_of({names.begin(), names.end()}, "; robots: "));
  }

  bool add_controllers(const autosim::RobotEntry& robot) {
    bool any = false;
    for (const ControllerChoice& choice : site_.options.controllers) {
      if (!glob_matches(choice.robot, robot.name)) continue;
      any = true;
      // A command is not a file: its text is listed among the inputs, together with the files that it names.
      site_.files.note_choice(robot.name + "=" + choice.command, choice.command);
      for (const std::string& word : words_of_command(choice.command))
        if (const auto digest = digest_of_file(word))
          site_.files.note_digest(robot.name + "=" + fs::path(word).filename().string(), *digest);
      if (site_.options.programs != ProgramUse::run) continue;
      ControllerSettings settings;
      settings.robot = robot.name;
      settings.command = choice.command;
      settings.arguments = {robot.name};
      if (!robot.programs.empty())
        settings.arguments.insert(settings.arguments.end(), robot.programs.front().arguments.begin(),
                                  robot.programs.front().arguments.end());
      settings.source = {site_.files.scenario(), robot.place.at};
      settings.environment = site_.options.controller_environment;
      settings.isolate = site_.options.isolate;
      settings.readable = site_.options.controller_files;
      settings.token = site_.options.controller_token;
      settings.open_endpoint = site_.options.open_endpoint;
      settings.generator = site_.options.generator;
      if (site_.options.program_timeout > 0) settings.timeout = site_.options.program_timeout;
      settings.keep_going = site_.options.keep_going;
      settings.log = site_.options.log;
      scheduler_->add(std::make_unique<Controller>(site_.simulation, std::move(settings)));
    }
    return any;
  }

  // Contents of a readable regular file; nothing otherwise.
  static std::optional<std::string> digest_of_file(const std::string& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return std::nullopt;
    try {
      return hex64(hash64(Input::open(path).text()));
    } catch (const IoError&) {
      return std::nullopt;
    }
  }

  // The library named in the scenario.
  Library& named(const autosim::UserProgram& program) {
    const auto [entry, fresh] = libraries_.try_emplace(program.path);
    Library& library = entry->second;
    if (!fresh) return library;
    // A library that is still to be compiled from the source beside it is not an error where nothing is run.
    const fs::path source = fs::path(program.path).replace_extension(".cpp");
    const bool has_source = is_there(source.string());
    if (site_.options.programs == ProgramUse::run || !has_source || is_there(program.path))
      library.input = site_.files.open(program.path, program.place.at);
    if (!library.input && has_source && site_.options.programs != ProgramUse::ignore) {
      Diagnostics hint(site_.files.scenario());
      hint.note(code::kFile, program.place.at,
                "make it with: simrun compile " + source.generic_string() + " -o " + program.path);
      site_.files.append(std::move(hint));
    }
    return library;
  }

  // Whether a file that the scenario names, and may read, exists.
  bool is_there(const std::string& name) const {
    const ScenarioRoot::Resolved file = site_.files.root().resolve(name, site_.files.scenario());
    std::error_code error;
    return file.access == ScenarioRoot::Access::allowed && fs::is_regular_file(file.path, error);
  }

  // The library of --program; the list of inputs names it with its robot.
  Library& chosen(const ProgramChoice& choice, const autosim::RobotEntry& robot) {
    const auto [entry, fresh] = chosen_.try_emplace(choice.library);
    Library& library = entry->second;
    if (fresh) library.input = site_.files.open_unnoted(choice.library);
    if (library.input)
      site_.files.note_choice(robot.name + "=" + fs::path(choice.library).filename().string(), library.input->text());
    return library;
  }

  // Checks a library and, if it may run, adds its program. @param permitted  by the person who runs the scenario
  void add(Library& library, const Plan& plan, bool permitted) {
    if (!library.input) return;
    if (!library.usable) {
      if (library.reported.contains(&program_code::kLibrary)) return;
      const LibraryCheck check = check_library(library.input->text());
      if (check.problem) {
        library.reported.insert(&program_code::kLibrary);
        report(*check.problem, plan);
        return;
      }
      library.usable = true;
      if (check.unique_symbols)
        warn(library, program_code::kShared, plan,
             "has unique symbols, which all robots that use it share; compile it with -fno-gnu-unique");
    }
    if (site_.options.programs != ProgramUse::run) return;
    if (!permitted && !is_trusted(library)) return refuse(library, plan);
    if (auto program = make_program(library, plan)) scheduler_->add(std::move(program));
  }

  // The only place that decides how programs are run.
  std::unique_ptr<Program> make_program(Library& library, const Plan& plan) {
    if (site_.options.isolate) return isolated(library, plan);
    NativeProgram made = load_program(
        {plan.robot, plan.label, plan.source, plan.arguments, site_.options.program_timeout, site_.options.keep_going},
        library.input->text(), std::make_unique<ProgramPort>(site_.simulation, plan.robot));
    if (made.problem) {
      library.usable = false;
      library.reported.insert(&program_code::kLibrary);
      report(*made.problem, plan);
    }
    return std::move(made.program);
  }

  // No code of the library runs in this process: it is loaded in the other one, and errors in it appear in the first step.
  std::unique_ptr<Program> isolated(Library& library, const Plan& plan) {
    if (!library.shared) library.shared = std::make_shared<const std::string>(library.input->text());
    IsolationSettings settings{plan.robot,
                               plan.label,
                               plan.source,
                               site_.options.program_timeout,
                               7,
                               site_.options.keep_going,
                               program_code::kAll,
                               &program_code::kCrash,
                               &program_code::kExit,
                               &program_code::kTimeout,
                               &program_code::kInterrupted};
    ProgramMaker maker = [plan, bytes = library.shared, timeout = site_.options.program_timeout](
                             std::unique_ptr<ProgramApi> api, Turn& problem) {
      NativeProgram made = load_program({plan.robot, plan.label, plan.source, plan.arguments, timeout}, *bytes, std::move(api));
      if (made.problem) {
        problem.code = made.problem->code;
        problem.message = made.problem->message;
      }
      return std::move(made.program);
    };
    return std::make_unique<IsolatedProgram>(site_.simulation, snapshot_,
                                             std::make_unique<ProgramPort>(site_.simulation, plan.robot), std::move(settings),
                                             std::move(maker));
  }

  bool is_trusted(Library& library) {
    if (!library.trusted && site_.options.trusts) {
      Diagnostics found;
      library.trusted = site_.options.trusts(site_.files.scenario(), library.input->name(), library.input->text(), found);
      site_.files.append(std::move(found));
    }
    return library.trusted.value_or(false);
  }

  // Loading a library runs its constructors, so the scenario alone must not cause it.
  void refuse(Library& library, const Plan& plan) {
    if (!library.reported.insert(&program_code::kPermission).second) return;
    site_.files.report(
        program_code::kPermission, plan.source.file, plan.source.at,
        "the scenario names the program " + simbatch::quoted(plan.label) +
            ", which is native code and runs with your rights; if you trust it, add --allow-programs, or its folder to ~/.config/simbatch/trusted_folders, or choose it: --program " +
            plan.robot + "=" + library.input->name());
  }

  void report(const LibraryProblem& problem, const Plan& plan) {
    site_.files.report(*problem.code, plan.source.file, plan.source.at,
                       "the program " + simbatch::quoted(plan.label) + ": " + problem.message);
  }
  void warn(Library& library, const Code& code, const Plan& plan, const std::string& message) {
    if (library.reported.insert(&code).second)
      site_.files.report(code, plan.source.file, plan.source.at, "the program " + simbatch::quoted(plan.label) + " " + message);
  }

  const Site& site_;
  std::vector<autosim::RobotEntry> robots_;  // and other objects that programs may control
  ProgramScheduler* scheduler_ = nullptr;
  std::shared_ptr<std::unique_ptr<Snapshot>> snapshot_ = std::make_shared<std::unique_ptr<Snapshot>>();
  std::map<std::string, Library> libraries_, chosen_;  // by path
};

}  // namespace

std::unique_ptr<ProgramScheduler> build_programs(const Site& site, const std::vector<autosim::RobotEntry>& vehicles) {
  if (site.options.programs == ProgramUse::ignore) return nullptr;
  return ProgramBuilder(site, vehicles).build();
}

}  // namespace simbatch::scenario::detail
