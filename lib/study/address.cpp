#include "lib/study/address.hpp"

#include <algorithm>

#include "base/core/number.hpp"
#include "base/core/text.hpp"

namespace simbatch::study::detail {
namespace {

constexpr std::size_t kMaxSections = 3;  // nested sections without a name

/// An element, and the path that leads to it: empty for the scenario's root, else it ends with a slash.
struct Place {
  xml::Element element;
  std::string path;
};

/// "NAME" or "NAME[2]".
struct Word {
  std::string_view name;
  std::size_t index = 0;  // from 1; 0: none
};

std::optional<Word> read_word(std::string_view text) {
  Word word{text.substr(0, text.find('[')), 0};
  if (word.name.empty()) return std::nullopt;
  if (word.name.size() == text.size()) return word;
  std::string_view inside = text.substr(word.name.size() + 1);
  if (!inside.ends_with(']')) return std::nullopt;
  inside.remove_suffix(1);
  const auto index = parse_integer<std::size_t>(inside);
  if (!index || index.value == 0) return std::nullopt;
  word.index = index.value;
  return word;
}

std::vector<std::string_view> words_of(std::string_view address) {
  std::vector<std::string_view> words;
  for (std::size_t dot = 0; dot != std::string_view::npos;) {
    dot = address.find('.');
    words.push_back(address.substr(0, dot));
    if (dot != std::string_view::npos) address.remove_prefix(dot + 1);
  }
  return words;
}

/// The step of a path from an element to its child.
std::string step_to(const xml::Element& parent, const xml::Element& child) {
  std::string kind(child.name());
  const xml::Children children = parent.children(child.name());
  const std::vector<xml::Element> same(children.begin(), children.end());
  if (same.size() == 1) return kind;
  const auto has_name = [&](const xml::Element& e) { return e.attribute("name") == child.attribute("name"); };
  if (const auto name = child.attribute("name");
      name && std::count_if(same.begin(), same.end(), has_name) == 1 && name->find_first_of("'\"[]&") == std::string_view::npos)
    return kind + "[@name='" + std::string(*name) + "']";
  const auto at = std::find(same.begin(), same.end(), child) - same.begin();
  return kind + "[" + number_text(at + 1) + "]";
}

bool is_called(const xml::Element& element, std::string_view name) {
  return element.name() == name || element.attribute("name") == name;
}

/// Children of that name or kind; if there are none, those in unnamed sections.
std::vector<Place> find_below(const Place& from, std::string_view name) {
  std::vector<Place> level{from};
  for (std::size_t depth = 0; depth <= kMaxSections && !level.empty(); ++depth) {
    std::vector<Place> found, sections;
    for (const Place& place : level)
      for (const xml::Element& child : place.element.children()) {
        const bool fits = is_called(child, name);
        if (!fits && child.attribute("name")) continue;
        (fits ? found : sections).push_back({child, place.path + step_to(place.element, child) + "/"});
      }
    if (!found.empty()) return found;
    level = std::move(sections);
  }
  return {};
}

/// Names with which an address may continue, for messages.
void collect_names(const xml::Element& from, std::size_t depth, std::vector<std::string>& names) {
  for (const std::string_view name : from.attribute_names()) names.emplace_back(name);
  for (const xml::Element& child : from.children()) {
    names.emplace_back(child.name());
    if (const auto name = child.attribute("name"))
      names.emplace_back(*name);
    else if (depth < kMaxSections)
      collect_names(child, depth + 1, names);
  }
}

std::string shown(const xml::Element& element) {
  const auto name = element.attribute("name");
  return name ? quoted(*name) : "<" + std::string(element.name()) + ">";
}

class Walk {
 public:
  Walk(const xml::Element& scenario, const RobotOpener& open, std::string& problem)
      : at_{scenario, ""}, file_{scenario, ""}, open_(open), problem_(problem) {}

