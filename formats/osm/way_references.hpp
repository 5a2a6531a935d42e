#pragma once
/// The references of ways, from node ids to numbers. They are looked up in batches: the latency of many look-ups overlaps.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats/osm/document.hpp"
#include "formats/osm/references.hpp"
#include "formats/osm/xml_problems.hpp"

namespace simbatch::osm::detail {

class WayReferences {
 public:
  WayReferences(Model& model, MissingIds& missing, XmlProblems& problems, TextPosition& position)
      : model_(model), missing_(missing), problems_(problems), position_(position) {}

  /// Defers references until all nodes are known: each is stored as the difference from the previous one.
  void defer() { deferred_ = true; }
  bool deferred() const { return deferred_; }
  /// @param at  place of the reference, in the current window
  void add(Id id, const char* at) {
    if (deferred_) return pack(id);
    pending_[pending_count_] = id;
    pending_offsets_[pending_count_] = position_.offset(at);
    if (++pending_count_ == kBatch) flush();
  }
  /// How many were added.
  std::size_t size() const { return deferred_ ? packed_count_ : model_.refs.size() + pending_count_; }
  /// Resolves pending references. Call before the window is released. @pre the model's index is built, if any are pending
  void flush();
  /// Resolves the deferred references of another instance among this one's nodes. @return false if a node is missing
  bool add_deferred(const WayReferences& rest);
  /// Nodes came after ways: builds the index, and resolves missing references again.
  void resolve_late();

 private:
  void pack(Id id);

  static constexpr std::size_t kBatch = 64;
  Model& model_;
  MissingIds& missing_;
  XmlProblems& problems_;
  TextPosition& position_;
  std::array<Id, kBatch> pending_{};
  std::array<std::uint64_t, kBatch> pending_offsets_{};
  std::size_t pending_count_ = 0;
  bool deferred_ = false;
  std::vector<std::uint8_t> packed_;
  std::size_t packed_count_ = 0;
  Id packed_last_ = 0;
};

}  // namespace simbatch::osm::detail
