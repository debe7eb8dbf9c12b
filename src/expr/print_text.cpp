#include <fmt/format.h>

#include "expr/infix.hpp"

namespace dalembert {

void TextRenderer::lay_out(const Piece& node, Pieces& out) const {
  if (node.exponent == 1) {
    lay_out_node(node.node, node.level, out);
  } else {
    lay_out_root_or_power(node, out);
  }
}

void TextRenderer::lay_out_node(NodeId id, Level level, Pieces& out) const {
  if (is_named(id)) return out.push_back(piece(name(id)));
  switch (graph().op(id)) {
    case Op::constant: return lay_out_number(graph().value(id), level, out);
    case Op::pi: return out.push_back(piece(pi()));
    case Op::symbol: return out.push_back(piece(symbol(graph().name(id))));
    case Op::sum:
      if (is_plain_sum(id)) return lay_out_sum(id, level, out);
      [[fallthrough]];
    case Op::product: return lay_out_fraction(fraction_of(id), level, out);
    case Op::power: return lay_out_power(graph().arguments(id), level, out);
    default: return lay_out_call(graph().op(id), graph().arguments(id), out);
  }
}

void TextRenderer::lay_out_root_or_power(const Piece& node, Pieces& out) const {
  if (node.exponent == mpq_class(1, 2)) {
    out.insert(out.end(), {piece("sqrt("), piece(node.node, Level::sum), piece(")")});
    return;
  }
  bracket(Level::power, node.level, out, [&] {
    bool whole = node.exponent.get_den() == 1;
    std::string exponent = node.exponent.get_str();
    out.push_back(piece(node.node, Level::atom));
    out.push_back(piece(whole ? fmt::format("^{}", exponent) : fmt::format("^({})", exponent)));
  });
}

void TextRenderer::lay_out_number(const mpq_class& value, Level level, Pieces& out) const {
  bool whole = value.get_den() == 1;
  Level own = sgn(value) < 0 ? Level::sum : whole ? Level::atom : Level::product;
  bracket(own, level, out, [&] {
    std::string numerator = integer(value.get_num());
    out.push_back(piece(whole ? numerator : fmt::format("{}/{}", numerator, integer(value.get_den()))));
  });
}

void TextRenderer::lay_out_call(Op op, std::span<const NodeId> arguments, Pieces& out) const {
  out.push_back(piece(function_name(op)));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    out.push_back(piece(i == 0 ? "(" : ", "));
    out.push_back(piece(arguments[i], Level::sum));
  }
  out.push_back(piece(")"));
}

void TextRenderer::lay_out_power(std::span<const NodeId> arguments, Level level, Pieces& out) const {
  bracket(Level::power, level, out, [&] {
    out.push_back(piece(arguments[0], Level::atom));
    out.push_back(piece("^"));
    out.push_back(piece(arguments[1], Level::power));
  });
}

void TextRenderer::lay_out_sum(NodeId id, Level level, Pieces& out) const {
  bracket(Level::sum, level, out, [&] {
    bool first = true;
    for (const Fraction& summand : summands_of(id)) {
      std::string_view sign = first ? (summand.negative ? "-" : "") : summand.negative ? " - " : " + ";
      out.push_back(piece(sign));
      first = false;
      lay_out_unsigned(summand, out);
    }
  });
}

void TextRenderer::lay_out_fraction(const Fraction& fraction, Level level, Pieces& out) const {
  if (!fraction.negative && fraction.is_bare())
    return out.push_back(piece(fraction.above[0].node, level, fraction.above[0].exponent));
  bracket(fraction.negative ? Level::sum : Level::product, level, out, [&] {
    if (fraction.negative) out.push_back(piece("-"));
    lay_out_unsigned(fraction, out);
  });
}

namespace {

void lay_out_factors(const std::string& first, const std::vector<Fraction::Factor>& factors, Pieces& out) {
  bool begun = !first.empty();
  if (begun) out.push_back(piece(first));
  for (const Fraction::Factor& factor : factors) {
    if (begun) out.push_back(piece("*"));
    begun = true;
    out.push_back(piece(factor.node, Level::power, factor.exponent));
  }
}

}  // namespace

/// x/2, 3*x/2, x/(2*y); but 1/2*x/(a + b), where 2*(a + b) would become another sum.
void TextRenderer::lay_out_unsigned(const Fraction& fraction, Pieces& out) const {
  bool distributes =
      fraction.below.size() == 1 && fraction.below[0].exponent == 1 && graph().op(fraction.below[0].node) == Op::sum;
  std::string denominator = fraction.denominator == 1 ? "" : integer(fraction.denominator);
  std::string numerator = fraction.numerator == 1 && !fraction.above.empty() ? "" : integer(fraction.numerator);
  if (distributes && !denominator.empty()) {
    numerator = fmt::format("{}/{}", integer(fraction.numerator), denominator);
    denominator.clear();
  }
  lay_out_factors(numerator, fraction.above, out);
  std::size_t divisors = fraction.below.size() + (denominator.empty() ? 0 : 1);
  if (divisors == 0) return;
  out.push_back(piece(divisors == 1 ? "/" : "/("));
  lay_out_factors(denominator, fraction.below, out);
  if (divisors > 1) out.push_back(piece(")"));
}

std::string to_text(Expr expression, const PrintLimits& limits) {
  return TextRenderer(expression.graph(), limits).write(expression.id());
}

}  // namespace dalembert
