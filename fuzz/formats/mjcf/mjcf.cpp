#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "formats/mjcf/mjcf.hpp"

// A file that is included or attached has the same text, under up to three names.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto load = [&](const std::string& name, const std::string&,
                        simbatch::Position) -> std::optional<simbatch::mjcf::Included> {
    if (name.empty()) return std::nullopt;
    return simbatch::mjcf::Included{std::string(1, "abc"[name.size() % 3]), std::string(text)};
  };
  (void)simbatch::mjcf::read_mjcf(text, "fuzz", load);
  return 0;
}
