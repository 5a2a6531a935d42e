// Binary recordings: read, and each of the first frames looked at; those that say what they are, as traces.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/trace/write.hpp"
#include "lib/sim/record/recorded_trace.hpp"
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
  if (!view.description) return 0;
  const auto trace = sim::trace_of(view, "fuzz", 0, 15 * view.header.every);
  if (trace.value && trace::to_json(*trace.value).empty()) std::abort();
  return 0;
}
