// Reading Inventor and VRML files and making triangles of them: ours against Coin's SoDB::readAll and callback action, on the
// same files in the same run.
//
//   inventor [--rounds 7] [--megabytes 12] [FILE...]
//
// Without files, five kinds of scenes are made: one large mesh, many small ones, VRML 2 with normals, triangle strips, and
// primitives. Both sides read from memory. Times are processor time, minimum and median of the rounds, which take turns. The
// check sums (triangles, sum of coordinates) must agree to single precision. The checksum is of ours of each round, and of all
// points, triangles, and parts, which are read once more for it.
//
// Memory: the peak above what the process had before, the mapped text included, as a share of the file; in a child process for
// each file of a megabyte or more.

#include <Inventor/SbMatrix.h>
#include <Inventor/SbVec3f.h>
#include <Inventor/SoDB.h>
#include <Inventor/SoInput.h>
#include <Inventor/SoPrimitiveVertex.h>
#include <Inventor/VRMLnodes/SoVRMLGroup.h>
#include <Inventor/actions/SoCallbackAction.h>
#include <Inventor/nodes/SoSeparator.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/core/input.hpp"
#include "bench/bench.hpp"
#include "formats/inventor/inventor.hpp"

namespace {

using namespace simbatch;

struct Sum {
  std::size_t triangles = 0;
  double coordinates = 0;
};

void triangle(void* data, SoCallbackAction* action, const SoPrimitiveVertex* a, const SoPrimitiveVertex* b,
              const SoPrimitiveVertex* c) {
  Sum& sum = *static_cast<Sum*>(data);
  if (a->getPoint() == b->getPoint() || b->getPoint() == c->getPoint() || a->getPoint() == c->getPoint()) return;
  const SbMatrix& matrix = action->getModelMatrix();
  const SoPrimitiveVertex* corners[] = {a, b, c};
  for (const SoPrimitiveVertex* corner : corners) {
    SbVec3f p;
    matrix.multVecMatrix(corner->getPoint(), p);
    sum.coordinates += static_cast<double>(p[0]) + static_cast<double>(p[1]) + static_cast<double>(p[2]);
  }
  ++sum.triangles;
}

Sum coin(std::string& text) {
  SoInput input;
  input.setBuffer(text.data(), text.size());
  SoNode* root = input.isFileVRML2() ? static_cast<SoNode*>(SoDB::readAllVRML(&input)) : SoDB::readAll(&input);
  Sum sum;
  if (root == nullptr) return sum;
  root->ref();
  SoCallbackAction action;
  action.addTriangleCallback(SoNode::getClassTypeId(), triangle, &sum);
  action.apply(root);
  root->unref();
  return sum;
}

Sum ours(const std::string& text) {
  const auto scene = inventor::read_inventor(text, {}, "bench.iv");
  Sum sum;
  sum.triangles = scene.value->mesh.triangles.size();
  for (const auto& t : scene.value->mesh.triangles)
    for (const std::uint32_t corner : t) {
      const auto& p = scene.value->mesh.points[corner];
      sum.coordinates += p[0] + p[1] + p[2];
    }
  return sum;
}

/// All of what ours() sums up.
std::uint64_t hash_of(const std::string& text) {
  const auto scene = inventor::read_inventor(text, {}, "bench.iv");
  StateHash hash;
  for (const inventor::Point& point : scene.value->mesh.points) hash.add(std::span<const double>(point));
  for (const auto& triangle : scene.value->mesh.triangles)
    for (const std::uint32_t corner : triangle) hash.add(std::uint64_t{corner});
  for (const inventor::Part& part : scene.value->mesh.parts) {
    hash.add(std::uint64_t{part.first});
    hash.add(std::uint64_t{part.count});
    for (const float part_of_color : part.color) hash.add(std::uint64_t{std::bit_cast<std::uint32_t>(part_of_color)});
  }
  return hash.value();
}

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6f", x);
  return text;
}
std::string point(double u, double v) {
  return number(254 * u) + " " + number(254 * v) + " " + number(12 * std::sin(20 * u) * std::cos(31 * v));
}

std::string grid(int n, double u0, double du, bool strips) {
  std::string out = "Coordinate3 { point [\n";
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) out += point(u0 + du * i / n, u0 + du * j / n) + ",\n";
  out += "] }\n";
  out += strips ? "IndexedTriangleStripSet { coordIndex [\n" : "IndexedFaceSet { coordIndex [\n";
  for (int i = 0; i + 1 < n; ++i) {
    for (int j = 0; j < n - (strips ? 0 : 1); ++j) {
      const int a = i * n + j;
      const auto text = [](int k) { return std::to_string(k) + ", "; };
      if (strips)
        out += text(a + n) + text(a);
      else
        out += text(a) + text(a + n + 1) + text(a + 1) + "-1, " + text(a) + text(a + n) + text(a + n + 1) + "-1,\n";
    }
    if (strips) out += "-1,\n";
  }
  return out + "] }\n";
}

