// Own: rows are compared step by step, so that the first difference found is the first that happened.
#include "formats/trace/compare.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/core/diagnostics.hpp"
#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "formats/trace/deviation.hpp"

namespace simbatch::trace {
namespace {

void compare_headers(const Header& a, const Header& b, std::vector<std::string>& out) {
  const auto line = [&](const char* what, const std::string& x, const std::string& y) {
    if (x != y) out.push_back(std::string(what) + ": " + x + " | " + y);
  };
  line("generator", a.generator, b.generator);
  line("scenario", a.scenario, b.scenario);
  line("seed", number_text(a.seed), number_text(b.seed));
  line("dt", number_text(a.dt), number_text(b.dt));
  line("steps", number_text(a.steps), number_text(b.steps));
  line("every", number_text(a.every), number_text(b.every));
  line("engine", a.engine, b.engine);
  line("mathematics", a.mathematics, b.mathematics);
  line("float mode", a.float_mode, b.float_mode);
  const auto digest = [](const Header& header, const std::string& name) -> std::string {
    for (const InputFile& input : header.inputs)
      if (input.name == name) return input.digest;
    return "-";
  };
  for (const InputFile& input : a.inputs) line(("input " + input.name).c_str(), input.digest, digest(b, input.name));
  for (const InputFile& input : b.inputs)
    if (digest(a, input.name) == "-") line(("input " + input.name).c_str(), "-", input.digest);
  const auto change = [](const Header& header, const std::string& at) -> std::string {
    for (const FileChange& each : header.settings)
      if (each.at == at) return each.value;
    return "-";
  };
  for (const FileChange& each : a.settings) line(("setting " + each.at).c_str(), each.value, change(b, each.at));
  for (const FileChange& each : b.settings)
    if (change(a, each.at) == "-") line(("setting " + each.at).c_str(), "-", each.value);
  const auto script = [](const Header& header, std::size_t i) -> std::string {
    if (i >= header.script.size()) return "-";
    const ScriptSetting& setting = header.script[i];
    return "step " + number_text(setting.step) + " " + setting.device + " " + setting.input + " " + number_text(setting.value);
  };
  // One that was left out shifts all others: the first difference is enough.
  for (std::size_t i = 0; i < std::max(a.script.size(), b.script.size()); ++i) {
    if (script(a, i) == script(b, i)) continue;
    line("script", script(a, i), script(b, i));
    break;
  }
}

// The rows of steps that both have, as pairs of indices. Steps increase in both.
std::vector<std::pair<std::size_t, std::size_t>> common_rows(const Trace& a, const Trace& b) {
  std::vector<std::pair<std::size_t, std::size_t>> rows;
  std::size_t i = 0, j = 0;
  while (i < a.steps.size() && j < b.steps.size()) {
    if (a.steps[i] < b.steps[j]) {
      ++i;
    } else if (a.steps[i] > b.steps[j]) {
      ++j;
    } else {
      rows.emplace_back(i++, j++);
    }
  }
  return rows;
}

// Compares the columns that two traces have in common.
class ColumnComparison {
 public:
  ColumnComparison(const Trace& a, const Trace& b, double tolerance, Comparison& result)
      : a_(a), b_(b), tolerance_(tolerance), rows_(common_rows(a, b)), first_row_(rows_.size()), result_(result) {
    const auto count = static_cast<std::int64_t>(rows_.size());
    result.rows = count;
    result.rows_only_a = static_cast<std::int64_t>(a.steps.size()) - count;
    result.rows_only_b = static_cast<std::int64_t>(b.steps.size()) - count;
  }

  void run() {
    std::unordered_map<std::string_view, std::size_t> by_name;
    for (std::size_t d = 0; d < b_.header.devices.size(); ++d) by_name.emplace(b_.header.devices[d].name, d);
    std::vector<bool> common(b_.header.devices.size(), false);
    for (std::size_t d = 0; d < a_.header.devices.size(); ++d) {
      const auto found = by_name.find(a_.header.devices[d].name);
      if (found == by_name.end()) {
        result_.only_a.push_back(a_.header.devices[d].name);
      } else {
        common[found->second] = true;
        devices(d, found->second);
      }
    }
    for (std::size_t d = 0; d < common.size(); ++d)
      if (!common[d]) result_.only_b.push_back(b_.header.devices[d].name);
  }