  /// Follows one word that is not the last. False after a problem.
  bool go(std::string_view text) {
    const auto word = read_word(text);
    if (!word) return fail(quoted(text) + " is not a part of an address, expected NAME or NAME[2], joined by dots");
    std::vector<Place> found = find_below(at_, word->name);
    if (found.empty() && !in_file_ && at_.element.name() == "Robot" && !file_step().empty()) {
      if (!enter_file()) return false;
      found = find_below(at_, word->name);
    }
    // The tree shows the devices of a part below it; the file lists them on their own.
    if (found.empty() && in_file_) found = devices_of_part(word->name);
    if (found.empty() || word->index > found.size())
      return fail(shown(at_.element) + " has no " + quoted(text) + near(word->name));
    if (word->index > 0) found = {found[word->index - 1]};
    if (found.size() > 1) {
      std::string kinds;
      for (const Place& each : found)
        kinds += (kinds.empty() ? "" : ", ") + each.path.substr(at_.path.size(), each.path.size() - at_.path.size() - 1);
      return fail(shown(at_.element) + " has " + number_text(found.size()) + " of " + quoted(text) + " (" + kinds +
                  "), expected one; choose by " + std::string(word->name) + "[2]");
    }
    at_ = found[0];
    return true;
  }

  bool has_attribute(std::string_view name) const { return at_.element.attribute(name).has_value(); }
  std::string attribute_path(std::string_view name) const { return at_.path + "@" + std::string(name); }

  /// The attribute that is meant if the address names only an element.
  std::optional<std::string> own_attribute() {
    if (has_attribute("value")) return attribute_path("value");
    std::vector<std::string_view> names = at_.element.attribute_names();
    std::erase(names, "name");
    if (names.size() == 1) return attribute_path(names[0]);
    std::string list;
    for (const std::string_view name : names) list += (list.empty() ? "" : ", ") + std::string(name);
    if (names.empty())
      fail(shown(at_.element) + " is a block, expected one of its values" + near(""));
    else
      fail(shown(at_.element) + " has several attributes, expected one of them at the end: " + list);
    return std::nullopt;
  }

 private:
  /// From a robot to the attribute that names its file; empty if there is none.
  std::string file_step() const {
    if (at_.element.attribute("file")) return "@file";
    const xml::Element include = at_.element.first_child("Include");
    return include && include.attribute("robot") ? "Include/@robot" : "";
  }

  bool enter_file() {
    const std::string path = at_.path + file_step();
    const auto root = open_(path);
    if (!root) return false;
    at_ = file_ = {*root, path + "/"};
    in_file_ = true;
    return true;
  }

  std::vector<Place> devices_of_part(std::string_view name) const {
    const auto part = at_.element.attribute("name");
    if (!part) return {};
    std::vector<Place> found = find_below(file_, name);
    std::erase_if(found, [&](const Place& device) {
      const xml::Element of = device.element.first_child("Part");
      return !of || of.attribute("name") != part;
    });
    return found;
  }

  std::string near(std::string_view word) const {
    std::vector<std::string> names;
    collect_names(at_.element, 0, names);
    const std::vector<std::string_view> known(names.begin(), names.end());
    const std::string_view found = nearest(word, known);
    if (!found.empty()) return ", did you mean " + quoted(found) + "?";
    constexpr std::size_t kShown = 12;
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) list += (i == 0 ? "" : ", ") + names[i];
    return names.empty() ? "" : "; it has " + list + (names.size() > kShown ? ", ..." : "");
  }

  bool fail(std::string message) {
    problem_ = std::move(message);
    return false;
  }

  Place at_, file_;  // file_: the root of the file that at_ is in
  bool in_file_ = false;
  const RobotOpener& open_;
  std::string& problem_;
};

}  // namespace

std::optional<std::string> path_of_address(std::string_view address, const xml::Element& scenario, const RobotOpener& open,
                                           std::string& problem) {
  if (address.find('@') != std::string_view::npos) return std::string(address);  // a study's path
  Walk walk(scenario, open, problem);
  const std::vector<std::string_view> words = words_of(address);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0 && i + 1 == words.size() && walk.has_attribute(words[i])) return walk.attribute_path(words[i]);
    if (!walk.go(words[i])) return std::nullopt;
  }
  return walk.own_attribute();
}

}  // namespace simbatch::study::detail
