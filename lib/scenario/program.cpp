// User programs of robots: which library, and how it is run.

#include <filesystem>
#include <set>

#include "base/core/hash.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/context.hpp"
#include "lib/sim/program/codes.hpp"
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
  std::shared_ptr<const std::string> shared = nullptr;  // the bytes, for isolated programs
  std::set<const Code*> told;                           // warnings are told once
};

// One program of one robot.
struct Plan {
  std::string robot;
  std::string label;  // how messages call it
  Source source;
  std::vector<std::string> arguments;
};

class ProgramBuilder {
 public:
  explicit ProgramBuilder(BuildContext& context) : c_(context), robots_(context.world_file.robots) {
    robots_.insert(robots_.end(), context.vehicles.begin(), context.vehicles.end());
  }

  void build() {
    for (const ProgramChoice& choice : c_.options.program_choices) check_robot(choice.robot, choice.library);
    for (const ControllerChoice& choice : c_.options.controllers) check_robot(choice.robot, choice.command);
    if (c_.options.isolate || !c_.options.controllers.empty()) allow_many_descriptors();
    auto scheduler = std::make_unique<ProgramScheduler>(c_.simulation);
    scheduler_ = scheduler.get();
    for (const autosim::RobotEntry& robot : robots_) {
      if (c_.simulation.tree().find(robot.name) == nullptr) continue;  // reported where it was to be built
      const ProgramChoice* choice = nullptr;
      for (const ProgramChoice& candidate : c_.options.program_choices)
        if (glob_matches(candidate.robot, robot.name)) choice = &candidate;
      if (choice != nullptr) {
        Plan plan{robot.name, choice->library, {c_.scenario_path, robot.place.at}, {}};
        if (!robot.programs.empty()) plan.arguments = robot.programs.front().arguments;
        add(chosen(*choice, robot), std::move(plan), true);
      }
      const bool controlled = add_controllers(robot);
      if (choice != nullptr || controlled) continue;
      for (const autosim::UserProgram& program : robot.programs)
        add(named(program), {robot.name, program.path, {c_.scenario_path, program.place.at}, program.arguments},
            c_.options.allow_programs);
    }
    if (!scheduler->empty()) c_.programs = std::move(scheduler);
  }

 private:
  void check_robot(const std::string& pattern, const std::string& program) {
    for (const autosim::RobotEntry& robot : robots_)
      if (glob_matches(pattern, robot.name)) return;
    for (const autosim::GraspWorld& world : c_.world_file.grasps)
      for (const TreeNode* node : c_.simulation.tree().nodes())
        if (const std::string& name = node->name();
            name.starts_with(world.name + ".") && node->type().kind == "GraspRobot" &&
            (glob_matches(pattern, name) || glob_matches(pattern, name.substr(world.name.size() + 1)) || pattern == world.name))
          return refuse_grasp(pattern, c_.scenario_path, c_.problems);
    std::vector<std::string_view> names;
    for (const autosim::RobotEntry& robot : robots_) names.push_back(robot.name);
    const std::string_view near = nearest(pattern, names);
    c_.report(program_code::kRobot, {},
              "no robot " + simbatch::quoted(pattern) + " to run " + simbatch::quoted(program) +
                  (near.empty() ? "" : "; did you mean " + simbatch::quoted(near) + "?"));
  }

  bool add_controllers(const autosim::RobotEntry& robot) {
    bool any = false;
    for (const ControllerChoice& choice : c_.options.controllers) {
      if (!glob_matches(choice.robot, robot.name)) continue;
      any = true;
      // The command is no file: its text is what can be told of it.
      c_.inputs.push_back({robot.name + "=" + choice.command, hex64(hash64(choice.command))});
      if (c_.options.programs != ProgramUse::run) continue;
      ControllerSettings settings;
      settings.robot = robot.name;
      settings.command = choice.command;
      settings.arguments = {robot.name};
      if (!robot.programs.empty())
        settings.arguments.insert(settings.arguments.end(), robot.programs.front().arguments.begin(),
                                  robot.programs.front().arguments.end());
      settings.source = {c_.scenario_path, robot.place.at};
      settings.environment = c_.options.controller_environment;
      settings.generator = c_.options.generator;
      if (c_.options.program_timeout > 0) settings.timeout = c_.options.program_timeout;
      settings.go_on = c_.options.go_on;
      settings.log = c_.options.log;
      scheduler_->add(std::make_unique<Controller>(c_.simulation, std::move(settings)));
    }
    return any;
  }

  // The library that the scenario names.
  Library& named(const autosim::UserProgram& program) {
    const auto [entry, fresh] = libraries_.try_emplace(program.path);
    Library& library = entry->second;
    if (!fresh) return library;
    library.input = c_.open(program.path, program.place.at);
    if (!library.input) {
      // Its source may lie beside where it is looked for.
      const fs::path source = fs::path(program.path).replace_extension(".cpp");
      std::error_code error;
      if (fs::exists(fs::path(c_.folder) / source, error)) {
        Diagnostics hint(c_.scenario_path);
        hint.note(code::kFile, program.place.at,
                  "make it with: simrun compile " + source.generic_string() + " -o " + program.path);
        c_.problems.append(std::move(hint));
      }
    }
    return library;
  }

