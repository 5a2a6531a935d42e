// Traces in every form against JSON, in the same run: bytes, what writing costs beside the simulation, how long it takes to
// load one.
//
//   traces [--cars 100] [--seconds 60] [--minutes 10] [--rounds 3] [--folder .]
//
// Two worlds: that of bench/vehicles with 8 devices a car (--cars, --seconds), where each form is written while the cars drive,
// and the same run without one is subtracted; and scenarios/circle_town (--minutes), whose rows are kept in memory, and written
// from there. Times to write are processor time of all threads, and that of the thread that simulates alone, which is what a
// run takes longer where another processor is free; to load, what a user waits for. Files go to --folder and are deleted. The
// checksum is of the states, the files, and the rows that were loaded, which have to be the same from every form.

#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/core/hash.hpp"
#include "base/core/input.hpp"
#include "bench/bench.hpp"
#include "bench/vehicle_devices.hpp"
#include "formats/trace/collect.hpp"
#include "formats/trace/read.hpp"
#include "formats/trace/write.hpp"
#include "lib/scenario/build.hpp"
#include "lib/sim/record/recorded_trace.hpp"
#include "lib/sim/record/recorder.hpp"
#include "lib/sim/record/recording.hpp"
#include "lib/sim/record/run.hpp"

using namespace simbatch;

