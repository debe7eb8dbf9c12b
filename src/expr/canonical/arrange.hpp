#pragma once
// Quotients of polynomials in atoms, arranged for reading.

#include <dalembert/expr/display.hpp>
#include <set>

#include "expr/canonical/ring.hpp"

namespace dalembert::canonical {

/// A sum that begins with a positive term where there is one.
Shown begin_positive(std::vector<Shown> terms);

class Arranger {
 public:
  /// Rates: names of symbols to collect by.
  Arranger(Ring& ring, const std::set<std::string>& rates);

  /// Factored, with sines or cosines eliminated, collected by rates or atoms: whatever leaves least to read.
  Shown arrange(const Fraction& fraction);
  /// Numerator and denominator as plain sums.
  Shown arrange_plainly(const Fraction& fraction);

 private:
  struct Factor {
    std::optional<std::size_t> generator;
    Shown base;
    mpq_class exponent;
    bool turns = false;        ///< a sum whose terms differ in sign: a minus sign before it can go inside
    std::optional<Poly> poly;  ///< of a sum
  };
  struct Arranged {
    mpq_class number = 1;
    std::vector<Factor> factors;
  };

  void rank_generators();
  std::vector<Term> sorted_terms(const Poly& poly) const;
  Shown show_generator(std::size_t index);
  Shown show_argument(std::size_t index);
  void add_generator(Arranged& to, std::size_t index, long exponent);
  Arranged arrange_term(const Term& term);
  Arranged arrange_factors(const Poly& poly);
  Arranged arrange_poly(const Poly& poly, int depth);
  Shown arrange_sum(const Poly& poly, int depth);
  std::optional<Shown> complete_squares(const Poly& poly, int depth);
  Shown collect(const Poly& poly, const std::vector<std::size_t>& by, int depth);
  Shown collect_greedily(const Poly& poly, int depth);
  void fold_functions(Arranged& product) const;
  void merge(Arranged& product) const;
  Shown finish(Arranged product, int depth);

  Ring& ring_;
  const std::set<std::string>& rates_;
  std::vector<std::size_t> by_rank_;  // generators in the order of reading
  std::vector<std::size_t> rate_generators_;
  std::vector<std::optional<Shown>> shown_;
};

}  // namespace dalembert::canonical
