#pragma once
/// Lattice polynomials: what is known of a formula when the rest of the run is not. Internal to this room.

#include <cstdint>
#include <vector>

#include "lib/expect/margin.hpp"

namespace simbatch::expect::detail {

/// The greatest, over terms, of the least of a coefficient and the future values of a set of states. Every function that least and
/// greatest can make of these values has this form (G. Birkhoff, Lattice Theory, III.5), so 2 to the number of states bounds its size.
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

  /// Adds a term, unless another one is never less; drops those that it makes superfluous.
  void add(const Term& term);
  /// Disjunction and conjunction.
  static Polynomial either(Polynomial a, const Polynomial& b);
  static Polynomial both(const Polynomial& a, const Polynomial& b);

  /// The greatest and the least that it can become.
  Margin upper() const;
  Margin lower() const;

 private:
  std::vector<Term> terms_;
};

}  // namespace simbatch::expect::detail
