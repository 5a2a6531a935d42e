// simrun serve: a live run, watched and controlled from browsers (docs/serve.md). Watching has no side effects;
// settings take effect between two steps and are recorded, so that a batch run can repeat them.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <map>

#include "apps/common/console.hpp"
#include "apps/common/signals.hpp"
#include "apps/simrun/codes.hpp"
#include "apps/simrun/live_run.hpp"
#include "apps/simrun/options.hpp"
#include "base/core/hash.hpp"
#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/core/percent.hpp"
#include "base/process/socket.hpp"
#include "lib/expect/codes.hpp"
#include "lib/serve/commands.hpp"
#include "lib/serve/control_endpoints.hpp"
#include "lib/serve/foxglove_endpoint.hpp"
#include "lib/serve/gate.hpp"
#include "lib/serve/live_messages.hpp"
#include "lib/serve/pace.hpp"
#include "lib/serve/tree_endpoint.hpp"
#include "lib/serve/web_server.hpp"
#include "lib/sim/expect/expectations.hpp"

namespace simbatch::simrun {
namespace {

using cli::ExitCode;
using serve::ClientId;

constexpr double kFrameTime = 1.0 / 30;    // s between two frames
constexpr double kStateTime = 0.25;        // s between two states if only the time changes
constexpr double kWaitTime = 0.05;         // s between two readings of the clock while waiting for a program
constexpr double kMaxWork = 0.008;         // s of stepping between two polls of the clients
constexpr int kMaxMistakes = 20;           // invalid messages per client before it is disconnected
constexpr std::size_t kMaxMessages = 200;  // kept for viewers that connect later

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

class Server {
 public:
  Server(ServeOptions options, cli::Reporter& reporter) : options_(std::move(options)), reporter_(reporter) {}

  ExitCode serve();

 private:
  std::unique_ptr<LiveRun> new_run(ExitCode& exit);
  void open_endpoints();
  void print_addresses();
  serve::FoxgloveOut foxglove_out();
  void begin_endpoints();
  void loop();
  void make_steps(std::int64_t due, double began);
  void report_broken();
  void choose(std::size_t scenario);
  void reset();
  void show(double at);
  void finish();

  void welcome(ClientId client);
  bool receive(ClientId client, std::string_view message, bool binary);
  std::string execute(const serve::Command& command);
  void report(std::string_view severity, std::string_view code, const std::string& text);
  void send_all(const std::string& text);
  std::string state_text() const;
  std::string hello_text() const { return serve::hello_text(session_, hex64(hash64(*run_->page))); }
  serve::FoxgloveState foxglove_state() const { return {pace_->running(), run_->failed, pace_->speed()}; }

