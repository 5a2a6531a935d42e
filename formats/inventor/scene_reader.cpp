// The structure of the text: nodes, groups, DEF and USE, included files. Source: the Open Inventor 2.1 file format
// (The Inventor Mentor, chapter 11), ISO/IEC 14772-1:1997 (VRML 2.0), the VRML 1.0 specification of 1995, and what the toolkit
// Coin 4.0 does with real files.
#include "formats/inventor/scene_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace simbatch::inventor::detail {
namespace {

// A hostile text could contain a million types: later ones are counted together.
void count(std::map<std::string, std::size_t, std::less<>>& counts, std::string_view type) {
  auto found = counts.find(type);
  if (found == counts.end()) found = counts.emplace(counts.size() < 1000 ? type.substr(0, 64) : "...", 0).first;
  ++found->second;
}

}  // namespace

Position SceneReader::position(const char* place) const { return file_->lines.at(file_->scan.offset(place)); }

void SceneReader::report(const Code& code, const char* place, std::string message) {
  diagnostics_->report(code, position(place), std::move(message));
}

void SceneReader::end_of_text(const char* opened) {
  file_->scan.go_to(file_->scan.end());
  if (file_->end_reported) return;
  file_->end_reported = true;
  report(code::kEnd, opened, "the file ends before what is opened here is closed");
}

bool SceneReader::over_budget(const char* place) {
  if (stopped_) return true;
  const std::uint64_t triangles = options_.spare_triangles + 2 * bytes_;
  const bool too_many = scene_.mesh.triangles.size() > triangles || scene_.mesh.points.size() > triangles + bytes_;
  const bool too_long = work_ + file_->scan.work() > (std::uint64_t{64} << 20) + 64 * bytes_;
  if (!too_many && !too_long) return false;
  stopped_ = true;
  report(code::kLimit, place,
         too_many ? fmt::format("the scene has more than {} triangles here, the rest is not read", triangles)
                  : std::string("nodes are used again too often to go on, the rest is not read"));
  return true;
}

void SceneReader::walk_file(std::string_view text, std::string_view name, State& state) {
  File file(text, name);
  Diagnostics own{std::string(name)};
  Diagnostics* const outer_diagnostics = std::exchange(diagnostics_, &own);
  File* const outer_file = std::exchange(file_, &file);
  bytes_ += text.size();
  open_files_.emplace_back(name);
  file.is_vrml2 = text.starts_with("#VRML V2");

  nodes(state, '\0');

  work_ += file.scan.work();
  open_files_.pop_back();
  file_ = outer_file;
  diagnostics_ = outer_diagnostics;
  diagnostics_->append(std::move(own));
}

void SceneReader::nodes(State& state, char close) {
  Scanner& scan = file_->scan;
  const char* opened = scan.at();
  while (!stopped_) {
    const char c = scan.peek();
    if (c == '\0' && scan.at() == scan.end()) {
      if (close != '\0') end_of_text(opened);
      return;
    }
    if (c == close && close != '\0') return scan.go_to(scan.at() + 1);
    const char* place = scan.at();
    if (c == '}' || c == ']' || c == ')') {
      // At the top level this is an extra bracket; inside, the node was closed before the list.
      if (close != '\0') return report(code::kSyntax, place, fmt::format("'{}' is expected before this '{}'", close, c));
      report(code::kBrace, place, fmt::format("this '{}' closes nothing", c));
      scan.go_to(place + 1);
    } else if (!node(state)) {
      if (scan.at() == place) scan.go_to(place + 1);
    }
  }
}

