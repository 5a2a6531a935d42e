// MCAP files: whatever is read as a trace must be written and read back the same.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "formats/trace/read.hpp"
#include "formats/trace/write.hpp"

using namespace simbatch;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = trace::read_mcap({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!read.ok() || !read.value) return 0;
  const std::string again = trace::to_json(*read.value);
  // Most changes that leave a file readable leave its trace as it was: each trace goes there and back once.
  static std::unordered_set<std::size_t> done;
  if (!done.insert(std::hash<std::string>{}(again)).second) return 0;
  const auto second = trace::read_json(again, "again");
  if (!second.value || trace::to_json(*second.value) != again) std::abort();
  return 0;
}
