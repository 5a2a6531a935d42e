// A Collada or glTF file, whatever is in it, becomes triangles that can be simulated, or is refused with a reason: assimp reads it
// in a process of its own, and what that crashes on is contained.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "fuzz/scratch_folder.hpp"
#include "lib/sim/scene/mesh_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ScratchFolder folder("mesh");
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const char* suffix = bytes.starts_with("glTF") ? ".glb" : bytes.find("<COLLADA") == std::string_view::npos ? ".gltf" : ".dae";
  const std::string file = (folder.path / (std::string("mesh") + suffix)).string();
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(size));
  std::string why;
  simbatch::models::ModelReader reader;
  const auto mesh = simbatch::scene::read_mesh_file(reader, file, why);
  std::filesystem::remove(file);
  if (mesh.has_value() != why.empty()) std::abort();
  if (!mesh) return 0;
  if (mesh->indices.empty() || mesh->indices.size() % 3 != 0) std::abort();
  for (const auto& p : mesh->points)
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) std::abort();
  for (const std::uint32_t i : mesh->indices)
    if (i >= mesh->points.size()) std::abort();
  return 0;
}
