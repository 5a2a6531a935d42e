// Reads a synthetic city with our reader and with libosmium, in the same run, and prints how many times as fast ours is.
//   osm [--megabytes N] [--rounds N] [--folder DIR] [--keep] [--osmgen PROGRAM MAP_FOLDER]
// With --osmgen (the program, and a folder with setup.xml and houses.xml): also the whole run of osmgen, reading, placing and
// writing, with --style rows and with the default rules, against `osmium cat` from XML to XML, each in a process of its own; on
// three cities: one like newer maps of real towns, one in their middle, and one that is nothing but streets, the worst case for
// osmgen (bench/osm_city.hpp). Every round runs every reader or program once, in an order that the round decides; the sums show
// that all readers saw the same map. The checksum is of these sums, and of what osmgen wrote for each city in each style.
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <osmium/io/reader.hpp>
#include <osmium/io/xml_input.hpp>
#include <osmium/osm.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"
#include "bench/bench.hpp"
#include "bench/osm_city.hpp"
#include "formats/osm/read.hpp"

namespace {

using namespace simbatch;

struct Sums {
  std::uint64_t nodes = 0, ways = 0, refs = 0, lat = 0;
  friend bool operator==(const Sums&, const Sums&) = default;
};

struct Method {
  const char* name;
  std::function<Sums(const std::string&)> run;
  std::vector<double> wall, cpu;
};

Sums ours(const std::string& file, osm::ReadOptions options) {
  const auto read = osm::read_file(file, options);
  Sums sums;
  if (!read.value) return sums;
  const osm::Model& m = read.value->model;
  sums = {m.node_count(), m.ways.size(), m.refs.size(), 0};
  for (const osm::LatLon& at : m.node_positions) sums.lat += static_cast<std::uint64_t>(at.lat_e7);
  std::fprintf(stderr, "  own memory %.1f bytes a node\n",
               static_cast<double>(m.memory()) / static_cast<double>(m.node_count()));
  return sums;
}

std::uint64_t hash_of(const Sums& sums) {
  StateHash hash;
  for (const std::uint64_t sum : {sums.nodes, sums.ways, sums.refs, sums.lat}) hash.add(sum);
  return hash.value();
}

constexpr std::string_view kOther = "libosmium";
Sums libosmium(const std::string& file) {
  Sums sums;
  osmium::io::Reader reader(file);
  while (const osmium::memory::Buffer buffer = reader.read()) {
    for (const auto& object : buffer.select<osmium::OSMObject>()) {
      if (object.type() == osmium::item_type::node) {
        ++sums.nodes;
        sums.lat += static_cast<std::uint64_t>(static_cast<const osmium::Node&>(object).location().y());
      } else if (object.type() == osmium::item_type::way) {
        ++sums.ways;
        sums.refs += static_cast<const osmium::Way&>(object).nodes().size();
      }
    }
  }
  reader.close();
  return sums;
}

double cpu_now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Cost {
  double wall = -1, cpu = 0;  ///< s; wall is -1 when the program failed
  double own = 0;             ///< greatest anonymous memory seen (bytes), if it was watched
};

/// Runs a program with its output thrown away.
/// @param watch  looks at its memory every millisecond: what it allocated, without mapped files. Takes time of its own
Cost run_program(std::vector<std::string> words, bool watch) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", 1, 0);
  Cost cost;
  const auto start = std::chrono::steady_clock::now();
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return cost;
  int status = 0;
  rusage usage{};
  pid_t ended = 0;
  while (watch && (ended = ::wait4(pid, &status, WNOHANG, &usage)) == 0) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(file, line);)
      if (line.rfind("RssAnon:", 0) == 0) cost.own = std::max(cost.own, 1024 * std::strtod(line.c_str() + 8, nullptr));
    ::usleep(1000);
  }
  if (!watch) ended = ::wait4(pid, &status, 0, &usage);
  if (ended != pid || status != 0) return cost;
  cost.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto seconds = [](timeval t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  cost.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  return cost;
}

using bench::median;
using bench::minimum;

double size_of(const std::string& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 ? static_cast<double>(status.st_size) : 0;
}

/// Makes the city if it is not there. @return its file
std::string city_file(bench::CityKind kind, std::uint64_t megabytes, const std::string& folder) {
  std::string file = folder + "/simbatch-" + std::string(to_text(kind)) + "-" + std::to_string(megabytes) + ".osm";
  if (size_of(file) == 0) {
    AtomicFile out(file);
    bench::City::make(kind, 1, megabytes * 1'000'000, [&out](std::string_view piece) { out.write(piece); });
    out.commit();
  }
  return file;
}

