#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <dalembert/base/error.hpp>
#include <dalembert/expr/canonical.hpp>

#include "expr/canonical/ball.hpp"
#include "expr/canonical/convert.hpp"
#include "expr/canonical/proof.hpp"
#include "expr/walk.hpp"

// The zero test: an enclosure that excludes zero at a point, or a proof, or neither.

namespace dalembert {
namespace {

using namespace canonical;

/// Rational points that no simple expression singles out: inside the domains of roots, logarithms and arc functions
/// first, then of either sign, then of other sizes, then whole numbers.
mpq_class coordinate(int trial, std::size_t symbol) {
  long k = static_cast<long>(symbol) * 31 + trial * 17;
  long sign = ((static_cast<long>(symbol) * 7 + trial * 5) >> (trial % 3)) % 2 == 0 ? 1 : -1;
  mpq_class within(37 + (k * 29) % 89, 131);  // in (0.28, 0.96)
  within.canonicalize();
  switch (trial % 8) {
    case 0: return within;
    case 1: return sign * within;
    case 2: return 1 + within * 3;
    case 3: return -within;
    case 4: return within / 64;
    case 5: return sign * (2 + within * 40);
    case 6: return (k % 5) - 2;
    default: return sign * within * within / 7 + (trial % 16 == 7 ? 0 : sign * 5);
  }
}

/// Small numbers of either sign and halves, in every mixture: where (x^y)^z and x^(y*z) differ, x is negative and y is
/// even.
mpq_class small_number(int trial, std::size_t symbol) {
  const mpq_class numbers[] = {-2, 2, mpq_class(1, 2), -1, 3};
  std::uint64_t mixed = (static_cast<std::uint64_t>(trial) * 1000003u + symbol + 1) * 0x9e3779b97f4a7c15u;
  return numbers[(mixed ^ (mixed >> 29)) % 0x7fffffffu % std::size(numbers)];
}

/// Powers with a base of either sign are defined on lines and at points only, that no other trial meets.
bool has_general_power(Expr expression) {
  Walk walk(expression.graph(), {&expression, 1});
  return std::ranges::any_of(walk.order(), [&](NodeId id) { return expression.graph().op(id) == Op::power; });
}

std::string describe(const Point& point, const Graph& graph) {
  if (point.empty()) return "as a number";
  std::string text = "at";
  std::size_t count = 0;
  for (const auto& [symbol, value] : point) {
    if (++count > 8) return text + ", ...";
    text += fmt::format("{} {} = {}", count == 1 ? "" : ",", graph.name(symbol), value.get_str());
  }
  return text;
}

class Trial {
 public:
  Trial(Expr expression, Budget& budget) : expression_(expression), budget_(budget) {
    symbols_ = free_symbols({&expression, 1});
  }

  /// Looks at points [first, last) with these bits; true when one excludes zero.
  bool look(int first, int last, long bits, mpq_class (*choose)(int, std::size_t) = coordinate) {
    if (symbols_.empty()) last = std::min(last, first + 1);
    for (int trial = first; trial < last; ++trial) {
      Point point;
      for (std::size_t i = 0; i < symbols_.size(); ++i) {
        const NodeId symbol = symbols_[i].id();
        point[symbol] = choose(trial, i);
        if (expression_.graph().is_nonnegative(symbol)) point[symbol] = abs(point[symbol]);
      }
      Ball value = evaluate_ball(expression_, point, bits, budget_);
      ++looked_;
      if (value.is_finite()) ++defined_;
      if (!value.excludes_zero()) continue;
      evidence_ = fmt::format("{} it lies in {}", describe(point, expression_.graph()), value.text());
      return true;
    }
    return false;
  }
  const std::string& evidence() const { return evidence_; }
  int defined() const { return defined_; }
  int looked() const { return looked_; }

 private:
  Expr expression_;
  Budget& budget_;
  std::vector<Expr> symbols_;
  std::string evidence_;
  int looked_ = 0, defined_ = 0;
};

/// How zero was proved, or nothing and what was tried.
std::optional<std::string> prove(Expr expression, Budget& budget, std::string& tried) {
  try {
    Graph scratch;
    Expr copy = copy_to(scratch, {&expression, 1})[0];
    Knowledge knowledge;
    Conversion conversion = convert_all({&copy, 1}, knowledge, budget);
    if (auto proof = prove_zero(*conversion.ring, conversion.fractions[0].numerator)) return proof;
    tried = "no proof of zero was found";
  } catch (const TooLarge& reason) {
    tried = "no proof of zero was reached: " + reason.what;
  } catch (const Undefined& reason) {
    tried = "it seems to be defined nowhere: " + reason.what;
  } catch (const FormulaError& error) {
    tried = std::string("it seems to be defined nowhere: ") + error.what();
  }
  return {};
}

ZeroTest decide(Expr expression, Budget& budget) {
  if (expression.is_constant())
    return {expression.is_zero() ? Verdict::zero : Verdict::nonzero,
            "it is the number " + expression.value().get_str()};
  const CanonicalLimits& limits = budget.limits();
  if (count_nodes({&expression, 1}) > limits.nodes) return {Verdict::undecided, "the expression has too many nodes"};
  std::string tried;
  Trial trial(expression, budget);
  try {
    if (trial.look(0, 8, 64)) return {Verdict::nonzero, trial.evidence()};
    // The proof may take two thirds of the work; points at high precision get the rest.
    CanonicalLimits less = limits;
    less.work = std::min(limits.work * 2 / 3, budget.left());
    Budget for_proof(less);
    std::optional<std::string> proof = prove(expression, for_proof, tried);
    budget.charge(for_proof.spent());
    if (proof) return {Verdict::zero, *proof};
    if (trial.look(0, 4, 256) || trial.look(0, 4, 1024) || trial.look(8, 64, 128) || trial.look(0, 3, 4096) ||
        trial.look(0, 1, 16384) || (has_general_power(expression) && trial.look(0, 200, 128, small_number)))
      return {Verdict::nonzero, trial.evidence()};
  } catch (const TooLarge& reason) {
    tried += (tried.empty() ? "" : "; ") + reason.what;
  }
  return {Verdict::undecided, fmt::format("{}; the enclosures at {} points ({} of them defined) contain zero", tried,
                                          trial.looked(), trial.defined())};
}

}  // namespace

ZeroTest test_zero(Expr expression, const CanonicalLimits& limits) {
  Budget budget(limits);
  ZeroTest test = decide(expression, budget);
  test.work = budget.spent();
  return test;
}

ZeroTest test_equal(Expr a, Expr b, const CanonicalLimits& limits) { return test_zero(a - b, limits); }

bool are_equal(Expr a, Expr b, const CanonicalLimits& limits) {
  return test_equal(a, b, limits).verdict == Verdict::zero;
}

}  // namespace dalembert
