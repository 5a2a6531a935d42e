#pragma once
/// The files of a model as one tree of elements. Internal to this room.

#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/record_limit.hpp"
#include "base/xml/xml.hpp"
#include "formats/mjcf/codes.hpp"
#include "formats/mjcf/mjcf.hpp"

namespace simbatch::mjcf::detail {

/// A file that was read.
struct Source {
  explicit Source(std::string path_) : path(std::move(path_)), problems(path) {}
  std::string path, text;
  std::optional<xml::Document> document;
  Diagnostics problems;
  /// What was already reported, since every element of a class shares the faults of its defaults.
  std::set<std::pair<Position, std::string>> reported;
};

/// An element with its children, including those from included files.
struct Node {
  xml::Element element;
  Source* source = nullptr;
  std::vector<Node> children;

  std::string_view name() const { return element.name(); }
  Position at() const { return element.position(); }
  Place place() const { return {source->path, at()}; }
  void report(const Code& code, std::string message) const { report(code, at(), std::move(message)); }
  void report(const Code& code, Position where, std::string message) const;
};

/// All files of one model, and what is not read from them.
class Sources {
 public:
  explicit Sources(const Loader& load) : load_(load) {}

  /// Reads a text as a document whose root is <mujoco>; nothing after an error.
  std::optional<Node> read(std::string_view text, const std::string& path);
  /// Finds and reads a model named by `by`; nothing after a report.
  /// @param enclosing  in and out: paths of the models being read, from the outermost
  std::optional<Node> load(const std::string& name, const Node& by, std::vector<std::string>& enclosing);

  /// Notes an element or attribute that is not read, and how bad that is.
  void skip(const Code& code, const std::string& what, const Node& node, Position at, const std::string& hint = {});
  /// Everything that was found, in order.
  Diagnostics take();

 private:
  struct Skipped {
    const Code* code = nullptr;
    Source* source = nullptr;
    Position first;
    std::size_t count = 0;
    std::string hint;
  };
  /// Finds a file. Nothing after a report, including one about too many files.
  std::optional<Included> find(const std::string& name, const Node& by);
  bool parse(Source& source, std::string_view text, bool is_included);
  Node tree(const xml::Element& element, Source& source, int depth);
  void splice(const Node& by, std::vector<Node>& into, int depth);

  const Loader& load_;
  RecordCount elements_{code::kMany, "elements", 500'000};  // of all files: each becomes a node
  std::deque<Source> sources_;
  std::vector<std::string> open_, included_;
  std::size_t bytes_ = 0;  // of files that were found
  bool is_full_ = false;   // reported: too many files
  std::map<std::string, Skipped> skipped_;
};

}  // namespace simbatch::mjcf::detail
