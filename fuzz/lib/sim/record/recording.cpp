// Binary recordings: read, and each of the first frames looked at.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lib/sim/record/recording.hpp"

using namespace simbatch;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto parsed = sim::read_recording(bytes, "fuzz");
  if (!parsed.value) {
    if (!parsed.diagnostics.has_errors()) std::abort();
    return 0;
  }
  const sim::RecordingView& view = *parsed.value;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(view.frames, 16); ++i) {
    const std::string_view frame = view.frame(i);
    if (frame.size() != view.header.frame_bytes) std::abort();
    if (!frame.empty() && (frame.data() < bytes.data() || frame.data() + frame.size() > bytes.data() + bytes.size()))
      std::abort();
  }
  return 0;
}