/// A program that is timed: osmgen in one of its styles, or osmium.
struct Timed {
  std::string name;
  std::vector<std::string> words;
  std::vector<double> wall = {}, cpu = {};  ///< s, by round
  std::string output = {};                  ///< a name for what it writes; empty: not ours
};

/// Times the programs once a round, in an order that turns. @return false when one of them failed
bool time_programs(std::vector<Timed>& programs, const std::string& out, int rounds, bench::Checksum& checksum) {
  for (int round = 0; round < rounds; ++round)
    for (std::size_t turn = 0; turn < programs.size(); ++turn) {
      Timed& timed = programs[(static_cast<std::size_t>(round) + turn) % programs.size()];
      std::remove(out.c_str());
      const Cost cost = run_program(timed.words, false);
      if (cost.wall < 0) {
        std::fprintf(stderr, "%s failed or is not installed\n", timed.words[0].c_str());
        return false;
      }
      timed.wall.push_back(cost.wall);
      timed.cpu.push_back(cost.cpu);
      if (!timed.output.empty()) checksum.add(timed.output, bench::hash_of_file(out));
    }
  return true;
}

/// The median of the ratios of each round: what else the machine does slows both of a round down.
double paired_ratio(const std::vector<double>& ours, const std::vector<double>& theirs) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours.size(); ++i) ratios.push_back(ours[i] / theirs[i]);
  return median(ratios);
}

/// osmgen in both styles against osmium cat. @return false when one of them failed
bool compare_osmgen(bench::CityKind kind, const std::string& file, const std::string& folder, const std::string& program,
                    const std::string& map, int rounds, bench::Checksum& checksum) {
  const std::string out = folder + "/simbatch-city-out.osm";
  const auto count = [](const std::string& name) {
    const auto read = osm::read_file(name, {.keep_keys = {"-"}, .locate_key = {}});
    return read.value ? static_cast<double>(read.value->model.node_count()) : 0.0;
  };
  const auto osmgen = [&](const char* style) {
    const std::vector<std::string> words{program,
                                         file,
                                         "-o",
                                         out,
                                         "--setup",
                                         map + "/setup.xml",
                                         "--houses",
                                         map + "/houses.xml",
                                         "--style",
                                         style,
                                         "--street-distance",
                                         "12",
                                         "--house-distance",
                                         "6",
                                         "-q"};
    return Timed{.name = style, .words = words, .output = std::string(to_text(kind)) + " " + style};
  };
  std::vector<Timed> programs{
      osmgen("rows"), osmgen("places"), {"osmium cat", {"osmium", "cat", "--no-progress", file, "-o", out}}};
  if (!time_programs(programs, out, rounds, checksum)) return false;
  const double nodes = count(file);
  std::printf("%-6s %7.1f MB, %9.0f nodes\n", std::string(to_text(kind)).c_str(), size_of(file) / 1e6, nodes);
  const Timed& cat = programs.back();
  for (const Timed& timed : programs) {
    std::printf("  %-10s  wall %.3f s, median %.3f s; processor time %.3f s, median %.3f s\n", timed.name.c_str(),
                minimum(timed.wall), median(timed.wall), minimum(timed.cpu), median(timed.cpu));
    if (&timed == &cat) continue;
    std::remove(out.c_str());
    const double own = run_program(timed.words, true).own, houses = count(out) - nodes;
    checksum.add(timed.output, bench::hash_of_file(out));
    std::printf(
        "              of osmium cat's: wall %.2f, processor time %.2f; %.2f houses a node, output %.2f times the input, own "
        "memory %.1f bytes a node\n",
        paired_ratio(timed.wall, cat.wall), paired_ratio(timed.cpu, cat.cpu), houses / nodes, size_of(out) / size_of(file),
        own / nodes);
  }
  std::remove(out.c_str());
  return true;
}

struct Settings {
  std::uint64_t megabytes = 100;
  int rounds = 5;
  std::string folder = "/dev/shm";
  bool keep = false;
  std::string only, program, map;
};