bool SceneReader::node(State& state) {
  Scanner& scan = file_->scan;
  const char* place = scan.at();
  std::string_view type = scan.word();
  while (type == "DEF") {
    scan.word();
    type = scan.word();
  }
  if (type == "USE") {
    const std::string_view name = scan.word();
    use(place, name, state);
    return true;
  }
  if (type == "PROTO" || type == "EXTERNPROTO") {
    count(scene_.unknown, type);
    scan.word();
    if (scan.peek() == '[' && !scan.skip_brackets()) end_of_text(place);
    if (type == "EXTERNPROTO") return scan.skip_value();
    if (scan.peek() == '{' && !scan.skip_brackets()) end_of_text(place);
    return true;
  }
  if (type == "ROUTE") {
    for (int i = 0; i < 3; ++i) scan.word();
    return true;
  }
  if (type == "NULL") return true;
  if (type.empty() || scan.peek() != '{') {
    if (scan.at() == scan.end() && !type.empty() && std::strchr("+-.0123456789", type[0]) == nullptr) {
      end_of_text(place);
    } else {
      const std::string_view rest(place, std::min<std::size_t>(static_cast<std::size_t>(scan.end() - place), 20));
      report(code::kSyntax, place,
             fmt::format("a node is expected, found {}", quoted(type.empty() ? rest.substr(0, 1) : type)));
    }
    return false;
  }
  return named_node(type, state);
}

bool SceneReader::named_node(std::string_view type, State& state) {
  Scanner& scan = file_->scan;
  const char* opened = scan.at();
  if (over_budget(opened)) return false;
  Kind kind = kind_of(type);
  count(scene_.nodes, type);
  if (kind == Kind::unknown) {
    count(scene_.unknown, type);
    if (!scan.skip_brackets()) end_of_text(opened);
    return true;
  }
  if (kind == Kind::ignored) {
    if (!scan.skip_brackets()) end_of_text(opened);
    return true;
  }
  if (file_->is_vrml2 && (kind == Kind::transform || kind == Kind::group)) kind = Kind::vrml2_group;
  if (depth_ >= options_.max_depth) {
    report(code::kDepth, opened, fmt::format("nodes are nested more than {} deep, what is inside is skipped", depth_));
    if (!scan.skip_brackets()) end_of_text(opened);
    return true;
  }
  scan.go_to(opened + 1);
  ++depth_;
  body(kind, state);
  --depth_;
  return true;
}

void SceneReader::body(Kind kind, State& outer) {
  // Changes of the state by a group's children end with the group, except in a plain Group.
  std::optional<State> inner;
  if (is_group(kind) && kind != Kind::group && kind != Kind::file) inner = outer;
  State& state = inner ? *inner : outer;
  Fields fields(field_stack_, field_stack_.size());
  Choice choice;
  if (kind == Kind::switch_node) choice.chosen = -1;
  if (kind == Kind::level_of_detail) choice.chosen = 0;
  read_contents(kind, fields, choice, state);
  if (stopped_) return;
  apply(kind, fields, choice, state, outer);
  if (kind == Kind::transform_separator) {
    // Everything except the transform is inherited.
    const Affine kept = outer.to_mesh;
    const double unit = outer.unit;
    outer = state;
    outer.to_mesh = kept;
    outer.unit = unit;
  }
}

void SceneReader::read_contents(Kind kind, Fields& fields, Choice& choice, State& state) {
  Scanner& scan = file_->scan;
  const char* opened = scan.at() - 1;
  for (std::int64_t child = 0; !stopped_;) {
    const char c = scan.peek();
    const char* place = scan.at();
    if (place == scan.end()) return end_of_text(opened);
    if (c == '}') return scan.go_to(place + 1);
    const std::string_view name = scan.word();
    if (name.empty()) {
      skip_stray(place);
    } else if (is_group(kind) && (scan.peek() == '{' || name == "DEF" || name == "USE")) {
      scan.go_to(place);
      visit_child(choice.has(child++), state);
    } else if (name == "ROUTE") {
      for (int i = 0; i < 3; ++i) scan.word();
    } else {
      if (!read_field(name, fields)) return end_of_text(opened);
      if (kind == Kind::switch_node && (name == "whichChild" || name == "whichChoice"))
        (void)Numbers(fields[name]).next(choice.chosen);
    }
  }
}

/// A token that begins neither a field nor a node.
void SceneReader::skip_stray(const char* place) {
  Scanner& scan = file_->scan;
  report(code::kSyntax, place, fmt::format("a field or a node is expected, found {}", quoted({place, 1})));
  const bool opens = std::strchr("[{(\"", *place) != nullptr && *place != '\0';
  if (!opens)
    scan.go_to(place + 1);
  else if (!scan.skip_value() && scan.at() == place)
    scan.go_to(place + 1);
}

