/// Version 1 object files to version 2, as objconv does it: MB/s of input and peak memory, against a plain copy of the file's
/// bytes. Usage: objconv [objects=200000]. The files are made from a seed and deleted afterwards: one of bare values, one
/// commented as the reference's sample (and our writer) does; their checksums, of version 2 as written, have to be the same.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/core/atomic_file.hpp"
#include "base/core/hash.hpp"
#include "base/core/input.hpp"
#include "base/core/random.hpp"
#include "bench/bench.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "lib/traffic/versions.hpp"

namespace {

using namespace simbatch;

std::string make(std::size_t count) {
  RandomStream random(1, "bench");
  cajunbot::ObjectFile file;
  std::string out = std::to_string(count) + " // number of objects\n";
  for (std::size_t i = 0; i < count; ++i) {
    cajunbot::Object o;
    o.type = static_cast<cajunbot::Type>(1 + random.below(2));
    o.id = static_cast<std::int32_t>(i + 1);
    o.start = {1, 1, static_cast<std::int32_t>(1 + random.below(100))};
    o.position = {static_cast<double>(random.below(1000)) / 100, static_cast<double>(random.below(1000)) / 100, 0};
    o.size = {2, 4, 1.5};
    o.controller = cajunbot::Controller::waypoint;
    if (o.type == cajunbot::Type::dynamic)
      for (int k = 0; k < 2; ++k) o.goals.push_back({5.5, 0, {1, 1, static_cast<std::int32_t>(1 + random.below(100))}, false});
    file.objects.assign(1, o);
    const std::string one = write_v1(file);
    out += one.substr(one.find('\n') + 1);
  }
  return out;
}

/// The values alone, one a line.
std::string bare(const std::string& commented) {
  std::string out;
  out.reserve(commented.size());
  for (std::size_t at = 0; at < commented.size();) {
    const std::size_t end = std::min(commented.find('\n', at), commented.size());
    const std::string_view line(commented.data() + at, end - at);
    const std::string_view value = line.substr(0, line.find("//"));
    const std::size_t last = value.find_last_not_of(' ');
    if (last != std::string_view::npos) (out += value.substr(0, last + 1)) += '\n';
    at = end + 1;
  }
  return out;
}

/// @return the exit code
int measure(const char* what, std::size_t count, const std::string& in, const std::string& out, double bytes) {
  std::vector<double> ours, copies;
  double peak = 0;
  std::uint64_t hash = 0;
  bench::Checksum checksum;
  for (int run = 0; run < 5; ++run) {
    copies.push_back(bench::seconds_of(bench::wall_seconds, [&] {
      const Input input = Input::open(in);
      write_file(out, input.text());
    }));
    ours.push_back(bench::seconds_of(bench::wall_seconds, [&] {
      const Input input = Input::open(in);
      auto parsed = cajunbot::read_v1(input.text(), in);
      if (parsed.ok()) cajunbot::check(*parsed.value, cajunbot::Version::v1, parsed.diagnostics);
      if (!parsed.ok()) {
        std::fprintf(stderr, "%s\n", to_text(parsed.diagnostics.items()[0]).c_str());
        _exit(1);
      }
      AtomicFile file(out);
      write_v2(traffic::to_v2(std::move(*parsed.value), {}, parsed.diagnostics), {},
               [&](std::string_view part) { file.write(part); });
      file.commit();
    }));
    peak = bench::peak_bytes();
    checksum.add("version 2", hash = bench::hash_of_file(out));
  }
  std::printf("%s,%zu,%.1f,%.1f,%.1f,%.1f,%.1f,%.3f,%.2f,%s\n", what, count, bytes / 1e6, bytes / 1e6 / bench::minimum(ours),
              bytes / 1e6 / bench::median(ours), bytes / 1e6 / bench::minimum(copies), bytes / 1e6 / bench::median(copies),
              bench::minimum(copies) / bench::minimum(ours), peak / bytes, hex64(hash).c_str());
  return checksum.same() ? 0 : 1;
}

/// Peak memory is that of the process so far: what makes a file, with several copies of it, and what reads it have one each.
template <class Work>
bool in_a_process(Work&& work) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const int code = work();
    std::fflush(stdout);
    _exit(code);
  }
  int status = 1;
  return waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Options options(argc, argv);
  const std::size_t count = static_cast<std::size_t>(options.word(0, 2e5));
  const auto folder = std::filesystem::temp_directory_path() / "simbatch-bench-objconv";
  std::filesystem::create_directories(folder);
  const std::string in = (folder / "in.obj").string(), out = (folder / "out.xml").string();
  bench::print_head(argc, argv, "wall time, one thread; minimum and median of 5 rounds in turns");
  std::puts("file,objects,input_mb,mb_per_s,median,copy_mb_per_s,median,part_of_copy,peak_memory_per_input,checksum");
  bench::Checksum checksum;
  bool done = true;
  for (const bool comments : {false, true}) {
    done = done && in_a_process([&] { return write_file(in, comments ? make(count) : bare(make(count))), 0; }) &&
           in_a_process([&] {
             const auto bytes = static_cast<double>(std::filesystem::file_size(in));
             return measure(comments ? "commented" : "bare", count, in, out, bytes);
           });
    if (done) checksum.add("version 2", bench::hash_of_file(out));
  }
  std::filesystem::remove_all(folder);
  return !done ? 1 : checksum.finish("version 2 as written, the same of both files");
}