namespace {

struct Form {
  const char* name;
  trace::Format format;
  const char* suffix;
  bool reads;
};
constexpr Form kForms[] = {
    {"JSON", trace::Format::json, ".json", true},       {"JSON zstd", trace::Format::json, ".json.zst", true},
    {"NDJSON", trace::Format::ndjson, ".ndjson", true}, {"wide CSV", trace::Format::wide, ".wide.csv", false},
    {"MCAP", trace::Format::mcap, ".mcap", true},       {"Parquet", trace::Format::parquet, ".parquet", true},
    {"NPZ", trace::Format::npz, ".npz", false},         {"MAT", trace::Format::mat, ".mat", false}};

struct Figures {
  double bytes = 0;
  std::vector<double> writes;  // s of all threads, of each round
  std::vector<double> own;     // s of the thread that simulates
  std::vector<double> reads;   // s; none: it cannot be read
};

double own_seconds() { return bench::detail::seconds_of(CLOCK_THREAD_CPUTIME_ID); }

struct Cost {
  double all = 0, own = 0;  // s
};
Cost cost_of(const std::function<void()>& work) {
  const double all = bench::cpu_seconds(), own = own_seconds();
  work();
  return {bench::cpu_seconds() - all, own_seconds() - own};
}

std::string path_of(const Form& form, const std::string& folder) { return folder + "/bench-trace" + form.suffix; }

std::uint64_t hash_of_rows(const std::optional<trace::Trace>& trace) {
  StateHash hash;
  if (!trace) return hash.value();
  for (const std::int64_t step : trace->steps) hash.add(static_cast<std::uint64_t>(step));
  for (const auto& device : trace->columns)
    for (const trace::Column& column : device) {
      hash.add(column.numbers);
      for (const std::string& text : column.texts) hash.add(text);
    }
  return hash.value();
}

/// @param world  names the work
void read_back(const Form& form, const std::string& path, const std::string& world, Figures& figures,
               bench::Checksum& checksum) {
  if (form.reads) {
    trace::ReadTrace read;
    figures.reads.push_back(bench::seconds_of(bench::wall_seconds, [&] { read = trace::read_trace(path); }));
    if (!read.trace.value) std::printf("# %s cannot be read back\n", form.name);
    checksum.add(world + " rows", hash_of_rows(read.trace.value));
  }
  checksum.add(world + " " + form.name, bench::hash_of_file(path));
}

void head() {
  std::printf(
      "form,MB,percent_of_JSON,write_seconds_min,write_seconds_median,percent_of_run,percent_in_its_thread,load_seconds_min,"
      "load_seconds_median\n");
}

void show(const char* name, const Figures& figures, double json, double run) {
  const double write = bench::minimum(figures.writes);
  std::printf("%s,%.2f,%.1f,%.3f,%.3f,%.1f,%.1f,", name, figures.bytes / 1e6, 100 * figures.bytes / json, write,
              bench::median(figures.writes), 100 * write / run, 100 * bench::minimum(figures.own) / run);
  if (figures.reads.empty())
    std::printf(",\n");
  else
    std::printf("%.3f,%.3f\n", bench::minimum(figures.reads), bench::median(figures.reads));
  std::fflush(stdout);
}

/// Cars with devices: each form while they drive, and the same run without one.
void cars(int count, double seconds, const std::string& folder, int rounds, bench::Checksum& checksum) {
  constexpr double kStep = 1.0 / 240;
  const bench::VehicleWorld world = bench::make_vehicle_world(count);
  const int steps = static_cast<int>(seconds / kStep);
  const auto run = [&](const Form* form) {
    bench::WholeLoop loop(world, kStep, bench::Recording::none);
    const auto writer = form != nullptr ? trace::make_writer(form->format, path_of(*form, folder), loop.header()) : nullptr;
    if (writer) loop.leave_texts_to(*writer);
    const Cost cost = cost_of([&] {
      for (int i = 0; i < steps; ++i) {
        loop.step(i);
        if (writer) loop.row_to(*writer);
      }
      if (writer) writer->finish({});
    });
    checksum.add("cars", loop.state_hash());
    return cost;
  };
  std::vector<double> bare;
  std::vector<Figures> figures(std::size(kForms));
  for (int round = 0; round < rounds; ++round) {
    bare.push_back(run(nullptr).all);
    for (std::size_t f = 0; f < std::size(kForms); ++f) {
      const std::string path = path_of(kForms[f], folder);
      const Cost cost = run(&kForms[f]);
      figures[f].writes.push_back(cost.all);
      figures[f].own.push_back(cost.own);
      figures[f].bytes = static_cast<double>(std::filesystem::file_size(path));
      read_back(kForms[f], path, "cars", figures[f], checksum);
      std::filesystem::remove(path);
    }
  }
  const double simulation = bench::minimum(bare);
  std::printf("# %d cars for %g s: %d rows, written while they drive; %.2f s to simulate\n", count, seconds, steps, simulation);
  head();
  for (std::size_t f = 0; f < std::size(kForms); ++f) {
    for (double& time : figures[f].writes) time -= simulation;
    for (double& time : figures[f].own) time -= simulation;
    show(kForms[f].name, figures[f], figures[0].bytes, simulation);
  }
}

/// All forms of a trace in memory. @param run  processor time of the simulation without a trace (s)
double show_forms(const trace::Trace& trace, double run, const std::string& folder, int rounds, bench::Checksum& checksum) {
  double json = 0;
  head();
  for (const Form& form : kForms) {
    const std::string path = path_of(form, folder);
    Figures figures;
    for (int round = 0; round < rounds; ++round) {
      const Cost cost = cost_of([&] {
        const auto writer = trace::make_writer(form.format, path, trace.header, trace::Lines::at_the_end);
        trace::write_trace(trace, *writer);
      });
      figures.writes.push_back(cost.all);
      figures.own.push_back(cost.own);
      read_back(form, path, "town", figures, checksum);
    }
    figures.bytes = static_cast<double>(std::filesystem::file_size(path));
    std::filesystem::remove(path);
    if (json == 0) json = figures.bytes;
    show(form.name, figures, json, run);
  }
  return json;
}

/// circle_town, also as a recording.
void town(double minutes, const std::string& folder, int rounds, bench::Checksum& checksum) {
  auto built = scenario::build_scenario(SIMBATCH_SOURCE_DIR "/scenarios/circle_town/scenario.xml");
  if (!built.value) return void(std::printf("# circle_town cannot be built\n"));
  sim::Simulation& simulation = *built.value->simulation;
  const double dt = simulation.settings().physics.dt;
  const sim::RunPlan plan{static_cast<std::int64_t>(60 * minutes / dt), 1, 100};
  trace::Header header = sim::trace_header(simulation, plan);
  header.scenario = "scenario.xml";
  const std::string path = folder + "/bench-trace.rec";
  sim::RunOutputs outputs;
  outputs.nodes = sim::traced_nodes(simulation.tree(), {});
  header.devices = sim::trace_devices(outputs.nodes);
  trace::Collector collector(header);
  outputs.writer = &collector;
  trace::End end;
  const double run = bench::seconds_of(
      bench::cpu_seconds, [&] { end = sim::run_simulation(simulation, plan, outputs, [](std::int64_t) { return true; }); });
  collector.finish(end);
  checksum.add("town", end.state_hash);
  checksum.add("town rows", hash_of_rows(collector.trace()));
  std::printf("# circle_town for %g minutes: %zu rows, %.1f s to simulate and keep\n", minutes, collector.trace().steps.size(),
              run);
  const double json = show_forms(collector.trace(), run, folder, rounds, checksum);
  // The same run again, written to a recording only.
  auto again = scenario::build_scenario(SIMBATCH_SOURCE_DIR "/scenarios/circle_town/scenario.xml");
  sim::RecordingWriter frames(path, again.value->simulation->tree(), {"scenario.xml", header.seed, dt, 1, 0, 0}, header);
  sim::RunOutputs only;
  only.recording = &frames;
  const double with = bench::seconds_of(bench::cpu_seconds, [&] {
    frames.finish(end = sim::run_simulation(*again.value->simulation, plan, only, [](std::int64_t) { return true; }));
  });
  checksum.add("town", end.state_hash);
  checksum.add("town recording", bench::hash_of_file(path));
  Figures figures{
      static_cast<double>(std::filesystem::file_size(path)), {std::max(0.0, with - run)}, {std::max(0.0, with - run)}, {}};
  for (int round = 0; round < rounds; ++round) {
    std::optional<trace::Trace> read;
    figures.reads.push_back(bench::seconds_of(bench::wall_seconds, [&] {
      const Input input = Input::open(path);
      const auto view = sim::read_recording(input.text(), path);
      if (view.value) read = sim::trace_of(*view.value, path).value;
    }));
    if (!read) std::printf("# the recording cannot be read back\n");
    checksum.add("town rows", hash_of_rows(read));
  }
  show("recording", figures, json, run);
  std::filesystem::remove(path);
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Options options(argc, argv, {"--cars", "--seconds", "--minutes", "--rounds", "--folder"});
  const int rounds = options.whole("--rounds", 3);
  const std::string folder = options.text("--folder", ".");
  bench::print_head(argc, argv,
                    "processor time to write, wall time to load; minimum and median of " + std::to_string(rounds) + " rounds");
  bench::Checksum checksum;
  cars(options.whole("--cars", 100), options.number("--seconds", 60), folder, rounds, checksum);
  town(options.number("--minutes", 10), folder, rounds, checksum);
  std::printf("# peak memory %.0f MB, with the rows kept for the comparison\n", bench::peak_bytes() / 1e6);
  return checksum.finish("states, files and rows loaded");
}