 private:
  // Fields correspond if name and type are the same.
  static std::size_t index_of(const Field& wanted, const std::vector<Field>& fields) {
    std::size_t i = 0;
    while (i < fields.size() && (fields[i].name != wanted.name || fields[i].type != wanted.type)) ++i;
    return i;
  }

  void devices(std::size_t in_a, std::size_t in_b) {
    const Device& left = a_.header.devices[in_a];
    const Device& right = b_.header.devices[in_b];
    for (const Field& field : right.fields)
      if (index_of(field, left.fields) == left.fields.size()) result_.only_b.push_back(right.name + "." + field.name);
    for (std::size_t f = 0; f < left.fields.size(); ++f) {
      const std::size_t g = index_of(left.fields[f], right.fields);
      if (g == right.fields.size())
        result_.only_a.push_back(left.name + "." + left.fields[f].name);
      else
        columns(left, left.fields[f], a_.columns[in_a][f], b_.columns[in_b][g]);
    }
  }

  void columns(const Device& device, const Field& field, const Column& x, const Column& y) {
    const bool is_text = field.type == FieldType::text;
    const double turn = turn_of(field);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const auto [i, j] = rows_[r];
      if (is_text ? x.texts[i] == y.texts[j] : std::abs(x.numbers[i] - y.numbers[j]) <= tolerance_) continue;
      ++result_.differing_values;
      const double size = is_text ? 0 : std::abs(difference(x.numbers[i], y.numbers[j], turn));
      note(device, field, a_.steps[i], size);
      if (r >= first_row_) continue;
      first_row_ = r;
      Difference& first = result_.first.emplace();
      first.step = a_.steps[i];
      first.time = static_cast<double>(first.step) * a_.header.dt;
      first.device = device.name;
      first.field = field.name;
      first.a = is_text ? quoted(x.texts[i], 100) : number_text(x.numbers[i]);
      first.b = is_text ? quoted(y.texts[j], 100) : number_text(y.numbers[j]);
      first.size = size;
    }
  }

  void note(const Device& device, const Field& field, std::int64_t step, double size) {
    std::vector<FieldDifferences>& all = result_.fields;
    if (all.empty() || all.back().device != device.name || all.back().field != field.name)
      all.push_back({device.name, field.name, step, 0, 0});
    ++all.back().count;
    all.back().largest = std::max(all.back().largest, size);
  }

  const Trace& a_;
  const Trace& b_;
  double tolerance_;
  std::vector<std::pair<std::size_t, std::size_t>> rows_;
  std::size_t first_row_;  // of those with a difference, so far
  Comparison& result_;
};

// The first step of which both have a hash, and not the same.
std::optional<std::int64_t> first_different_hash(const Trace& a, const Trace& b) {
  std::size_t j = 0;
  for (const HashPoint& point : a.hashes) {
    while (j < b.hashes.size() && b.hashes[j].step < point.step) ++j;
    if (j == b.hashes.size()) break;
    if (b.hashes[j].step == point.step && b.hashes[j].hash != point.hash) return point.step;
  }
  return std::nullopt;
}

std::string end_text(const Trace& trace) {
  if (!trace.end) return "cut";
  return trace.end->outcome + " after " + number_text(trace.end->steps) + " steps, state hash " + hex64(trace.end->state_hash);
}

}  // namespace

Comparison compare(const Trace& a, const Trace& b, double tolerance) {
  Comparison result;
  compare_headers(a.header, b.header, result.headers);
  ColumnComparison(a, b, tolerance, result).run();
  // Expectations are not part of a run.
  const auto end_of = [](const Trace& trace) {
    std::optional<End> end = trace.end;
    if (end) end->expectations.clear();
    return end;
  };
  const auto steps = [](const Trace& trace) { return trace.end ? trace.end->steps : -1; };
  if (tolerance == 0) result.first_hash = first_different_hash(a, b);
  const auto outcome = [](const Trace& trace) { return trace.end ? trace.end->outcome : ""; };
  if (tolerance == 0 ? end_of(a) != end_of(b) : steps(a) != steps(b) || outcome(a) != outcome(b))
    result.ends = end_text(a) + " | " + end_text(b);
  return result;
}

}  // namespace simbatch::trace
