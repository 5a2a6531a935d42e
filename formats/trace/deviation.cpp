#include "formats/trace/deviation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace simbatch::trace {
namespace {

/// Numbers of both, in one pass.
Deviation deviation_of(const std::vector<double>& a, const std::vector<double>& b, double turn,
                       const std::vector<std::pair<std::size_t, std::size_t>>& rows) {
  Deviation out;
  double squares = 0, sum = 0, low = 0, high = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double value = a[rows[i].first];
    low = i == 0 ? value : std::min(low, value);
    high = i == 0 ? value : std::max(high, value);
    const double apart = difference(value, b[rows[i].second], turn);
    squares += apart * apart;
    sum += apart;
    if (std::abs(apart) > out.max) {
      out.max = std::abs(apart);
      out.row = i;
    }
  }
  if (rows.empty()) return out;
  const auto count = static_cast<double>(rows.size());
  out.rms = std::sqrt(squares / count);
  out.mean = sum / count;
  out.spread = high - low;
  return out;
}

/// A difference relative to the field's own range.
double weight(const Deviation& deviation) {
  constexpr double kLeast = 1e-12;
  return deviation.rms / std::max(deviation.spread, kLeast);
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> common_times(const Trace& a, const Trace& b) {
  constexpr double kSame = 1e-6;
  const double tolerance = kSame * std::min(a.header.dt, b.header.dt);
  std::vector<std::pair<std::size_t, std::size_t>> rows;
  for (std::size_t i = 0, j = 0; i < a.steps.size() && j < b.steps.size();) {
    const double time_a = static_cast<double>(a.steps[i]) * a.header.dt, time_b = static_cast<double>(b.steps[j]) * b.header.dt;
    if (std::abs(time_a - time_b) <= tolerance)
      rows.emplace_back(i++, j++);
    else
      ++(time_a < time_b ? i : j);
  }
  return rows;
}

double turn_of(const Field& field) {
  if (!field.name.starts_with("heading") && !field.name.starts_with("course")) return 0;
  return field.unit == "deg" ? 360 : field.unit == "rad" ? 2 * std::numbers::pi : 0;
}

double difference(double a, double b, double turn) {
  const double apart = b - a;
  return turn > 0 ? apart - turn * std::round(apart / turn) : apart;
}

std::vector<Deviation> deviations(const Trace& a, const Trace& b, const std::vector<std::pair<std::size_t, std::size_t>>& rows,
                                  const std::function<bool(std::string_view name)>& wanted) {
  std::map<std::string_view, std::size_t> devices;
  for (std::size_t d = 0; d < b.header.devices.size(); ++d) devices.emplace(b.header.devices[d].name, d);
  std::vector<Deviation> all;
  for (std::size_t d = 0; d < a.header.devices.size(); ++d) {
    const Device& device = a.header.devices[d];
    const auto other = devices.find(device.name);
    if (other == devices.end() || (wanted && !wanted(device.name))) continue;
    std::map<std::string_view, std::size_t> fields;
    const std::vector<Field>& others = b.header.devices[other->second].fields;
    for (std::size_t f = 0; f < others.size(); ++f) fields.emplace(others[f].name, f);
    for (std::size_t f = 0; f < device.fields.size(); ++f) {
      const Field& field = device.fields[f];
      const auto same = fields.find(field.name);
      if (same == fields.end() || field.type == FieldType::text || others[same->second].type == FieldType::text ||
          others[same->second].unit != field.unit)
        continue;
      Deviation& made = all.emplace_back(
          deviation_of(a.columns[d][f].numbers, b.columns[other->second][same->second].numbers, turn_of(field), rows));
      made.device_a = d;
      made.device_b = other->second;
      made.field_a = f;
      made.field_b = same->second;
    }
  }
  return all;
}

std::vector<Deviation> ranked(std::vector<Deviation> all) {
  std::erase_if(all, [](const Deviation& deviation) { return !deviation.differs(); });
  std::stable_sort(all.begin(), all.end(), [](const Deviation& x, const Deviation& y) { return weight(x) > weight(y); });
  return all;
}

}  // namespace simbatch::trace