  // The library of --program; in the list of inputs it stands with its robot.
  Library& chosen(const ProgramChoice& choice, const autosim::RobotEntry& robot) {
    const auto [entry, fresh] = chosen_.try_emplace(choice.library);
    Library& library = entry->second;
    if (fresh) {
      try {
        library.input = Input::open(choice.library);
      } catch (const IoError& problem) {
        c_.unreadable = true;
        c_.report(code::kFile, choice.library, {}, problem.cause());
      }
    }
    if (library.input)
      c_.inputs.push_back(
          {robot.name + "=" + fs::path(choice.library).filename().string(), hex64(hash64(library.input->text()))});
    return library;
  }

  // Checks a library and, if it may run, adds its program. @param permitted  by the person who runs the scenario
  void add(Library& library, Plan plan, bool permitted) {
    if (!library.input) return;
    if (!library.usable) {
      if (library.told.contains(&program_code::kLibrary)) return;
      const LibraryCheck check = check_library(library.input->text());
      if (check.problem) {
        library.told.insert(&program_code::kLibrary);
        report(*check.problem, plan);
        return;
      }
      library.usable = true;
      if (check.unique_symbols)
        warn(library, program_code::kShared, plan,
             "has unique symbols, which all robots that use it share; compile it with -fno-gnu-unique");
    }
    if (c_.options.programs != ProgramUse::run) return;
    if (!permitted) return refuse(library, plan);
    if (auto program = make_program(library, plan)) scheduler_->add(std::move(program));
  }

  // How programs are run: the one place that knows.
  std::unique_ptr<Program> make_program(Library& library, const Plan& plan) {
    if (c_.options.isolate) return isolated(library, plan);
    NativeProgram made =
        load_program({plan.robot, plan.label, plan.source, plan.arguments, c_.options.program_timeout, c_.options.go_on},
                     library.input->text(), std::make_unique<ProgramPort>(c_.simulation, plan.robot));
    if (made.problem) {
      library.usable = false;
      library.told.insert(&program_code::kLibrary);
      report(*made.problem, plan);
    }
    return std::move(made.program);
  }

  // Nothing of the library's runs in this process: it is loaded in the other one, and what is wrong with it shows in the first step.
  std::unique_ptr<Program> isolated(Library& library, const Plan& plan) {
    if (!library.shared) library.shared = std::make_shared<const std::string>(library.input->text());
    IsolationSettings settings{plan.robot,
                               plan.label,
                               plan.source,
                               c_.options.program_timeout,
                               7,
                               c_.options.go_on,
                               program_code::kAll,
                               &program_code::kCrash,
                               &program_code::kExit,
                               &program_code::kTimeout,
                               &program_code::kInterrupted};
    ProgramMaker maker = [plan, bytes = library.shared, timeout = c_.options.program_timeout](std::unique_ptr<ProgramApi> api,
                                                                                              Turn& problem) {
      NativeProgram made = load_program({plan.robot, plan.label, plan.source, plan.arguments, timeout}, *bytes, std::move(api));
      if (made.problem) {
        problem.code = made.problem->code;
        problem.message = made.problem->message;
      }
      return std::move(made.program);
    };
    return std::make_unique<IsolatedProgram>(c_.simulation, snapshot_, std::make_unique<ProgramPort>(c_.simulation, plan.robot),
                                             std::move(settings), std::move(maker));
  }

  // Loading a library runs its constructors, so the scenario alone must not cause it.
  void refuse(Library& library, const Plan& plan) {
    if (!library.told.insert(&program_code::kPermission).second) return;
    c_.report(
        program_code::kPermission, plan.source.file, plan.source.at,
        "the scenario names the program " + simbatch::quoted(plan.label) +
            ", which is native code and runs with your rights; if you trust it, add --allow-programs, or choose it: --program " +
            plan.robot + "=" + library.input->name());
  }

  void report(const LibraryProblem& problem, const Plan& plan) {
    c_.report(*problem.code, plan.source.file, plan.source.at,
              "the program " + simbatch::quoted(plan.label) + ": " + problem.message);
  }
  void warn(Library& library, const Code& code, const Plan& plan, const std::string& message) {
    if (library.told.insert(&code).second)
      c_.report(code, plan.source.file, plan.source.at, "the program " + simbatch::quoted(plan.label) + " " + message);
  }

  BuildContext& c_;
  std::vector<autosim::RobotEntry> robots_;  // and what else programs may control
  ProgramScheduler* scheduler_ = nullptr;
  std::shared_ptr<std::unique_ptr<Snapshot>> snapshot_ = std::make_shared<std::unique_ptr<Snapshot>>();
  std::map<std::string, Library> libraries_, chosen_;  // by path
};

}  // namespace

void build_programs(BuildContext& context) {
  if (context.options.programs != ProgramUse::ignore) ProgramBuilder(context).build();
}

}  // namespace simbatch::scenario::detail
