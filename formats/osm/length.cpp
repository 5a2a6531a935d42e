// OSM wiki, "Map features/Units": meters without a unit; feet and inches as 7'4".
#include "formats/osm/length.hpp"

#include "base/core/number.hpp"
#include "base/core/text.hpp"

namespace simbatch::osm {
namespace {
constexpr double kFoot = 0.3048, kInch = 0.0254;  // m

std::optional<double> times(std::string_view text, double unit) {
  const Number<double> number = parse_double(trimmed(text));
  if (!number) return std::nullopt;
  return number.value * unit;
}
}  // namespace

std::optional<double> length_of(std::string_view text) {
  text = trimmed(text);
  if (text.ends_with("ft")) return times(text.substr(0, text.size() - 2), kFoot);
  if (text.ends_with('m')) return times(text.substr(0, text.size() - 1), 1);
  if (text.ends_with('\'')) return times(text.substr(0, text.size() - 1), kFoot);
  if (!text.ends_with('"')) return times(text, 1);
  const std::size_t feet_end = text.find('\'');
  const std::size_t begin = feet_end == std::string_view::npos ? 0 : feet_end + 1;
  const auto inches = times(text.substr(begin, text.size() - begin - 1), kInch);
  const auto feet = begin == 0 ? std::optional<double>(0) : times(text.substr(0, feet_end), kFoot);
  if (!inches || !feet) return std::nullopt;
  return *feet + *inches;
}

}  // namespace simbatch::osm