bool read_settings(int argc, char** argv, Settings& s) {
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "--megabytes" && i + 1 < argc) {
      s.megabytes = std::strtoull(argv[++i], nullptr, 10);
    } else if (a == "--rounds" && i + 1 < argc) {
      s.rounds = std::atoi(argv[++i]);
    } else if (a == "--folder" && i + 1 < argc) {
      s.folder = argv[++i];
    } else if (a == "--only" && i + 1 < argc) {
      s.only = argv[++i];
    } else if (a == "--keep") {
      s.keep = true;
    } else if (a == "--osmgen" && i + 2 < argc) {
      s.program = argv[++i];
      s.map = argv[++i];
    } else {
      std::fprintf(
          stderr,
          "usage: osm [--megabytes N] [--rounds N] [--folder DIR] [--only NAME] [--keep] [--osmgen PROGRAM MAP_FOLDER]\n");
      return false;
    }
  }
  return true;
}

/// Times every reader on the file, in another order each round. False if two readers saw different maps.
bool time_readers(const Settings& s, const std::string& file, std::vector<Method>& methods, Sums& expected,
                  bench::Checksum& checksum) {
  for (int round = 0; round < s.rounds; ++round) {
    std::vector<std::size_t> order(methods.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    RandomStream random(static_cast<std::uint64_t>(round), "order");
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    for (const std::size_t i : order) {
      Method& m = methods[i];
      if (!s.only.empty() && s.only != m.name) continue;
      const double cpu = cpu_now();
      const auto start = std::chrono::steady_clock::now();
      const Sums sums = m.run(file);
      m.wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      m.cpu.push_back(cpu_now() - cpu);
      if (expected.nodes == 0) expected = sums;
      if (!(sums == expected)) {
        std::fprintf(stderr, "%s saw another map\n", m.name);
        return false;
      }
      if (m.name != kOther) checksum.add("read", hash_of(sums));
    }
  }
  return true;
}

void print_readers(const std::vector<Method>& methods, double megabytes) {
  std::printf("%-12s %8s %8s %8s %8s %10s %10s\n", "reader", "min s", "median s", "cpu s", "MB/s", "wall ratio", "cpu ratio");
  const Method& base = methods.back();
  for (const Method& m : methods) {
    if (m.wall.empty()) continue;
    const double wall = median(m.wall), cpu = median(m.cpu);
    std::printf("%-12s %8.3f %8.3f %8.3f %8.0f %10.2f %10.2f\n", m.name, minimum(m.wall), wall, cpu, megabytes / wall,
                base.wall.empty() ? 0 : median(base.wall) / wall, base.cpu.empty() ? 0 : median(base.cpu) / cpu);
  }
}

}  // namespace

int main(int argc, char** argv) {
#ifndef NDEBUG
  std::fprintf(stderr, "build this with the preset release\n");
  return 1;
#endif
  Settings s;
  if (!read_settings(argc, argv, s)) return 2;
  bench::print_head(argc, argv,
                    "wall and processor time; minimum and median of " + std::to_string(s.rounds) + " rounds in turns");
  const std::string file = city_file(bench::CityKind::town, s.megabytes, s.folder);
  const double size = size_of(file) / 1e6;

  osm::ReadOptions placing;  // what osmgen needs
  placing.keep_keys = {"highway", "building", "landuse", "natural", "waterway", "railway",
                       "bridge",  "tunnel",   "layer",   "area",    "type",     "fileType"};
  placing.locate_key = "simbatch:generated";
  std::vector<Method> methods = {{"ours", [](const std::string& f) { return ours(f, {}); }, {}, {}},
                                 {"ours-keys", [&](const std::string& f) { return ours(f, placing); }, {}, {}},
                                 {kOther.data(), libosmium, {}, {}}};
  Sums expected;
  bench::Checksum checksum;
  if (!time_readers(s, file, methods, expected, checksum)) return 1;
  std::printf("%.1f MB, %llu nodes, %llu ways, %d rounds\n", size, static_cast<unsigned long long>(expected.nodes),
              static_cast<unsigned long long>(expected.ways), s.rounds);
  print_readers(methods, size);
  bool good = true;
  if (!s.program.empty()) {
    for (const bench::CityKind kind : {bench::CityKind::mapped, bench::CityKind::town, bench::CityKind::bare}) {
      const std::string city = city_file(kind, s.megabytes, s.folder);
      good = good && compare_osmgen(kind, city, s.folder, s.program, s.map, s.rounds, checksum);
      if (!s.keep && kind != bench::CityKind::town) std::remove(city.c_str());
    }
  }
  if (!s.keep) std::remove(file.c_str());
  return good ? checksum.finish(s.program.empty() ? "what ours read" : "what ours read, and what osmgen wrote") : 1;
}
