// A table of fixed size without locks, since signal handlers read it.

#include "base/core/mapped_files.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace simbatch {
namespace {

constexpr std::uintptr_t kFree = 0, kClaimed = 1;  // neither is the address of a mapping

struct Mapping {
  std::atomic<std::uintptr_t> begin = kFree;
  std::size_t bytes = 0, length = 0;  // set while the slot is claimed
  std::array<char, 512> name{};
};

std::array<Mapping, 64> mappings;

std::uintptr_t number_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace

void note_mapping(const void* begin, std::size_t bytes, std::string_view file) noexcept {
  for (Mapping& slot : mappings) {
    std::uintptr_t expected = kFree;
    if (!slot.begin.compare_exchange_strong(expected, kClaimed)) continue;
    slot.bytes = bytes;
    slot.length = std::min(file.size(), slot.name.size());
    std::copy_n(file.data(), slot.length, slot.name.data());
    slot.begin = number_of(begin);
    return;
  }
}

void forget_mapping(const void* begin) noexcept {
  for (Mapping& slot : mappings) {
    std::uintptr_t expected = number_of(begin);
    if (slot.begin.compare_exchange_strong(expected, kFree)) return;
  }
}

std::string_view mapped_file_at(const void* address) noexcept {
  const std::uintptr_t at = number_of(address);
  for (const Mapping& slot : mappings) {
    const std::uintptr_t begin = slot.begin;
    if (begin > kClaimed && at >= begin && at - begin < slot.bytes) return {slot.name.data(), slot.length};
  }
  return {};
}

}  // namespace simbatch
