#include "apps/objconv/kinds.hpp"

#include <fmt/format.h>

#include "apps/objconv/codes.hpp"
#include "base/core/text.hpp"

namespace simbatch::objconv {

Fact fact(std::string key, std::string value) { return {std::move(key), std::move(value), false}; }
Fact fact(std::string key, std::size_t value) { return {std::move(key), std::to_string(value), true}; }
Fact fact(std::string key, double value) { return {std::move(key), fmt::format("{:.6g}", value), true}; }

std::vector<const FileKind*> all_kinds() {
  std::vector<const FileKind*> kinds;
  for (const auto family : {autosim_kinds(), cajunbot_kinds(), rndf_kinds(), grasp_kinds(), robot_kinds(), map_kinds()})
    for (const FileKind& kind : family) kinds.push_back(&kind);
  return kinds;
}

namespace {

file_kind::Kind recognize(const Input& input) {
  const file_kind::Kind found = file_kind::kind_of(input.name(), input.text());
  if (found == file_kind::Kind::packed && lower_ascii(input.name()).find(".osm.") != std::string::npos)
    return file_kind::Kind::osm;  // the reader unpacks it
  return found;
}

// Null if objconv does not handle the kind.
const FileKind* handled(file_kind::Kind found) {
  if (found == file_kind::Kind::unknown) return nullptr;
  for (const FileKind* kind : all_kinds())
    if (kind->kinds[0] == found || kind->kinds[1] == found) return kind;
  return nullptr;
}

}  // namespace

const FileKind* kind_of(std::string_view name, const Input& input, Diagnostics& diagnostics) {
  file_kind::Kind found = file_kind::Kind::unknown;
  if (!name.empty()) {
    for (const FileKind* kind : all_kinds())
      if (kind->name == name) return kind;
  } else {
    found = recognize(input);
    if (const FileKind* kind = handled(found)) return kind;
  }
  // Files beside those that are read: no --from would help.
  static constexpr std::pair<std::string_view, std::string_view> kUnread[] = {
      {".ply", "PLY meshes are not read: convert it to .iv, .wrl or .obj"},
      {".off", "OFF meshes are not read: convert it to .iv, .wrl or .obj"},
      {".egr", "files of eigengrasps are not read: GraspIt! robots only name them"},
      {".vgr", "files of virtual contacts are not read: GraspIt! robots only name them"}};
  const std::string file = lower_ascii(input.name());
  for (const auto& [suffix, message] : kUnread)
    if (name.empty() && file.ends_with(suffix)) {
      diagnostics.report(code::kKind, {}, std::string(message));
      return nullptr;
    }
  if (found == file_kind::Kind::unknown) {
    diagnostics.report(code::kKind, {}, "cannot determine the file type from name and content; give it with --from");
  } else {
    diagnostics.report(code::kKind, {},
                       "the file is " + std::string(file_kind::describe(found).name) +
                           ", which this command does not read; if it is of another type, give that with --from");
    diagnostics.note(code::kKind, {}, file_kind::next_step(found, input.name()));
  }
  return nullptr;
}

bool is_expected(std::string_view name, const Input& input, Diagnostics& diagnostics) {
  // Unknown kind: its reader reports the errors.
  const auto purpose = name == "mdf" ? file_kind::Purpose::mdf : file_kind::Purpose::network;
  return !file_kind::report_other_kind(file_kind::kind_of(input.name(), input.text()), input.text(), input.name(), purpose,
                                       diagnostics);
}

}  // namespace simbatch::objconv