  ServeOptions options_;
  cli::Reporter& reporter_;
  std::string template_;
  std::unique_ptr<LiveRun> run_;
  std::optional<serve::Pace> pace_;
  std::shared_ptr<serve::ControlEndpoints> programs_ = std::make_shared<serve::ControlEndpoints>();
  std::string token_;
  std::unique_ptr<serve::WebServer> web_;
  std::map<ClientId, int> viewers_;  // clients of /live, with their numbers of invalid messages
  std::optional<serve::FoxgloveEndpoint> foxglove_;
  std::optional<serve::TreeEndpoint> tree_;
  std::string server_id_ = serve::new_token();
  std::deque<std::string> messages_;
  std::vector<bool> broken_;  // expectations reported to viewers as broken
  std::int64_t session_ = 1;
  bool changed_ = true, wants_reset_ = false;
  std::size_t wanted_ = 0;  // index into options_.scenarios
  Offers wanted_offers_;
  std::int64_t shown_step_ = -1;
  double last_frame_ = 0, last_state_ = 0;
};

std::unique_ptr<LiveRun> Server::new_run(ExitCode& exit) {
  return make_live_run(
      options_, template_, reporter_, exit,
      [this](std::string_view robot, std::string_view text) { report("note", robot, std::string(text)); }, programs_);
}

void Server::open_endpoints() {
  serve::WebSettings settings;
  settings.address = options_.bind;
  settings.port = static_cast<std::uint16_t>(options_.port);
  settings.origins = options_.origins;
  SocketAddress address;
  address.host = options_.bind;
  const char* chosen = std::getenv("SIMBATCH_TOKEN");
  if (chosen != nullptr && *chosen != '\0')
    settings.token = chosen;
  else if (!address.is_loopback())
    settings.token = serve::new_token();
  token_ = settings.token;
  serve::WebHandlers handlers;
  handlers.programs = programs_->handlers();
  handlers.get = [this](std::string_view path) -> std::optional<serve::WebPage> {
    if (path == "/") return serve::WebPage{"text/html; charset=utf-8", run_->page};
    if (path == "/health")
      return serve::WebPage{"text/plain; charset=utf-8", std::make_shared<const std::string>("simrun serve\n")};
    return std::nullopt;
  };
  handlers.is_endpoint = [](std::string_view path) { return path == "/live" || path == "/" || path == "/tree"; };
  handlers.subprotocol = [](std::string_view path, std::string_view offered) {
    return path == "/" ? serve::foxglove::choose_subprotocol(offered) : std::string();
  };
  handlers.opened = [this](ClientId client, std::string_view path, std::string_view spoken) {
    if (path == "/live") return welcome(client);
    if (path == "/tree")
      tree_->opened(client);
    else
      foxglove_->opened(client, spoken);
    changed_ = true;
  };
  handlers.received = [this](ClientId client, std::string_view message, bool binary) {
    if (viewers_.contains(client)) return receive(client, message, binary);
    return tree_->has(client) ? tree_->received(client, message, binary) : foxglove_->received(client, message, binary);
  };
  handlers.closed = [this](ClientId client) {
    viewers_.erase(client);
    foxglove_->closed(client);
    tree_->closed(client);
    changed_ = true;
  };
  foxglove_.emplace(foxglove_out());
  tree_.emplace(serve::TreeOut{[this](ClientId client, std::string text) { web_->send_text(client, std::move(text)); },
                               [this](ClientId client, std::string bytes) { web_->send_binary(client, std::move(bytes)); },
                               [this](ClientId client) { return web_->is_idle(client); }});
  web_ = std::make_unique<serve::WebServer>(settings, std::move(handlers));
  programs_->attach(*web_, options_.bind, false);
}

void Server::print_addresses() {
  const std::string host = options_.bind.find(':') != std::string::npos ? "[" + options_.bind + "]" : options_.bind;
  cli::print(fmt::format("http://{}:{}/{}\n", host, web_->port(), token_.empty() ? "" : "?token=" + percent_encoded(token_)));
  reporter_.status(fmt::format("serving {}; Ctrl+C ends it", options_.scenario));
}

serve::FoxgloveOut Server::foxglove_out() {
  serve::FoxgloveOut out;
  out.text = [this](ClientId client, std::string text) { web_->send_text(client, std::move(text)); };
  out.binary = [this](ClientId client, std::string bytes) { web_->send_binary(client, std::move(bytes)); };
  out.newest = [this](ClientId client, std::uint32_t subscription, std::shared_ptr<const std::string> bytes) {
    web_->send_frame(client, std::move(bytes), subscription);
  };
  out.execute = [this](const serve::Command& command) { return execute(command); };
  return out;
}

void Server::begin_endpoints() {
  tree_->begin(run_->simulation(), session_);
  foxglove_->begin(run_->view, run_->all, fmt::format("{}-{}", server_id_, session_), options_.steps);
}

// ---- What viewers get

std::string Server::state_text() const {
  serve::LiveState state;
  state.session = session_;
  state.clock = run_->simulation().clock();
  state.pace = &*pace_;
  state.failed = run_->failed;
  state.settings = run_->script->settings().size();
  state.viewers = web_->clients();
  state.dropped = web_->dropped();
  state.waits_for = programs_->awaited();
  state.expectations = run_->live->outcomes();
  return serve::state_text(state);
}

void Server::send_all(const std::string& text) {
  for (const auto& [client, mistakes] : std::map<ClientId, int>(viewers_)) web_->send_text(client, text);
}

void Server::report(std::string_view severity, std::string_view code, const std::string& text) {
  messages_.push_back(serve::message_text(severity, code, text, run_ ? run_->simulation().clock().step : 0));
  if (web_) send_all(messages_.back());
  if (messages_.size() > kMaxMessages) messages_.pop_front();
  if (run_ && foxglove_) foxglove_->log(severity == "error" ? 4 : severity == "warning" ? 3 : 2, code, text);
}

void Server::welcome(ClientId client) {
  viewers_[client] = 0;
  web_->send_text(client, hello_text());
  for (const std::string& message : messages_) web_->send_text(client, message);
  web_->send_state(client, std::make_shared<const std::string>(state_text()));
  web_->send_frame(client, run_->live->frame());
  changed_ = true;
}

void Server::show(double at) {
  if (!tree_->empty()) tree_->show();
  if (viewers_.empty() && foxglove_->empty()) return;
  const std::int64_t step = run_->simulation().clock().step;
  if (step != shown_step_ && at - last_frame_ >= kFrameTime) {
    if (!viewers_.empty()) {
      const auto frame = run_->live->frame();
      for (const auto& [client, mistakes] : std::map<ClientId, int>(viewers_)) web_->send_frame(client, frame);
    }
    foxglove_->show(foxglove_state(), at);
    shown_step_ = step;
    last_frame_ = at;
  }
  if (changed_ || (pace_->running() && at - last_state_ >= kStateTime)) {
    const auto state = std::make_shared<const std::string>(state_text());
    for (const auto& [client, mistakes] : std::map<ClientId, int>(viewers_)) web_->send_state(client, state);
    foxglove_->show(foxglove_state(), at);
    changed_ = false;
    last_state_ = at;
  }
}

// ---- What viewers ask

bool Server::receive(ClientId client, std::string_view message, bool binary) {
  if (binary) return false;
  auto parsed = serve::parse_command(message);
  std::string problem;
  std::optional<std::int64_t> id;
  if (const auto* command = std::get_if<serve::Command>(&parsed)) {
    id = command->id;
    problem = execute(*command);
  } else {
    problem = std::get<std::string>(parsed);
    if (++viewers_[client] > kMaxMistakes) return false;
  }
  if (!problem.empty() || id) web_->send_text(client, serve::answer_text(id, problem));
  return true;
}

std::string Server::execute(const serve::Command& command) {
  const sim::Clock clock = run_->simulation().clock();
  const bool over = run_->failed;
  changed_ = true;
  switch (command.act) {
    case serve::Act::run: {
      if (over) return "the run has failed; reset begins it again";
      std::optional<std::int64_t> until;
      if (command.until) until = static_cast<std::int64_t>(std::ceil(*command.until / clock.dt - 1e-6));
      if (until && *until <= clock.step) return "this time has already passed; reset starts again";
      pace_->run(clock.step, now(), until);
      return {};
    }
    case serve::Act::pause: pace_->pause(); return {};
    case serve::Act::step:
      if (over) return "the run has failed; reset begins it again";
      pace_->advance(clock.step, command.steps);
      return {};
    case serve::Act::speed: pace_->set_speed(command.times, clock.step, now()); return {};
    case serve::Act::reset: wants_reset_ = true; return {};
    case serve::Act::open:
      if (command.scenario >= std::ssize(options_.scenarios)) return "there is no such scenario";
      wanted_ = static_cast<std::size_t>(command.scenario);
      wants_reset_ = true;
      return {};
    case serve::Act::program: {
      Offers wanted = options_.offers;
      if (std::string problem = wanted.choose(command.robot, static_cast<std::size_t>(command.program)); !problem.empty())
        return problem;
      wanted_offers_ = std::move(wanted);
      wants_reset_ = true;
      return {};
    }
    case serve::Act::set: {
      if (over) return "the run has failed; reset begins it again";
      sim::ScriptSetting setting{clock.step, command.device, command.input, command.value, {}};
      if (std::string problem = run_->script->problem_of(setting); !problem.empty()) return problem;
      // A replayed script overrides viewers until its last step.
      const auto& settings = run_->script->settings();
      if (!settings.empty() && settings.back().step > clock.step)
        return fmt::format("the script has settings until step {}", settings.back().step);
      foxglove_->has_set(command.device, command.input, command.value);
      send_all(serve::set_text(setting.step, setting.device, setting.input, setting.value));
      run_->script->add(std::move(setting));
      return {};
    }
  }
  return {};
}

// ---- The run

void Server::make_steps(std::int64_t due, double began) {
  sim::Simulation& simulation = run_->simulation();
  for (std::int64_t i = 0; i < due; ++i) {
    if (!simulation.step()) {
      if (was_interrupted_in_turn(*run_)) return;
      run_->failed = true;
      pace_->pause();
      Diagnostics problems = failure_diagnostics(simulation, options_.scenario);
      for (const Diagnostic& each : problems.items()) report("error", each.code, each.message);
      for (const Diagnostic& each : problems.items()) reporter_.status("the run has failed: " + each.message);
      changed_ = true;
      return;
    }
    run_->recorder->record();
    if (now() - began > kMaxWork) break;
  }
  report_broken();
  pace_->reached(simulation.clock().step, now());
  changed_ = changed_ || !pace_->running();
}

void Server::report_broken() {
  const auto& entries = run_->view.built.expectations->entries();
  broken_.resize(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (broken_[i]) continue;
    const expect::Outcome outcome = entries[i].monitor.outcome();
    if (outcome.verdict != expect::Verdict::fails) continue;
    broken_[i] = true;
    report("error", expect::code::kFails.name, simbatch::quoted(entries[i].expectation.name) + " " + describe(outcome));
  }
}

void Server::choose(std::size_t scenario) {
  wanted_ = options_.choice.chosen = scenario;
  options_.scenario = options_.scenarios[scenario];
}

void Server::reset() {
  wants_reset_ = false;
  ExitCode exit = ExitCode::ok;
  messages_.clear();
  broken_.clear();
  pace_->pause();
  run_.reset();  // its programs must end before the next ones start
  const std::size_t before = options_.choice.chosen;
  const Offers offers_before = options_.offers;
  const bool is_other = wanted_ != before || wanted_offers_ != offers_before;
  options_.offers = wanted_offers_;
  choose(wanted_);
  run_ = new_run(exit);
  if (!run_ && is_other) {
    report("error", "",
           "the scenario " + simbatch::quoted(options_.scenario) + " cannot be built; simrun's own messages say why");
    reporter_.forgive();
    options_.offers = wanted_offers_ = offers_before;
    choose(before);
    run_ = new_run(exit);
  }
  if (!run_) return;
  ++session_;
  pace_.emplace(run_->simulation().clock().dt);
  pace_->set_speed(options_.speed, 0, now());
  shown_step_ = -1;
  changed_ = true;
  send_all(hello_text());
  begin_endpoints();
}

void Server::loop() {
  while (!cli::interrupted() && run_) {
    const std::int64_t step = run_->simulation().clock().step;
    if (options_.steps && (step >= *options_.steps || run_->failed)) return;
    const double began = now();
    std::int64_t due = pace_->due(step, began);
    if (options_.steps) due = std::min(due, *options_.steps - step);
    // Programs that have to connect are awaited here, without a time limit, while viewers are served.
    if (due > 0 && !programs_->awaited().empty()) {
      web_->wait(kWaitTime);
    } else if (due > 0) {
      make_steps(due, began);
      web_->poll();
    } else {
      web_->wait(pace_->seconds_to_next(step, began));
    }
    if (wants_reset_) reset();
    if (run_) show(now());
  }
}

void Server::finish() {
  const sim::Clock clock = run_->simulation().clock();
  const std::string written = save(*run_, options_);
  reporter_.status(fmt::format("{} {} steps of {} s, {:.6g} s simulated, {} settings from outside; state hash {}{}",
                               run_->failed ? "failed after" : "complete", clock.step, number_text(clock.dt), clock.time,
                               run_->script->settings().size(), hex64(run_->simulation().state_hash()), written));
}

ExitCode Server::serve() {
  const std::string file = page_template_path();
  if (file.empty()) {
    Diagnostics problem(options_.scenario);
    problem.report(code::kNoPage, {}, "share/simbatch/replay.html is missing; build simbatch where npm is installed");
    reporter_.show(std::move(problem));
    return reporter_.finish(ExitCode::input);
  }
  template_ = std::string(Input::open(file).text());
  if (!report_isolation(options_.programs, options_.scenario, reporter_)) return reporter_.finish();
  ExitCode exit = ExitCode::input;
  options_.offers = wanted_offers_ = Offers(options_.offered, options_.programs.allow);
  open_endpoints();
  // Starts with the first scenario that can be built: others may need programs that are not permitted.
  for (std::size_t i = 0; !run_ && i < options_.scenarios.size() && exit != ExitCode::usage && !cli::interrupted(); ++i) {
    choose(i);
    run_ = new_run(exit);
  }
  if (!run_) return reporter_.finish(exit);
  reporter_.forgive();
  check_patterns(options_.scenario, options_.devices, run_->simulation().tree(), reporter_);
  if (reporter_.failed()) return reporter_.finish();
  if (!options_.trace.empty())  // find out now whether it can be written, without leaving a file
    (void)trace::make_writer(trace_format(options_.format, options_.trace), options_.trace, run_->rows->trace().header,
                             trace::Lines::at_the_end);
  pace_.emplace(run_->simulation().clock().dt);
  pace_->set_speed(options_.speed, 0, now());
  cli::handle_interrupts_by_polling();
  begin_endpoints();
  print_addresses();
  if (options_.run) pace_->run(0, now());
  loop();
  cli::take_interrupt();
  web_.reset();
  if (!run_) return reporter_.finish(ExitCode::input);
  finish();
  if (run_->failed && run_->simulation().failure()) reporter_.show(failure_diagnostics(run_->simulation(), options_.scenario));
  return reporter_.finish();
}

}  // namespace

void add_serve(cli::Command& program) {
  cli::Command& command = program.add("serve", "Run a scenario while people watch and steer it in their browsers");
  auto& o = command.keep<ServeOptions>();
  command
      .positional("SCENARIO", o.paths,
                  "Scenario files, GraspIt! worlds, CajunBot object files, or folders with scenarios, to choose from")
      .required();
  command.group("Network");
  command.option("--port", "N", o.port, "Port to listen on (0: any free port)").range(0, 65535).show_default();
  command.option("--bind", "ADDRESS", o.bind, "Numeric address to listen on; any but this machine's own need a token")
      .show_default();
  command.option("--origin", "URL", o.origins, "Also accept this page, like https://app.foxglove.dev; may be repeated");
  command.group("Run");
  command.flag("--run", o.run, "Start running immediately instead of waiting for a viewer");
  command.option("--speed", "X", o.speed, "Multiple of real time (0: as fast as possible)").range(0, 1000).show_default();
  command.option("-n,--steps", "N", o.steps, "End after this number of steps").range(0, kMaxSteps);
  add_clock_options(command, o.dt, o.seed);
  command.option("--script", "FILE", o.script, "Replay the settings of a script, before those of viewers");
  add_file_options(command, o.files);
  add_program_options(command, o.programs);
  const auto offer = [](std::string_view word) -> std::optional<Offer> {
    auto pair = read_pair(word);
    if (!pair || !is_controller(pair->second)) return std::nullopt;
    return Offer{std::move(pair->first), std::move(pair->second)};
  };
  command.option("--offer", "ROBOT=PROGRAM", {o.offered, offer, "ROBOT=LIBRARY.so, or ROBOT=COMMAND as for --controller"},
                 "Let viewers choose this program for the robot; the first one is used initially; may be repeated");
  add_expect_option(command, o.expectations, "Also expect this, or everything in a file; may be repeated");
  command.group("Output");
  command.option("-o,--trace", "FILE", o.trace, "Write a trace at the end, which a batch run repeats; - is standard output");
  add_format_options(command, o.format, o.compression);
  command.option("--save-script", "FILE", o.save_script, "Write what was set, for --script, at the end");
  command.option("--every", "M", o.every, "Write a row every M steps").range(1, kMaxSteps).show_default();
  command.option("--hash-every", "M", o.hash_every, "Write a state hash every M steps (0: none)")
      .range(0, kMaxSteps)
      .show_default();
  command.option("--devices", "GLOB", o.devices, "Only nodes whose full name matches (* and ?), in the trace; may be repeated");
  command.check([&o] { return serve_problem(o); });
  command.examples({"simrun serve scenarios/circle_town/scenario.xml",
                    "simrun serve scenarios/first_drive scenarios/circle_town",
                    "simrun serve my_car/scenario.xml --run -o run.json --save-script edits.xml",
                    "simrun serve my_car/scenario.xml --controller car=ws",
                    "simrun serve my_car/scenario.xml --offer car='python3 my_car/drive.py' --offer car=ws"});
  command.run([&o](cli::Reporter& reporter) {
    if (const std::string problem = find_scenarios(o); !problem.empty()) {
      cli::print_error("simrun: " + problem);
      return reporter.finish(ExitCode::usage);
    }
    return Server(o, reporter).serve();
  });
}

}  // namespace simbatch::simrun
