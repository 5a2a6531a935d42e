// What comes from viewers: commands, and the headers that decide who may come in.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lib/serve/commands.hpp"
#include "lib/serve/gate.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::serve;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = parse_command(text);
  if (const auto* command = std::get_if<Command>(&parsed)) {
    if (command->steps < 1 || !std::isfinite(command->value) || !(command->times >= 0 && command->times <= 1000)) std::abort();
    if (command->act == Act::set && command->device.size() + command->input.size() > 2 * size) std::abort();
  }
  // Three lines: target, Host, Origin. Nothing that lacks the token comes in; nor, without one, what calls us by another name.
  const std::size_t first = text.find('\n'), second = first == std::string_view::npos ? first : text.find('\n', first + 1);
  if (second == std::string_view::npos) return 0;
  const Visit visit{text.substr(0, first), text.substr(first + 1, second - first - 1), text.substr(second + 1)};
  if (refusal(visit, "").empty() && !is_own_host(visit.host)) std::abort();
  if (refusal(visit, "secret").empty() && visit.target.find("token=secret") == std::string_view::npos) std::abort();
  return 0;
}
