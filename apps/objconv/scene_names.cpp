#include "apps/objconv/scene_names.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/core/percent.hpp"
#include "base/core/text.hpp"

namespace simbatch::objconv {
namespace {

constexpr auto npos = std::string_view::npos;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
}

class Names {
 public:
  explicit Names(std::size_t most) : most_(most) {}

  bool are_enough() const { return names_.size() > most_; }
  void add(std::string name) {
    name = percent_decoded(name);
    std::replace(name.begin(), name.end(), '\\', '/');
    if (name.empty() || name.starts_with("data:") || are_enough() || !known_.insert(name).second) return;
    names_.push_back(std::move(name));
  }
  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::size_t most_;
  std::set<std::string> known_;
  std::vector<std::string> names_;
};

/// In an `<image>`: elsewhere `<init_from>` has the name of one.
void add_images(std::string_view text, Names& names) {
  constexpr std::string_view kImage = "<image", kFrom = "<init_from", kEnd = "</init_from", kRef = "<ref>";
  for (std::size_t at = text.find(kImage); at != npos && !names.are_enough(); at = text.find(kImage, at)) {
    at += kImage.size();
    const std::size_t end = text.find("</image>", at);
    if (end == npos) return;
    std::string_view image = text.substr(at, end - at);
    at = end;
    const std::size_t from = image.find(kFrom);
    if (from == npos) continue;
    image.remove_prefix(from);
    const std::size_t begin = image.find('>'), close = image.find(kEnd);
    if (begin == npos || close == npos || begin > close) continue;
    std::string_view name = trimmed(image.substr(begin + 1, close - begin - 1));
    if (name.starts_with(kRef)) {
      name.remove_prefix(kRef.size());
      name = trimmed(name.substr(0, name.find('<')));
    }
    std::string decoded(name);
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kEntities = {
        {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&amp;", "&"}}};
    for (const auto& [entity, character] : kEntities) replace_all(decoded, entity, character);
    names.add(std::move(decoded));
  }
}

void add_uris(std::string_view text, Names& names) {
  constexpr std::string_view kKey = "\"uri\"", kBlanks = " \t\r\n";
  for (std::size_t at = text.find(kKey); at != npos && !names.are_enough(); at = text.find(kKey, at)) {
    at = std::min(text.find_first_not_of(kBlanks, at + kKey.size()), text.size());
    if (at == text.size() || text[at] != ':') continue;
    at = std::min(text.find_first_not_of(kBlanks, at + 1), text.size());
    if (at == text.size() || text[at] != '"') continue;
    const std::size_t end = text.find('"', at + 1);
    if (end == npos) return;
    std::string name(text.substr(at + 1, end - at - 1));
    replace_all(name, "\\/", "/");
    names.add(std::move(name));
    at = end;
  }
}

}  // namespace

std::vector<std::string> names_in_scene(std::string_view text, std::string_view suffix, std::size_t most) {
  Names names(most);
  if (suffix == ".dae")
    add_images(text, names);
  else
    add_uris(text, names);
  return names.take();
}

}  // namespace simbatch::objconv
