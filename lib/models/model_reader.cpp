#include "lib/models/model_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include <unistd.h>

#include "base/core/input.hpp"
#include "base/process/confined.hpp"
#include "lib/models/model_module.hpp"
#include "lib/models/model_type.hpp"

namespace simbatch::models {
namespace {
namespace fs = std::filesystem;

/// Exit codes of the child: a packed model was sent, or the reason for its absence.
constexpr int kSentModel = 0, kSentReason = 2;

/// Runs in the child and does not return: no destructors run, since these include assimp's.
[[noreturn]] void import_and_send(const ModelFile& file, ModelUse use, const ModelModule& module, ConfinedChild& parent) {
  std::string reply;  // the reason, until there is a model
  bool sends_model = false;
  const std::vector<std::string> paths = model_files(file);
  std::vector<std::string> names;
  names.reserve(paths.size());
  std::vector<Input> inputs;
  std::vector<ModelBytes> files;
  try {
    std::size_t bytes = 0;
    for (const std::string& path : paths) {
      inputs.push_back(Input::open(path, kMaxModelBytes));
      bytes += inputs.back().text().size();
      if (bytes > kMaxModelBytesTogether) break;
      files.push_back({names.emplace_back(fs::path(path).filename().string()), inputs.back().text()});
    }
  } catch (const IoError& error) {
    reply = "it cannot be read: " + error.cause();
  }
  // Without a kernel filter (an emulated processor), only the other limits apply.
  static_cast<void>(parent.drop_system_calls());
  if (reply.empty() && files.empty()) reply = "it cannot be read";
  if (reply.empty()) sends_model = module.import(files.data(), files.size(), use, reply);
  parent.send(reply.data(), reply.size());
  _exit(sends_model ? kSentModel : kSentReason);
}

}  // namespace

std::optional<Model> ModelReader::read(const ModelFile& file, const std::string& path, ModelUse use, std::string& why) {
  std::error_code error;
  if (!has_model_type(path)) {
    why = "files of its type are not read (OBJ, 3DS, glTF, GLB, DAE, STL and PLY are)";
    return std::nullopt;
  }
  if (fs::file_size(path, error) > kMaxModelBytes || error) {
    why = "it is larger than 64 MiB";
    return std::nullopt;
  }
  if (seconds_left_ <= 0) {
    why = "the models before it took too long to read";
    return std::nullopt;
  }
  const ModelModule& module = model_module();
  if (module.import == nullptr) {
    why = module.why;
    return std::nullopt;
  }
  ConfinedLimits limits;
  limits.processor_seconds = kMaxModelSeconds;
  limits.wall_seconds = std::min(kMaxModelWallSeconds, seconds_left_);
  limits.output = kMaxPackedBytes;
  const ConfinedResult result =
      run_confined([&](ConfinedChild& child) -> int { import_and_send(file, use, module, child); }, limits);
  seconds_left_ -= result.seconds;
  using End = ConfinedResult::End;
  switch (result.end) {
    case End::exited:
      if (result.value == kSentModel) {
        std::optional<Model> model = unpack(result.bytes);
        if (!model) why = "its coordinates or colors are out of range";
        return model;
      }
      why = result.value == kSentReason && result.bytes.size() < 200 ? result.bytes : "it cannot be read";
      break;
    case End::out_of_time: why = "reading it takes too long"; break;
    case End::too_much: why = "it has too many triangles"; break;
    case End::crashed: why = "reading it ends in a crash (contained)"; break;
    case End::interrupted:
    case End::not_started: why = "the system has no process left to read it in"; break;
  }
  return std::nullopt;
}

}  // namespace simbatch::models
