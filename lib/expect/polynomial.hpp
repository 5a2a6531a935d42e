#pragma once
/// Lattice polynomials: the value of a formula as a function of the unknown rest of the run. Internal to this room.

#include <cstdint>
#include <vector>

#include "lib/expect/margin.hpp"

namespace simbatch::expect::detail {

/// The maximum over terms, where each term is the minimum of a coefficient and the future values of a set of states. Every
/// function composed of minimum and maximum of these values has this form (G. Birkhoff, Lattice Theory, III.5), so its size is
/// at most 2^states.
class Polynomial {
 public:
  struct Term {
    std::uint32_t states = 0;  ///< bit j: the value of state j from the next step on
    Margin coefficient;
  };
  Polynomial() = default;
  explicit Polynomial(const Margin& constant) : terms_{{0, constant}} {}
  /// The next value of a state.
  static Polynomial next(std::uint32_t state) {
    Polynomial result;
    result.terms_.push_back({std::uint32_t{1} << state, Margin::always_true()});
    return result;
  }
  const std::vector<Term>& terms() const { return terms_; }

  /// Adds a term unless an existing one dominates it; drops terms that it dominates.
  void add(const Term& term);
  /// Disjunction and conjunction.
  static Polynomial either(Polynomial a, const Polynomial& b);
  static Polynomial both(const Polynomial& a, const Polynomial& b);

  /// Upper and lower bound of its future value.
  Margin upper() const;
  Margin lower() const;

 private:
  std::vector<Term> terms_;
};

}  // namespace simbatch::expect::detail
