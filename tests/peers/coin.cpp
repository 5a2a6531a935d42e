// Triangle counts, bounding boxes and volumes of all .iv and .wrl files below the given folders, ours against Coin's.
#include <Inventor/SbBox3f.h>
#include <Inventor/SbMatrix.h>
#include <Inventor/SbVec3f.h>
#include <Inventor/SoDB.h>
#include <Inventor/SoInput.h>
#include <Inventor/SoPrimitiveVertex.h>
#include <Inventor/VRMLnodes/SoVRMLGroup.h>
#include <Inventor/actions/SoCallbackAction.h>
#include <Inventor/nodes/SoSeparator.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "base/core/input.hpp"
#include "formats/inventor/inventor.hpp"

namespace {

struct Measured {
  std::size_t triangles = 0;
  double volume = 0, low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
  void add(const double (&p)[3][3]) {
    ++triangles;
    for (const auto& corner : p)
      for (int i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], corner[i]);
        high[i] = std::max(high[i], corner[i]);
      }
    volume += (p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) + p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
               p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0])) /
              6;
  }
};

void triangle(void* data, SoCallbackAction* action, const SoPrimitiveVertex* a, const SoPrimitiveVertex* b,
              const SoPrimitiveVertex* c) {
  if (a->getPoint() == b->getPoint() || b->getPoint() == c->getPoint() || a->getPoint() == c->getPoint()) return;
  const SbMatrix matrix = action->getModelMatrix();
  const SoPrimitiveVertex* corners[] = {a, b, c};
  double p[3][3];
  for (int k = 0; k < 3; ++k) {
    SbVec3f to;
    matrix.multVecMatrix(corners[k]->getPoint(), to);
    for (int i = 0; i < 3; ++i) p[k][i] = static_cast<double>(to[i]);
  }
  static_cast<Measured*>(data)->add(p);
}

bool coin(const std::string& file, Measured& out) {
  SoInput input;
  if (!input.openFile(file.c_str())) return false;
  SoNode* root = input.isFileVRML2() ? static_cast<SoNode*>(SoDB::readAllVRML(&input)) : SoDB::readAll(&input);
  if (root == nullptr) return false;
  root->ref();
  SoCallbackAction action;
  action.addTriangleCallback(SoNode::getClassTypeId(), triangle, &out);
  action.apply(root);
  root->unref();
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace simbatch;
  SoDB::init();
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator entry(argv[i], error), end; !error && entry != end;
         entry.increment(error))
      if (entry->path().extension() == ".iv" || entry->path().extension() == ".wrl") files.push_back(entry->path().string());
    if (error) std::printf("skipped: %s is not there\n", argv[i]);
  }
  std::sort(files.begin(), files.end());
  std::size_t bad = 0;
  for (const std::string& file : files) {
    Measured theirs, ours;
    if (!coin(file, theirs)) {
      std::printf("%s: Coin does not read it\n", file.c_str());
      continue;
    }
    const Input input = Input::open(file);
    inventor::ReadOptions options;
    options.winding = inventor::Winding::as_written;
    options.resolve = inventor::resolve_beside;
    const auto scene = inventor::read_inventor(input.text(), options, file);
    for (const auto& t : scene.value->mesh.triangles) {
      double p[3][3];
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < 3; ++i) p[k][i] = scene.value->mesh.points[t[k]][i];
      ours.add(p);
    }
    double size = 0, off = 0;
    for (int i = 0; i < 3 && theirs.triangles > 0; ++i) {
      size = std::max({size, std::abs(theirs.low[i]), std::abs(theirs.high[i])});
      off = std::max({off, std::abs(theirs.low[i] - ours.low[i]), std::abs(theirs.high[i] - ours.high[i])});
    }
    // Coin computes in single precision.
    const bool good = ours.triangles == theirs.triangles && off <= 1e-5 * size &&
                      std::abs(ours.volume - theirs.volume) <= 1e-5 * std::abs(theirs.volume) + 1e-6 * size * size * size;
    if (!good) {
      ++bad;
      std::printf("%s: %zu triangles, volume %g; Coin: %zu, %g; boxes differ by %g\n", file.c_str(), ours.triangles,
                  ours.volume, theirs.triangles, theirs.volume, off);
    }
  }
  std::printf("%zu files compared, %zu differ\n", files.size(), bad);
  return bad == 0 ? 0 : 1;
}
