#pragma once
/// Resolves ids: references of ways and members of relations, for all file formats.

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/osm/document.hpp"

namespace simbatch::osm::detail {

/// Numbers ids that are referred to and absent: a hash table over Model::missing.
class MissingIds {
 public:
  explicit MissingIds(std::vector<Id>& missing) : missing_(missing) {}
  /// The id's number; added if missing.
  std::uint32_t number(Id id);
  /// Call after the numbers changed.
  void clear() { slots_.clear(); }

 private:
  std::vector<Id>& missing_;
  std::vector<std::uint32_t> slots_;  // number + 1; 0: free
};

/// Sets the references of all members of relations. Of several objects with one id the first is found.
/// @param ids  of the model's members, in their order
/// @pre the model's index is built
void resolve_members(Document& document, std::span<const Id> ids, MissingIds& missing);

/// An object whose id an earlier object of its kind has.
struct RepeatedObject {
  Kind kind{};
  std::uint32_t number = 0;
  friend auto operator<=>(const RepeatedObject&, const RepeatedObject&) = default;
};
/// All of them, ascending. @pre the model's index is built
std::vector<RepeatedObject> find_repeated(const Model& model);
/// "a second way with the id 5"
std::string describe(const Model& model, RepeatedObject object);

}  // namespace simbatch::osm::detail
