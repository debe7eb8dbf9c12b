// Any formula gets its verdict and its forms within tight limits. Zero is never answered where an enclosure excludes
// zero, and the forms enclose the same value as the formula at points where both are defined.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dalembert/base/error.hpp>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/formula.hpp>
#include <string_view>

#include "expr/canonical/ball.hpp"

namespace {

using namespace dalembert;
using canonical::Ball;

[[noreturn]] void report(const char* what, const Displayed& form) {
  std::fprintf(stderr, "%s: %s\n", what, to_text(form).c_str());
  std::abort();
}

/// A point chosen by the input, off the few that the zero test itself looks at.
canonical::Point choose_point(Expr expression, std::uint32_t seed) {
  canonical::Point point;
  for (const Expr& symbol : free_symbols({&expression, 1})) {
    seed = seed * 1664525u + 1013904223u;
    mpq_class value(static_cast<long>(seed >> 20) - 1024, 509);
    value.canonicalize();
    point[symbol.id()] = value;
  }
  return point;
}

void check_form(const Displayed& form, const canonical::Point& point, const Ball& value, canonical::Budget& budget,
                const char* name) {
  if (!form.complete || !value.is_finite()) return;
  Ball other = evaluate_ball(form.expression, point, 256, budget);
  if (other.is_finite() && arb_overlaps(value.arb(), other.arb()) == 0) report(name, form);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 400) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Graph graph;
  try {
    const Expr expression = parse_expression(graph, text, {.characters = 400, .digits = 40, .exponent = 1000});
    const CanonicalLimits limits{.work = 5e6, .terms = 2000, .nodes = 300, .atoms = 40};
    const ZeroTest test = test_zero(expression, limits);
    const Displayed display = make_display(expression, {}, limits);
    const Displayed form = make_canonical(expression, limits);
    canonical::Budget budget({.work = 1e9});
    for (std::uint32_t seed = 1; seed < 4; ++seed) {
      const canonical::Point point = choose_point(expression, seed * 77777u + static_cast<std::uint32_t>(size));
      const Ball value = evaluate_ball(expression, point, 256, budget);
      if (test.verdict == Verdict::zero && value.excludes_zero()) report("not zero", display);
      check_form(display, point, value, budget, "display differs");
      check_form(form, point, value, budget, "canonical form differs");
    }
  } catch (const InputError&) {
    return 0;
  } catch (const canonical::TooLarge&) {
    return 0;
  }
  return 0;
}