void SceneReader::visit_child(bool chosen, State& state) {
  Scanner& scan = file_->scan;
  const char* place = scan.at();
  if (!chosen) {
    if (!scan.skip_node()) end_of_text(place);
  } else if (!node(state) && scan.at() == place) {
    scan.go_to(place + 1);
  }
}

bool SceneReader::read_field(std::string_view name, Fields& fields) {
  Scanner& scan = file_->scan;
  scan.peek();
  const char* value = scan.at();
  if (value == scan.end() || *value == '}' || !scan.skip_value()) {
    if (scan.at() == scan.end()) return false;
    report(code::kSyntax, name.data(), fmt::format("the field {} has no value", quoted(name)));
    if (scan.at() == value && *value != '}') scan.go_to(value + 1);
  } else if (name != "IS") {
    fields.add(name, {value, static_cast<std::size_t>(scan.at() - value)});
  }
  return true;
}

void SceneReader::apply(Kind kind, const Fields& fields, const Choice& choice, State& state, State& outer) {
  const bool chooses = kind == Kind::switch_node || kind == Kind::level_of_detail;
  if (kind == Kind::file) {
    include_all(fields, outer);
  } else if (kind == Kind::vrml2_group || (chooses && file_->is_vrml2)) {
    property(Kind::transform, fields, state);
    std::string_view children = fields["children"];
    if (children.empty()) children = fields[kind == Kind::switch_node ? "choice" : "level"];
    if (chooses)
      visit_chosen(children, choice, state);
    else
      visit_range(children, state);
  } else if (kind == Kind::texture) {
    check_texture(fields);
  } else if (is_property(kind)) {
    property(kind, fields, outer);
  } else if (is_shape(kind)) {
    shape(kind, fields, outer);
  }
}

void SceneReader::include_all(const Fields& fields, State& state) {
  Scanner& scan = file_->scan;
  for (const std::string_view field : {"name", "url"}) {
    const std::string_view value = without_brackets(fields[field]);
    if (value.empty()) continue;
    const char* back = scan.at();
    scan.go_to(value.data());
    const std::string_view file_name = scan.string_or_word();
    scan.go_to(back);
    include(file_name, value.data(), state);
  }
}

void SceneReader::visit_chosen(std::string_view list, const Choice& choice, State& state) {
  if (list.empty()) return;
  Scanner& scan = file_->scan;
  const char* back = scan.at();
  const std::string_view inside = without_brackets(list);
  scan.go_to(inside.data());
  const char* stop = inside.data() + inside.size();
  for (std::int64_t i = 0; scan.at() < stop; ++i) {
    scan.peek();
    const char* first = scan.at();
    if (first >= stop || !scan.skip_node() || scan.at() > stop) break;
    const char* after = scan.at();
    if (choice.has(i)) visit_range({first, static_cast<std::size_t>(after - first)}, state);
    scan.go_to(after);
  }
  scan.go_to(back);
}

void SceneReader::visit_range(std::string_view range, State& state) {
  if (range.empty()) return;
  Scanner& scan = file_->scan;
  const char* back = scan.at();
  scan.go_to(range.data());
  if (scan.peek() == '[') {
    scan.go_to(scan.at() + 1);
    nodes(state, ']');
  } else {
    node(state);
  }
  scan.go_to(back);
}

// The places of all DEFs, found by one search for the word; commented-out ones are left out.
void SceneReader::index_definitions() {
  file_->has_definitions = true;
  const std::string_view text = file_->scan.text();
  for (std::size_t at = text.find("DEF"); at != std::string_view::npos; at = text.find("DEF", at + 3)) {
    const auto blank = [&text](std::size_t i) {
      return text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r';
    };
    if (at > 0 && !blank(at - 1) && std::strchr("{}[],", text[at - 1]) == nullptr) continue;
    if (at + 3 >= text.size() || !blank(at + 3)) continue;
    const std::size_t line = text.rfind('\n', at);
    const std::size_t first = line == std::string_view::npos ? 0 : line + 1;
    if (at - first < 4096 && text.substr(first, at - first).find('#') != std::string_view::npos) continue;
    Scanner inner(text);
    inner.go_to(text.data() + at + 3);
    const std::string_view name = inner.word();
    if (!name.empty()) file_->definitions[name].push_back(inner.at());
  }
}

