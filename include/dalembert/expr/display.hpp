#pragma once
// A formula as it is to be read: the order of terms and factors, fractions and brackets are kept as they stand here,
// where the graph would sort, combine and distribute them. Made by canonical.hpp.

#include <cstdint>
#include <dalembert/expr/expr.hpp>
#include <string>
#include <vector>

namespace dalembert {

/// A tree of notation.
struct Shown {
  enum class Kind : std::uint8_t {
    number,    ///< value
    name,      ///< text: a symbol, or pi
    sum,       ///< children
    product,   ///< children; a number comes first
    quotient,  ///< children: numerator, denominator
    power,     ///< children: base; exponent, or if there is none it is value
    call,      ///< text: the function; children: arguments
    vector,    ///< children: three components
  };
  Kind kind = Kind::number;
  mpq_class value = 0;
  std::string text = {};
  std::vector<Shown> children = {};

  bool is_number(const mpq_class& other) const { return kind == Kind::number && value == other; }
};

Shown show_number(const mpq_class& value);
Shown show_name(std::string name);
/// Products and sums of nothing are 1 and 0; of one thing, that thing.
Shown show_sum(std::vector<Shown> terms);
Shown show_product(std::vector<Shown> factors);
Shown show_quotient(Shown numerator, Shown denominator);
Shown show_power(Shown base, const mpq_class& exponent);
Shown show_call(std::string function, std::vector<Shown> arguments);
Shown show_vector(Shown x, Shown y, Shown z);
/// A sum, product or quotient that begins with a minus sign, or a negative number.
bool begins_negative(const Shown& shown);
/// Of something that begins negative, the same without that sign.
Shown without_sign(Shown shown);

/// Text in the notation of formulas: parses to an expression of the same value.
std::string to_text(const Shown& shown);
/// LaTeX for math mode.
std::string to_latex(const Shown& shown);
/// The expression in a graph, parts sorted and combined as the graph does. Of scalars only.
Expr to_expr(const Shown& shown, Graph& graph);
/// An expression of the graph as it stands. For expressions of modest depth: it recurs.
Shown make_shown(Expr expression);
/// A measure of how much there is to read.
std::size_t count_signs(const Shown& shown);

}  // namespace dalembert
