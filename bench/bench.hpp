#pragma once
/// What the benchmarks share: clocks, the minimum and the median of several rounds, a checksum of results, memory, options.

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/hash.hpp"
#include "base/core/number.hpp"

#ifndef SIMBATCH_SOURCE_DIR
#define SIMBATCH_SOURCE_DIR "."
#endif

namespace simbatch::bench {

namespace detail {
inline double seconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
}  // namespace detail

/// Processor time of this process, all threads together (s): the machine may have other work.
inline double cpu_seconds() { return detail::seconds_of(CLOCK_PROCESS_CPUTIME_ID); }
/// What a user waits for (s).
inline double wall_seconds() { return detail::seconds_of(CLOCK_MONOTONIC); }

/// How long some work takes by one of these clocks (s).
template <class Work>
double seconds_of(double (*clock)(), Work&& work) {
  const double start = clock();
  work();
  return clock() - start;
}

/// Of the times of several rounds, which are not empty.
inline double minimum(const std::vector<double>& times) { return *std::min_element(times.begin(), times.end()); }
/// Of an even number the later one.
inline double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// Of its bytes, read piece by piece, since a mapped file counts as memory of this process. Ends the program when it cannot.
inline std::uint64_t hash_of_file(const std::string& path) {
  StateHash hash;
  std::vector<char> piece(1 << 20);
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  for (std::size_t n = 1; file != nullptr && n > 0;) {
    n = std::fread(piece.data(), 1, piece.size(), file);
    hash.add(std::string_view(piece.data(), n));
  }
  if (file == nullptr || std::ferror(file)) {
    std::fprintf(stderr, "%s cannot be read\n", path.c_str());
    std::exit(1);
  }
  std::fclose(file);
  return hash.value();
}

/// What was computed while the clock ran, so that a fast wrong answer shows beside its time: a hash of each piece of work. All
/// that has the same name, the rounds of one piece of work above all, has to have the same hash. To be used while no clock runs.
class Checksum {
 public:
  void add(const std::string& work, std::uint64_t hash) {
    const auto [known, added] = hashes_.emplace(work, hash);
    if (known->second == hash) return;
    std::fprintf(stderr, "%s: checksum %s, expected %s as before\n", work.c_str(), hex64(hash).c_str(),
                 hex64(known->second).c_str());
    same_ = false;
  }
  void add(const std::string& work, std::string_view bytes) { add(work, hash64(bytes)); }
  void add(const std::string& work, std::span<const double> values) {
    StateHash hash;
    hash.add(values);
    add(work, hash.value());
  }

  /// False if hashes of the same work differed.
  bool same() const { return same_; }
  /// Of all, whatever their order and the number of rounds.
  std::uint64_t value() const {
    StateHash all;
    for (const auto& [work, hash] : hashes_) {
      all.add(work);
      all.add(hash);
    }
    return all.value();
  }
  /// Prints the line that results end in; nothing if nothing was hashed.
  /// @param of  what was hashed  @return the program's exit code: 1, without that line, if hashes of the same work differed
  int finish(const char* of) const {
    if (same_ && !hashes_.empty()) std::printf("# checksum %s  (of %s)\n", hex64(value()).c_str(), of);
    return same_ ? 0 : 1;
  }

 private:
  std::map<std::string, std::uint64_t> hashes_;
  bool same_ = true;
};

/// The most memory that this process had at once (bytes), without its parent's, which getrusage() would tell; -1 if unknown.
inline double peak_bytes() {
  std::FILE* status = std::fopen("/proc/self/status", "r");
  char line[256];
  long kilobytes = -1;
  while (status != nullptr && std::fgets(line, sizeof line, status) != nullptr)
    if (std::sscanf(line, "VmHWM: %ld", &kilobytes) == 1) break;
  if (status != nullptr) std::fclose(status);
  return kilobytes < 0 ? -1 : 1024.0 * static_cast<double>(kilobytes);
}

namespace detail {
#ifdef __clang__
inline constexpr const char* kCompiler = "clang " __clang_version__;
#else
inline constexpr const char* kCompiler = "g++ " __VERSION__;
#endif

/// The first line that a command prints, "unknown" if none.
inline std::string first_line_of(const char* command) {
  std::FILE* const pipe = popen(command, "r");
  char line[256] = "";
  const bool read = pipe != nullptr && std::fgets(line, sizeof line, pipe) != nullptr;
  if (pipe != nullptr) pclose(pipe);
  std::string text = read ? line : "unknown";
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}
}  // namespace detail

/// Prints the comment line that tables of figures start with: the command, what is measured, the commit (and whether the tree
/// differs from it), compiler, processor.
/// @param what  clock, and how rounds are summed up, as "processor time; minimum and median of 5 rounds"
inline void print_head(int argc, char** argv, const std::string& what) {
  std::string line = argv[0];
  line.erase(0, line.rfind('/') + 1);
  for (int i = 1; i < argc; ++i) line += std::string(" ") + argv[i];
  const std::string commit =
      detail::first_line_of("git -C '" SIMBATCH_SOURCE_DIR "' describe --always --dirty=-changed 2> /dev/null");
  const std::string processor = detail::first_line_of("sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo");
  std::printf("# %s; %s; commit %s; %s; %s, %s processors\n", line.c_str(), what.c_str(), commit.c_str(), detail::kCompiler,
              processor.c_str(), detail::first_line_of("nproc").c_str());
  std::fflush(stdout);
}

/// The words of a command line: options with a value, and others. Ends the program when it is not a Release build, whose times
/// mean nothing, when an option is unknown or lacks its value, or when a value should be a number and is none.
class Options {
 public:
  /// @param known  as "--rounds"
  Options(int argc, char** argv, std::initializer_list<std::string_view> known = {}) {
#ifndef NDEBUG
    end("build with the release preset: times of other builds mean nothing");
#endif
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (!word.starts_with("--")) {
        words_.push_back(word);
        continue;
      }
      if (std::find(known.begin(), known.end(), word) == known.end()) end("unknown option " + word);
      if (i + 1 == argc) end(word + " needs a value");
      options_.emplace_back(word, argv[++i]);
    }
  }
  std::string text(std::string_view name, std::string otherwise = {}) const {
    for (const auto& [option, value] : options_)
      if (option == name) otherwise = value;
    return otherwise;
  }
  double number(std::string_view name, double otherwise) const { return value(text(name), std::string(name), otherwise); }
  int whole(std::string_view name, int otherwise) const { return static_cast<int>(number(name, otherwise)); }

  /// The words that are not options.
  const std::vector<std::string>& words() const { return words_; }
  double word(std::size_t i, double otherwise) const {
    return i < words_.size() ? value(words_[i], "word", otherwise) : otherwise;
  }

 private:
  [[noreturn]] static void end(const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(2);
  }
  static double value(const std::string& text, const std::string& name, double otherwise) {
    if (text.empty()) return otherwise;
    const auto number = parse_double(text);
    if (!number) end(name + ": expected a number, found " + text);
    return number.value;
  }

  std::vector<std::pair<std::string, std::string>> options_;
  std::vector<std::string> words_;
};

}  // namespace simbatch::bench