void SceneReader::use(const char* place, std::string_view name, State& state) {
  if (over_budget(place)) return;
  if (!file_->has_definitions) index_definitions();
  const auto found = file_->definitions.find(name);
  const char* target = nullptr;
  if (found != file_->definitions.end()) {
    const auto after = std::lower_bound(found->second.begin(), found->second.end(), place);
    if (after != found->second.begin()) target = *(after - 1);
  }
  if (target == nullptr)
    return report(code::kUse, place, fmt::format("USE {}: no DEF of this name comes before", quoted(name)));
  if (std::find(open_uses_.begin(), open_uses_.end(), target) != open_uses_.end() || open_uses_.size() > options_.max_depth)
    return report(code::kUseCycle, place, fmt::format("USE {} is inside the node that it names", quoted(name)));
  // A USE inside its own DEF on the first pass: the named node encloses this position.
  Scanner& scan = file_->scan;
  const char* back = scan.at();
  scan.go_to(target);
  if (!scan.skip_node() || scan.at() > place) {
    scan.go_to(back);
    return report(code::kUseCycle, place, fmt::format("USE {} is inside the node that it names", quoted(name)));
  }
  scan.go_to(target);
  scan.peek();
  open_uses_.push_back(target);
  ++depth_;
  if (depth_ > options_.max_depth)
    report(code::kDepth, place, fmt::format("nodes are nested more than {} deep", depth_ - 1));
  else
    node(state);
  --depth_;
  open_uses_.pop_back();
  scan.go_to(back);
}

void SceneReader::include(std::string_view name, const char* place, State& state) {
  if (name.empty() || !options_.resolve) return;
  Referenced file = options_.resolve(file_->name, name, true);
  switch (file.state) {
    case Referenced::State::outside:
      return report(code::kFileOutside, place, fmt::format("{} is outside the file's folder and is not read", quoted(name)));
    case Referenced::State::missing: return report(code::kFileMissing, place, fmt::format("there is no file {}", quoted(name)));
    case Referenced::State::other_case:
      return report(code::kFileCase, place, fmt::format("there is no file {}, but {}", quoted(name), quoted(file.nearest)));
    case Referenced::State::found: break;
  }
  if (std::find(open_files_.begin(), open_files_.end(), file.name) != open_files_.end())
    return report(code::kFileLoop, place, fmt::format("{} includes itself", quoted(name)));
  if (++file_count_ > options_.max_files || open_files_.size() > 32) {
    stopped_ = true;
    return report(code::kLimit, place, fmt::format("more than {} files are included", options_.max_files));
  }
  scene_.files.emplace_back(file.name);
  texts_.push_back(std::make_unique<std::string>(std::move(file.text)));
  walk_file(*texts_.back(), file.name, state);
}

void SceneReader::check_texture(const Fields& fields) {
  if (!options_.resolve) return;
  for (const std::string_view field : {"filename", "url"}) {
    const std::string_view value = without_brackets(fields[field]);
    if (value.empty()) continue;
    const char* back = file_->scan.at();
    file_->scan.go_to(value.data());
    const std::string_view name = file_->scan.string_or_word();
    file_->scan.go_to(back);
    if (name.empty()) continue;
    const Referenced file = options_.resolve(file_->name, name, false);
    if (file.state == Referenced::State::missing || file.state == Referenced::State::outside)
      report(code::kFileMissing, value.data(), fmt::format("there is no texture {}", quoted(name)));
    else if (file.state == Referenced::State::other_case)
      report(code::kFileCase, value.data(), fmt::format("there is no texture {}, but {}", quoted(name), quoted(file.nearest)));
  }
}

void SceneReader::finish() {
  for (const auto& [type, count] : scene_.unknown)
    diagnostics_->report(
        code::kUnknownNode, {},
        fmt::format("{} of {} {} {} skipped", count == 1 ? "1 node" : fmt::format("{} nodes", count),
                    type == "Text3" ? "the type" : "the unknown type", quoted(type), count == 1 ? "is" : "are"));
  if (scene_.mesh.triangles.empty() && !stopped_) diagnostics_->report(code::kEmpty, {}, "the file has no triangles");
}

}  // namespace simbatch::inventor::detail
