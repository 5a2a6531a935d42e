#pragma once
/// Signals from a table, and an evaluator that is slow, simple and written independently of the monitor: it looks at the whole
/// table.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "lib/expect/monitor.hpp"

namespace simbatch::expect::test {

/// Nodes "n" with fields, each a column.
class FixedSignals final : public SignalSource {
 public:
  struct Column {
    std::string name, unit;
    std::vector<double> values;
  };
  explicit FixedSignals(std::vector<Column> columns) : columns_(std::move(columns)) {}
  Lookup field(std::string_view node, std::string_view field) override {
    return at(std::string(node) + "." + std::string(field));
  }
  Lookup event(std::string_view event, const std::vector<std::string>& names) override {
    Lookup found = at(std::string(event) + "." + names[0]);
    if (!found.signal) found = {std::nullopt, "there is no body " + quoted(names[0]), true};
    return found;
  }
  std::vector<std::string> fields() const override {
    std::vector<std::string> names;
    for (const Column& column : columns_) names.push_back(column.name);
    return names;
  }
  std::size_t steps() const { return columns_[0].values.size(); }
  std::vector<double> row(std::size_t step) const {
    std::vector<double> values;
    for (const Column& column : columns_) values.push_back(column.values[step]);
    return values;
  }
  const std::vector<Column>& columns() const { return columns_; }

 private:
  Lookup at(const std::string& name) const {
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i].name == name) return {Signal{i, columns_[i].unit}, {}, false};
    return {};
  }
  std::vector<Column> columns_;
};

/// Straight from the definition, for every step: O(steps^2) for each operator.
class SlowEvaluator {
 public:
  SlowEvaluator(const Expectation& expectation, const FixedSignals& signals, double dt)
      : e_(expectation), signals_(signals), dt_(dt), last_(static_cast<long>(signals.steps()) - 1) {}
  /// (margin, truth) at a step.
  using Value = std::pair<double, bool>;
  Value at(std::uint32_t i, long t) {
    const Node& n = e_.nodes[i];
    const auto key = std::pair(i, t);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    return known_[key] = compute(n, t);
  }
  Value whole() { return at(e_.root(), 0); }

 private:
  static constexpr double kInf = std::numeric_limits<double>::infinity();
  double number(const Node& n, long t) {
    const auto c = [&](std::size_t k) { return number(e_.nodes[n.children[k]], t); };
    switch (n.kind) {
      case Kind::number: return n.unit.empty() ? n.value : n.value * find_unit(n.unit)->factor;
      case Kind::time: return static_cast<double>(t) * dt_;
      case Kind::field:
        for (const auto& column : signals_.columns())
          if (column.name == n.text) return column.values[static_cast<std::size_t>(t)];
        return kInf;
      case Kind::negate: return -c(0);
      case Kind::add: return c(0) + c(1);
      case Kind::subtract: return c(0) - c(1);
      case Kind::multiply: return c(0) * c(1);
      case Kind::divide: return c(0) / c(1);
      default: break;
    }
    if (n.text == "abs") return std::fabs(c(0));
    if (n.text == "min") return std::min(c(0), c(1));
    if (n.text == "max") return std::max(c(0), c(1));
    return n.text == "rate" && t > 0 ? (c(0) - number(e_.nodes[n.children[0]], t - 1)) / dt_ : 0;
  }
  Value compute(const Node& n, long t) {
    const auto c = [&](std::size_t k, long u) { return at(n.children[k], u); };
    const auto not_ = [](Value v) { return Value(-v.first, !v.second); };
    const long from = t + std::lround(n.window.from / dt_);
    const long to = n.window.to_end ? last_ : std::min(last_, t + std::lround(n.window.to / dt_));
    Value result;
    switch (n.kind) {
      case Kind::compare: {
        const double a = number(e_.nodes[n.children[0]], t), b = number(e_.nodes[n.children[1]], t);
        switch (n.comparison) {
          case Comparison::less: return {b - a, a < b};
          case Comparison::less_equal: return {b - a, a <= b};
          case Comparison::greater: return {a - b, a > b};
          case Comparison::greater_equal: return {a - b, a >= b};
          case Comparison::equal: return {-std::fabs(a - b), a == b};
          case Comparison::not_equal: return {std::fabs(a - b), a != b};
        }
        return {};
      }
      case Kind::negation: return not_(c(0, t));
      case Kind::implication: return std::max(not_(c(0, t)), c(1, t));
      case Kind::conjunction:
        result = {kInf, true};
        for (std::size_t k = 0; k < n.children.size(); ++k) result = std::min(result, c(k, t));
        return result;
      case Kind::disjunction:
        result = {-kInf, false};
        for (std::size_t k = 0; k < n.children.size(); ++k) result = std::max(result, c(k, t));
        return result;
      case Kind::always:
        result = {kInf, true};
        for (long u = from; u <= to; ++u) result = std::min(result, c(0, u));
        return result;
      case Kind::eventually:
        result = {-kInf, false};
        for (long u = from; u <= to; ++u) result = std::max(result, c(0, u));
        return result;
      case Kind::finally: return c(0, last_);
      case Kind::until:
        result = {-kInf, false};
        for (long u = from; u <= to; ++u) {
          Value here = c(1, u);
          for (long v = t; v < u; ++v) here = std::min(here, c(0, v));
          result = std::max(result, here);
        }
        return result;
      default: return {};
    }
  }
  const Expectation& e_;
  const FixedSignals& signals_;
  double dt_;
  long last_;
  std::map<std::pair<std::uint32_t, long>, Value> known_;
};

}  // namespace simbatch::expect::test
