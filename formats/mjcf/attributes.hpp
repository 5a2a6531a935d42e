#pragma once
/// Attributes of an element, combined with those of its class of defaults. Internal to this room.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/mjcf/source.hpp"

namespace simbatch::mjcf::detail {

/// The text of an attribute, and its position.
struct Value {
  std::string_view text;
  std::string_view name;
  const Node* node = nullptr;
  std::size_t words = 0;  ///< of the text
};
/// The attributes that a class of defaults gives one kind of element.
struct Layers {
  const Layers* parent = nullptr;                      ///< of the enclosing class; null: none
  std::map<std::string_view, std::vector<Value>> own;  ///< by attribute; a later one replaces as many numbers as it has
  /// Adds an element's attributes to those before.
  void add(const Node& node);
};

/// How an attribute is treated.
enum class Use { read, tuning, ignored };
struct KnownAttribute {
  std::string_view name;
  Use use = Use::read;
};

/// The attributes of one element. Getters report their own problems and return the fallback.
class Attributes {
 public:
  /// @param layers  of its class; null: none
  Attributes(const Node& node, const Layers* layers) : node_(node), layers_(layers) {}

  const Node& node() const { return node_; }
  bool ok() const { return ok_; }
  bool has(std::string_view name) const { return !find(name).empty(); }
  bool has_own(std::string_view name) const { return node_.element.attribute(name).has_value(); }
  std::string text(std::string_view name, std::string_view fallback = {}) const;
  /// As many numbers as there are, at most `max`, those of later layers overriding earlier ones; empty if it is absent.
  std::vector<double> numbers(std::string_view name, std::size_t max);
  double number(std::string_view name, double fallback, const xml::Range& range = {});
  int integer(std::string_view name, int fallback, int min, int max);
  geo::Vec3 vector(std::string_view name, geo::Vec3 fallback);
  /// Index of a word; `fallback` if the attribute is absent or none of them.
  std::size_t choice(std::string_view name, std::span<const std::string_view> words, std::size_t fallback);
  bool flag(std::string_view name, bool fallback);
  /// Two numbers in a row, the first below the second.
  std::optional<std::array<double, 2>> range(std::string_view name);
  /// The range, unless the attribute `switch_name` disables it: true, false, or auto (enabled if there is a range).
  std::optional<std::array<double, 2>> limited(std::string_view name, std::string_view switch_name, bool automatic);
  /// Reports at the attribute, wherever it was given.
  void fail(const Code& code, std::string_view name, std::string message);
  /// Notes all attributes of the element itself that are not read.
  void skip_others(std::span<const KnownAttribute> known, Sources& sources) const;

 private:
  std::vector<Value> find(std::string_view name) const;
  const Node& node_;
  const Layers* layers_;
  bool ok_ = true;
};

/// Skips children that nothing reads, and notes them like attributes. @param known  with Use::read: those that the caller reads
void skip_children(const Node& node, std::span<const KnownAttribute> known, Sources& sources);

}  // namespace simbatch::mjcf::detail