std::string made(std::string_view kind, std::size_t bytes) {
  std::string out = kind == "vrml2" ? "#VRML V2.0 utf8\n" : "#Inventor V2.1 ascii\n";
  if (kind == "mesh" || kind == "strips") {
    const int n = static_cast<int>(std::sqrt(static_cast<double>(bytes) / (kind == "mesh" ? 85.0 : 50.0)));
    return out + "Separator {\n" + grid(n, 0, 1, kind == "strips") + "}\n";
  }
  for (int k = 0; out.size() < bytes; ++k) {
    const std::string place = number(k % 100 * 30) + " " + number(k / 100 * 30) + " 0";
    if (kind == "parts") {
      out += "Separator { Material { diffuseColor 0.2 0.4 0.6 } Transform { translation " + place + " rotation 0 1 1 0.3 }\n" +
             grid(7, k * 1e-3, 0.1, false) + "}\n";
    } else if (kind == "primitives") {
      // Facets of round shapes cost both sides the same; they are rare enough here for the text to count.
      out +=
          "Separator { Translation { translation " + place +
          " } Separator { Rotation { rotation 0 0 1 0.5 } Cube { width 3 height 2 depth 1 } } Label { label \"part\" } Info { string \"made\" } }\n";
    } else {
      std::string points, normals, indexes;
      for (int i = 0; i < 400; ++i) {
        points += point((k + i % 20) * 1e-2, i / 20 * 1e-2) + ", ";
        normals += "0.123400 0.234500 0.964200, ";
      }
      for (int i = 0; i + 21 < 400; ++i)
        indexes += std::to_string(i) + ", " + std::to_string(i + 20) + ", " + std::to_string(i + 21) + ", -1, ";
      out +=
          "Transform { translation " + place +
          " children [ Shape { appearance Appearance { material Material { diffuseColor 1 0 0 } }\n geometry IndexedFaceSet { coord Coordinate { point [ " +
          points + "] }\n normal Normal { vector [ " + normals + "] }\n coordIndex [ " + indexes + "] } } ] }\n";
    }
  }
  return out;
}

/// Peak of reading a file, above what the process had, in kilobytes; -1 if unknown.
long memory_of(const std::string& text) {
  char name[] = "/tmp/simbatch-bench-XXXXXX";
  const int file = mkstemp(name);
  if (file < 0 || write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size())) return -1;
  close(file);
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "inventor", "--peak", name, std::to_string(pipe_ends[1]).c_str(), static_cast<char*>(nullptr));
    _exit(1);
  }
  close(pipe_ends[1]);
  long kilobytes = -1;
  if (read(pipe_ends[0], &kilobytes, sizeof kilobytes) != static_cast<ssize_t>(sizeof kilobytes)) kilobytes = -1;
  close(pipe_ends[0]);
  waitpid(child, nullptr, 0);
  unlink(name);
  return kilobytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--peak") == 0) {
    const long before = static_cast<long>(bench::peak_bytes() / 1024);
    const Input input = Input::open(argv[2]);
    const auto scene = inventor::read_inventor(input.text(), {}, "bench.iv");
    const long kilobytes = scene.value->mesh.triangles.empty() ? -1 : static_cast<long>(bench::peak_bytes() / 1024) - before;
    return write(std::atoi(argv[3]), &kilobytes, sizeof kilobytes) == static_cast<ssize_t>(sizeof kilobytes) ? 0 : 1;
  }
  const bench::Options options(argc, argv, {"--rounds", "--megabytes"});
  const int rounds = std::max(1, options.whole("--rounds", 7));
  const auto bytes = static_cast<std::size_t>(options.number("--megabytes", 12) * 1e6);
  std::vector<std::pair<std::string, std::string>> texts;
  for (const std::string& file : options.words()) texts.emplace_back(file, std::string(Input::open(file).text()));
  if (texts.empty())
    for (const char* kind : {"mesh", "parts", "vrml2", "strips", "primitives"}) texts.emplace_back(kind, made(kind, bytes));
  bench::print_head(argc, argv, "processor time; minimum and median of " + std::to_string(rounds) + " rounds in turns");
  SoDB::init();
  std::printf("%-28s %9s %10s %10s %10s %10s %7s %7s %10s\n", "file", "MB", "ours MB/s", "(median)", "Coin MB/s", "(median)",
              "ratio", "memory", "triangles");
  bench::Checksum checksum;
  double all_ours = 0, all_coin = 0;
  for (auto& [name, text] : texts) {
    std::vector<double> mine, theirs;
    Sum a, b;
    // Small files are read again and again, so that the clock can tell.
    const std::size_t repeats = std::max<std::size_t>(1, 200'000 / (text.size() + 1));
    for (int round = 0; round < rounds; ++round) {
      double t = bench::cpu_seconds();
      for (std::size_t i = 0; i < repeats; ++i) a = ours(text);
      mine.push_back((bench::cpu_seconds() - t) / static_cast<double>(repeats));
      checksum.add(name + " sums", std::vector<double>{static_cast<double>(a.triangles), a.coordinates});
      t = bench::cpu_seconds();
      for (std::size_t i = 0; i < repeats; ++i) b = coin(text);
      theirs.push_back((bench::cpu_seconds() - t) / static_cast<double>(repeats));
    }
    const double megabytes = static_cast<double>(text.size()) * 1e-6;
    checksum.add(name, hash_of(text));
    const double own = bench::median(mine), other = bench::median(theirs);
    const long kilobytes = text.size() > 1'000'000 ? memory_of(text) : -1;
    const bool same = a.triangles == b.triangles && std::abs(a.coordinates - b.coordinates) <=
                                                        1e-4 * (std::abs(b.coordinates) + static_cast<double>(a.triangles));
    std::printf("%-28s %9.3f %10.1f %10.1f %10.1f %10.1f %7.2f %7.2f %10zu%s\n", name.substr(name.rfind('/') + 1).c_str(),
                megabytes, megabytes / bench::minimum(mine), megabytes / own, megabytes / bench::minimum(theirs),
                megabytes / other, other / own,
                kilobytes < 0 ? 0.0 : static_cast<double>(kilobytes) * 1024 / static_cast<double>(text.size()), a.triangles,
                same ? "" : "  DIFFERS from Coin");
    all_ours += own;
    all_coin += other;
  }
  std::printf("all together: %.2f times as fast as Coin\n", all_coin / all_ours);
  return checksum.finish("points, triangles and parts of all files");
}
