// Reads a synthetic city with our reader and with libosmium, in the same run, and prints how many times as fast ours is.
//   osm [--megabytes N] [--rounds N] [--folder DIR] [--keep] [--osmgen PROGRAM MAP_FOLDER]
// With --osmgen (the program, and a folder with setup.xml and houses.xml): also the whole run of osmgen, reading, placing and
// writing, against `osmium cat` from XML to XML, each in a process of its own.
// Every round runs every reader once, in an order shuffled by the round; the sums show that all saw the same map.
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
#include <functional>
#include <osmium/io/reader.hpp>
#include <osmium/io/xml_input.hpp>
#include <osmium/osm.hpp>
#include <string>
#include <vector>

#include "bench/osm_city.hpp"
#include "formats/osm/read.hpp"
#include "lib/base/atomic_file.hpp"
#include "lib/base/input.hpp"

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
  std::fprintf(stderr, "  own memory %.1f bytes a node\n", static_cast<double>(m.memory()) / static_cast<double>(m.node_count()));
  return sums;
}

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

/// Runs a program with its output thrown away. @return wall time in s, or -1; peak memory in bytes
double run_program(std::vector<std::string> words, double& peak) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", 1, 0);
  const auto start = std::chrono::steady_clock::now();
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  rusage usage{};
  if (error != 0 || ::wait4(pid, &status, 0, &usage) != pid || status != 0) return -1;
  peak = static_cast<double>(usage.ru_maxrss) * 1024;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
#ifndef NDEBUG
  std::fprintf(stderr, "build this with the preset release\n");
  return 1;
#endif
  std::uint64_t megabytes = 100;
  int rounds = 5;
  std::string folder = "/dev/shm";
  bool keep = false;
  std::string only, program, map;
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "--megabytes" && i + 1 < argc) megabytes = std::strtoull(argv[++i], nullptr, 10);
    else if (a == "--rounds" && i + 1 < argc) rounds = std::atoi(argv[++i]);
    else if (a == "--folder" && i + 1 < argc) folder = argv[++i];
    else if (a == "--only" && i + 1 < argc) only = argv[++i];
    else if (a == "--keep") keep = true;
    else if (a == "--osmgen" && i + 2 < argc) {
      program = argv[++i];
      map = argv[++i];
    }
    else {
      std::fprintf(stderr, "usage: osm [--megabytes N] [--rounds N] [--folder DIR] [--only NAME] [--keep] [--osmgen PROGRAM MAP_FOLDER]\n");
      return 2;
    }
  }
  const std::string file = folder + "/simbatch-city-" + std::to_string(megabytes) + ".osm";
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    AtomicFile out(file);
    bench::City::make(1, megabytes * 1'000'000, [&out](std::string_view piece) { out.write(piece); });
    out.commit();
    ::stat(file.c_str(), &status);
  }
  const double size = static_cast<double>(status.st_size) / 1e6;

  osm::ReadOptions placing;  // what osmgen needs
  placing.keep_keys = {"highway", "building", "landuse", "natural", "waterway", "railway", "bridge", "tunnel", "layer", "area", "type", "fileType"};
  placing.locate_key = "simbatch:generated";
  std::vector<Method> methods = {{"ours", [](const std::string& f) { return ours(f, {}); }, {}, {}},
                                 {"ours-keys", [&](const std::string& f) { return ours(f, placing); }, {}, {}},
                                 {"libosmium", libosmium, {}, {}}};
  Sums expected;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::size_t> order(methods.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    RandomStream random(static_cast<std::uint64_t>(round), "order");
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    for (const std::size_t i : order) {
      Method& m = methods[i];
      if (!only.empty() && only != m.name) continue;
      const double cpu = cpu_now();
      const auto start = std::chrono::steady_clock::now();
      const Sums sums = m.run(file);
      m.wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      m.cpu.push_back(cpu_now() - cpu);
      if (expected.nodes == 0) expected = sums;
      if (!(sums == expected)) {
        std::fprintf(stderr, "%s saw another map\n", m.name);
        return 1;
      }
    }
  }
  std::printf("%.1f MB, %llu nodes, %llu ways, %d rounds\n", size, static_cast<unsigned long long>(expected.nodes),
              static_cast<unsigned long long>(expected.ways), rounds);
  std::printf("%-12s %8s %8s %8s %8s %10s %10s\n", "reader", "min s", "median s", "cpu s", "MB/s", "wall ratio", "cpu ratio");
  const Method& base = methods.back();
  for (const Method& m : methods) {
    if (m.wall.empty()) continue;
    const double wall = median(m.wall), cpu = median(m.cpu);
    std::printf("%-12s %8.3f %8.3f %8.3f %8.0f %10.2f %10.2f\n", m.name, *std::min_element(m.wall.begin(), m.wall.end()), wall, cpu,
                size / wall, base.wall.empty() ? 0 : median(base.wall) / wall, base.cpu.empty() ? 0 : median(base.cpu) / cpu);
  }
  if (!program.empty()) {
    const std::string out = folder + "/simbatch-city-out.osm";
    std::vector<double> ours_wall, theirs_wall;
    double peak = 0, other = 0;
    for (int round = 0; round < rounds; ++round) {
      for (int turn = 0; turn < 2; ++turn) {
        const bool is_ours = (round + turn) % 2 == 0;
        std::remove(out.c_str());
        const double wall =
            is_ours ? run_program({program, file, "-o", out, "--setup", map + "/setup.xml", "--houses", map + "/houses.xml", "-q"}, peak)
                    : run_program({"osmium", "cat", "--no-progress", file, "-o", out}, other);
        if (wall < 0) {
          std::fprintf(stderr, "%s failed or is not installed\n", is_ours ? program.c_str() : "osmium");
          return 1;
        }
        (is_ours ? ours_wall : theirs_wall).push_back(wall);
      }
    }
    std::remove(out.c_str());
    std::printf("osmgen %.3f s, osmium cat %.3f s (medians): ratio %.2f; osmgen's peak %.0f MB, without the mapped file %.1f bytes a node\n",
                median(ours_wall), median(theirs_wall), median(ours_wall) / median(theirs_wall), peak / 1e6,
                (peak - size * 1e6) / static_cast<double>(expected.nodes));
  }
  if (!keep) std::remove(file.c_str());
  return 0;
}
