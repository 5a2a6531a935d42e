#include "lib/expect/polynomial.hpp"

#include <algorithm>

namespace simbatch::expect::detail {

void Polynomial::add(const Term& term) {
  for (const Term& other : terms_)
    if ((other.states & ~term.states) == 0 && !less(other.coefficient, term.coefficient)) return;
  std::erase_if(terms_, [&](const Term& other) {
    return (term.states & ~other.states) == 0 && !less(term.coefficient, other.coefficient);
  });
  terms_.push_back(term);
}

Polynomial Polynomial::either(Polynomial a, const Polynomial& b) {
  for (const Term& term : b.terms_) a.add(term);
  return a;
}

Polynomial Polynomial::both(const Polynomial& a, const Polynomial& b) {
  Polynomial result;
  for (const Term& x : a.terms_)
    for (const Term& y : b.terms_) result.add({x.states | y.states, least(x.coefficient, y.coefficient)});
  return result;
}

Margin Polynomial::upper() const {
  if (terms_.empty()) return Margin::always_false();
  Margin result = terms_[0].coefficient;
  for (const Term& term : terms_) result = greatest(result, term.coefficient);
  return result;
}

Margin Polynomial::lower() const {
  for (const Term& term : terms_)
    if (term.states == 0) return term.coefficient;
  return Margin::always_false();
}

}  // namespace simbatch::expect::detail
