#include <algorithm>
#include <optional>

#include "expr/display/terms.hpp"

// A number below a sum goes into it where it divides some term: (2*a + b)/2 as a + b/2.

namespace dalembert {
namespace {

using Kind = Shown::Kind;

/// The number that a product begins with, taken from it.
mpq_class take_number(Shown& shown) {
  mpq_class number = 1;
  if (shown.kind == Kind::number) {
    std::swap(shown.value, number);
  } else if (shown.kind == Kind::product && shown.children[0].kind == Kind::number) {
    number = shown.children[0].value;
    shown.children.erase(shown.children.begin());
    shown = show_product(std::move(shown.children));
  }
  return number;
}

Shown times(const mpq_class& number, Shown shown) {
  if (number == 1) return shown;
  if (shown.is_number(1)) return show_number(number);
  if (shown.kind != Kind::product) return show_product({show_number(number), std::move(shown)});
  shown.children.insert(shown.children.begin(), show_number(number));
  return shown;
}

/// A term as its number and the rest.
struct Numbered {
  mpq_class number;
  Shown above, below;

  explicit Numbered(Shown term) : above(std::move(term)), below(show_number(1)) {
    if (above.kind == Kind::quotient) {
      below = std::move(above.children[1]);
      Shown numerator = std::move(above.children[0]);
      above = std::move(numerator);
    }
    number = take_number(above);
    number /= take_number(below);
  }
  Shown join() && {
    if (above.is_number(1) && below.is_number(1)) return show_number(number);
    return show_quotient(times(mpq_class(number.get_num()), std::move(above)),
                         times(mpq_class(number.get_den()), std::move(below)));
  }
};

/// The terms of a sum, each over the number; nothing where it divides none of them.
std::optional<Shown> divide_terms(const Shown& sum, const mpq_class& by) {
  std::vector<Shown> terms;
  bool divides = false;
  for (const Shown& each : sum.children) {
    Numbered term(each);
    const mpz_class before = term.number.get_den();
    term.number /= by;
    divides = divides || term.number.get_den() < before * by.get_num();
    terms.push_back(divide_numbers(std::move(term).join()));
  }
  return divides ? std::optional(show_sum(std::move(terms))) : std::nullopt;
}

/// The one sum among these factors.
std::optional<std::size_t> find_sum(const std::vector<Shown>& factors) {
  const auto is_sum = [](const Shown& factor) { return factor.kind == Kind::sum; };
  if (std::ranges::count_if(factors, is_sum) != 1) return {};
  return static_cast<std::size_t>(std::ranges::find_if(factors, is_sum) - factors.begin());
}

std::optional<Shown> divide_quotient(const Shown& quotient) {
  Shown above = quotient.children[0], below = quotient.children[1];
  const mpq_class by = take_number(below);
  if (by == 1) return {};
  std::optional<Shown> divided;
  if (above.kind == Kind::sum) {
    divided = divide_terms(above, by);
    if (divided && !below.is_number(1)) return {};  // what else is below would have to go along
    return divided;
  }
  if (above.kind != Kind::product) return {};
  if (const Shown& first = above.children[0]; first.kind == Kind::number && first.value != -1) return {};
  const std::optional<std::size_t> at = find_sum(above.children);
  if (at) divided = divide_terms(above.children[*at], by);
  if (!divided) return {};
  above.children[*at] = std::move(*divided);
  return show_quotient(std::move(above), std::move(below));
}

}  // namespace

Shown divide_numbers(Shown shown) {
  if (shown.kind != Kind::sum && shown.kind != Kind::product && shown.kind != Kind::quotient) return shown;
  for (Shown& child : shown.children) child = divide_numbers(std::move(child));
  if (shown.kind == Kind::sum) return show_sum(std::move(shown.children));
  if (shown.kind == Kind::product) return shown;
  std::optional<Shown> divided = divide_quotient(shown);
  return divided && count_signs(*divided) <= count_signs(shown) ? std::move(*divided) : std::move(shown);
}

}  // namespace dalembert
