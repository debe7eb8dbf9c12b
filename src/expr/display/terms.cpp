#include "expr/display/terms.hpp"

#include <algorithm>
#include <dalembert/expr/canonical.hpp>
#include <iterator>
#include <optional>

namespace dalembert {
namespace {

using Kind = Shown::Kind;

Shown negative(Shown shown) {
  if (begins_negative(shown)) return without_sign(std::move(shown));
  switch (shown.kind) {
    case Kind::number: shown.value = -shown.value; return shown;
    case Kind::quotient: shown.children[0] = negative(std::move(shown.children[0])); return shown;
    case Kind::sum:
      for (Shown& term : shown.children) term = negative(std::move(term));
      return shown;
    case Kind::product:
      if (shown.children[0].kind == Kind::number) {
        shown.children[0].value = -shown.children[0].value;
        return shown;
      }
      shown.children.insert(shown.children.begin(), show_number(-1));
      return shown;
    default: return show_product({show_number(-1), std::move(shown)});
  }
}

/// A quotient with one sum above: d*(a + b)/c.
struct SumOver {
  std::vector<Shown> terms;
  Shown factor, divisor;
};

std::optional<SumOver> split_sum(const Shown& shown) {
  if (shown.kind != Kind::quotient) return {};
  const Shown &above = shown.children[0], &below = shown.children[1];
  if (above.kind == Kind::sum) return SumOver{above.children, show_number(1), below};
  const auto is_sum = [](const Shown& factor) { return factor.kind == Kind::sum; };
  if (above.kind != Kind::product || std::ranges::count_if(above.children, is_sum) != 1) return {};
  if (below.kind == Kind::number) return {};
  std::vector<Shown> others = above.children;
  const auto sum = std::ranges::find_if(others, is_sum);
  std::vector<Shown> terms = std::move(sum->children);
  others.erase(sum);
  return SumOver{std::move(terms), show_product(std::move(others)), below};
}

/// d*(a + b)/c as d*a/c + d*b/c where c divides something of a or b, and where that is not much more to read. Every
/// term is a formula to simplify: where the work will not do for those that are left, it is not begun.
Shown spread(Shown shown, Graph& graph, Work& work) {
  if (work.is_used_up()) return shown;
  const std::optional<SumOver> over = split_sum(shown);
  if (!over) return shown;
  const std::size_t whole = count_signs(shown);
  const Expr divisor = to_expr(over->divisor, graph) / to_expr(over->factor, graph);
  const std::size_t below = count_signs(over->divisor) + 2;
  const auto is_too_long = [whole](std::size_t signs) { return 2 * signs > 3 * whole; };
  std::vector<Shown> terms;
  std::size_t signs = 0;
  const double given = work.left();
  const auto above = static_cast<double>(count_signs(shown.children[0]));
  double done = 0;  // signs of the terms so far
  bool divides = false;
  for (const Shown& term : over->terms) {
    CanonicalLimits limits;
    limits.work = work.left();
    Displayed part = make_display(to_expr(term, graph) / divisor, {}, limits);
    work.spend(part.work);
    done += static_cast<double>(count_signs(term));
    const double each = (given - work.left()) / done;
    if (!part.complete || each * (above - done) > work.left()) return shown;
    divides = divides || count_signs(part.shown) < count_signs(term) + below;
    terms.push_back(open_brackets(spread(std::move(part.shown), graph, work)));
    signs += count_signs(terms.back());
    if (is_too_long(signs)) return shown;  // whatever the others are
  }
  Shown sum = show_sum(std::move(terms));
  return divides && !is_too_long(count_signs(sum)) ? sum : shown;
}

bool reads(const Shown& shown, const std::string& name) {
  return (shown.kind == Kind::name && shown.text == name) ||
         std::ranges::any_of(shown.children, [&](const Shown& child) { return reads(child, name); });
}

/// A term that has a rate as one of its factors, apart from it and from its number.
struct RateTerm {
  mpq_class number;
  std::vector<Shown> others;
  Shown rate;
};

std::optional<RateTerm> split_rate(const Shown& term) {
  const auto is_rate = [](const Shown& factor) {
    return factor.kind == Kind::name && factor.text.ends_with('\'') && !factor.text.ends_with("''");
  };
  if (term.kind != Kind::product) return std::nullopt;
  const auto rate = std::ranges::find_if(term.children, is_rate);
  if (rate == term.children.end()) return std::nullopt;
  RateTerm split{1, term.children, *rate};
  split.others.erase(split.others.begin() + (rate - term.children.begin()));
  if (!split.others.empty() && split.others[0].kind == Kind::number) {
    split.number = split.others[0].value;
    split.others.erase(split.others.begin());
  }
  return split;
}

/// Terms with the same others as one; what is added before what is taken away.
Shown join(std::vector<RateTerm> alike) {
  mpz_class above = 0, below = 1;
  for (const RateTerm& term : alike) {
    above = gcd(above, term.number.get_num());
    below = lcm(below, term.number.get_den());
  }
  mpq_class common(above, below);
  common.canonicalize();
  const auto is_negative = [](const RateTerm& term) { return sgn(term.number) < 0; };
  if (std::ranges::all_of(alike, is_negative)) common = -common;
  for (RateTerm& term : alike) term.number /= common;
  std::ranges::stable_sort(alike, {}, is_negative);
  std::vector<Shown> rates, factors{show_number(common)};
  for (RateTerm& term : alike) rates.push_back(show_product({show_number(term.number), std::move(term.rate)}));
  std::ranges::move(alike[0].others, std::back_inserter(factors));
  factors.push_back(show_sum(std::move(rates)));
  return show_product(std::move(factors));
}

/// d*x' - d*y' as d*(x' - y').
Shown join_rates(Shown sum) {
  if (sum.kind != Kind::sum) return sum;
  std::vector<Shown> terms;
  std::vector<std::optional<RateTerm>> splits;
  for (const Shown& term : sum.children) splits.push_back(split_rate(term));
  for (std::size_t i = 0; i < splits.size(); ++i) {
    terms.push_back(std::move(sum.children[i]));
    if (!splits[i]) continue;
    const RateTerm first = *splits[i];
    const std::string alike = to_text(show_product(first.others));
    std::vector<RateTerm> joined{first};
    for (std::size_t j = splits.size(); j-- > i + 1;) {
      if (!splits[j] || to_text(show_product(splits[j]->others)) != alike) continue;
      joined.insert(joined.begin() + 1, *splits[j]);
      splits.erase(splits.begin() + static_cast<std::ptrdiff_t>(j));
      sum.children.erase(sum.children.begin() + static_cast<std::ptrdiff_t>(j));
    }
    if (joined.size() > 1) terms.back() = join(std::move(joined));
  }
  return show_sum(std::move(terms));
}

}  // namespace

Shown open_brackets(Shown shown) {
  const bool is_one = shown.kind == Kind::product && shown.children.size() == 2 && shown.children[0].is_number(-1);
  return is_one && shown.children[1].kind == Kind::sum ? negative(std::move(shown.children[1])) : shown;
}

bool has_swollen(const Shown& shown, Expr from) {
  const std::size_t signs = count_signs(shown);
  return count_written(from) < static_cast<double>(signs) && 2 * count_signs(make_shown(from)) < signs;
}

Shown lay_out_terms(Shown shown, Graph& graph, Work& work) {
  return join_rates(divide_numbers(open_brackets(spread(std::move(shown), graph, work))));
}

/// Sums of terms and the sums among factors of a single one.
void order_terms(Shown& shown, std::span<const std::string> first) {
  if (shown.kind == Kind::product || shown.kind == Kind::quotient) {
    for (Shown& child : shown.children) order_terms(child, first);
    return;
  }
  if (shown.kind != Kind::sum) return;
  std::ranges::stable_sort(shown.children, {}, [&](const Shown& term) {
    return std::ranges::find_if(first, [&](const std::string& name) { return reads(term, name); }) - first.begin();
  });
}

}  // namespace dalembert
