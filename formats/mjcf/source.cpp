// <include> stands for the children of the root of another file, each file at most once (MuJoCo's XML reference, "include").

#include "formats/mjcf/source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/xml/codes.hpp"
#include "base/xml/repair.hpp"
#include "formats/mjcf/codes.hpp"

namespace simbatch::mjcf::detail {
namespace {

constexpr int kMaxDepth = 256;                            // of elements, with the files around them
constexpr std::size_t kMaxSources = 1000;                 // files of a model
constexpr std::size_t kMaxBytes = std::size_t{64} << 20;  // of all that it includes or attaches

}  // namespace

void Node::report(const Code& code, Position where, std::string message) const {
  if (source->reported.size() < Diagnostics::kMaxKept && !source->reported.emplace(where, message).second) return;
  source->problems.report(code, where, std::move(message), element.path());
}

bool Sources::parse(Source& source, std::string_view text, bool is_included) {
  source.text = text;
  Parsed<xml::Document> document = xml::parse_forgiving(source.text, source.path);
  const bool good = document.ok();
  source.problems.append(std::move(document.diagnostics));
  if (!good) return false;
  source.document = std::move(*document.value);
  const auto all = [](const xml::Element&) { return true; };
  if (!source.document->is_within(elements_, all, source.problems)) return false;
  const xml::Element root = source.document->root();
  return is_included && root.name() == "mujocoinclude" ? true : xml::is_root(root, "mujoco", source.problems);
}

Node Sources::tree(const xml::Element& element, Source& source, int depth) {
  Node node{element, &source, {}};
  if (depth > kMaxDepth) {
    node.report(xml::code::kDepth, fmt::format("elements and included files are nested deeper than {}", kMaxDepth));
    return node;
  }
  for (xml::Element child = element.first_child(); child; child = child.next_sibling()) {
    if (child.name() == "include")
      splice(Node{child, &source, {}}, node.children, depth);
    else
      node.children.push_back(tree(child, source, depth + 1));
  }
  return node;
}

std::optional<Included> Sources::find(const std::string& name, const Node& by) {
  if (!load_) {
    skip(code::kIgnored, fmt::format("<{}>", by.name()), by, by.at());
    return std::nullopt;
  }
  auto found = load_(name, by.source->path, by.at());
  if (!found) return std::nullopt;
  bytes_ += found->text.size();
  if (sources_.size() < kMaxSources && bytes_ <= kMaxBytes) return found;
  if (!is_full_)
    by.report(code::kNesting, fmt::format("the model has more than {} files or {} MiB of them", kMaxSources, kMaxBytes >> 20));
  is_full_ = true;
  return std::nullopt;
}

void Sources::splice(const Node& by, std::vector<Node>& into, int depth) {
  const std::string name(by.element.attribute("file").value_or(""));
  if (name.empty()) {
    by.report(xml::code::kAttributeMissing, "<include> needs the attribute \"file\"");
    return;
  }
  auto loaded = find(name, by);
  if (!loaded) return;
  if (std::find(included_.begin(), included_.end(), loaded->path) != included_.end() ||
      std::find(open_.begin(), open_.end(), loaded->path) != open_.end()) {
    by.report(code::kNesting, by.element.attribute_position("file"),
              fmt::format("the file {} is included twice", quoted(name)));
    return;
  }
  included_.push_back(loaded->path);
  Source& source = sources_.emplace_back(loaded->path);
  if (!parse(source, loaded->text, true)) return;
  Node root = tree(source.document->root(), source, depth + 1);
  std::move(root.children.begin(), root.children.end(), std::back_inserter(into));
}

std::optional<Node> Sources::read(std::string_view text, const std::string& path) {
  Source& source = sources_.emplace_back(path);
  if (!parse(source, text, false)) return std::nullopt;
  // The includes of an attached model are counted separately.
  std::vector<std::string> included;
  std::swap(included, included_);
  open_.push_back(path);
  Node root = tree(source.document->root(), source, 0);
  open_.pop_back();
  std::swap(included, included_);
  return root;
}

std::optional<Node> Sources::load(const std::string& name, const Node& by, std::vector<std::string>& enclosing) {
  const auto loaded = find(name, by);
  if (!loaded) return std::nullopt;
  if (std::find(enclosing.begin(), enclosing.end(), loaded->path) != enclosing.end()) {
    by.report(code::kNesting, by.element.attribute_position("file"), fmt::format("the model {} attaches itself", quoted(name)));
    return std::nullopt;
  }
  enclosing.push_back(loaded->path);
  return read(loaded->text, loaded->path);
}

void Sources::skip(const Code& code, const std::string& what, const Node& node, Position at, const std::string& hint) {
  Skipped& entry = skipped_[std::string(code.name) + "\n" + what];
  if (entry.count++ > 0) return;
  entry.code = &code;
  entry.source = node.source;
  entry.first = at;
  entry.hint = hint;
}

Diagnostics Sources::take() {
  for (const auto& [key, entry] : skipped_)
    entry.source->problems.report(*entry.code, entry.first,
                                  fmt::format("{} is not {}{}{}", key.substr(key.find('\n') + 1),
                                              entry.code == &code::kUnknown ? "known, and not read" : "read",
                                              entry.count == 1 ? "" : fmt::format(", {} of them", entry.count), entry.hint));
  Diagnostics all;
  for (Source& source : sources_) {
    source.problems.sort();
    all.append(std::move(source.problems));
  }
  return all;
}

}  // namespace simbatch::mjcf::detail
