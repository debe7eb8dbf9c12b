#include <fmt/format.h>

#include "expr/render.hpp"

// The notation of formulas. Care is taken that the parser builds the very node again: a constant must not be multiplied
// into a sum, for the graph would distribute it.

namespace dalembert {
namespace {

class TextRenderer : public Renderer {
 public:
  using Renderer::Renderer;

 private:
  void lay_out(const Piece& node, Pieces& out) override {
    if (node.exponent == 1) return lay_out_node(node.node, node.level, out);
    if (node.exponent == mpq_class(1, 2)) return lay_out_call("sqrt", {&node.node, 1}, out);
    bracket(Level::power, node.level, out, [&] {
      out.push_back(piece(node.node, Level::atom));
      bool whole = node.exponent.get_den() == 1;
      std::string exponent = node.exponent.get_str();
      out.push_back(piece(whole ? fmt::format("^{}", exponent) : fmt::format("^({})", exponent)));
    });
  }

  void lay_out_node(NodeId id, Level level, Pieces& out) {
    if (is_named(id)) return out.push_back(piece(name(id)));
    switch (graph().op(id)) {
      case Op::constant: return lay_out_number(graph().value(id), level, out);
      case Op::pi: return out.push_back(piece("pi"));
      case Op::symbol: return out.push_back(piece(graph().name(id)));
      case Op::sum:
        if (is_plain_sum(id)) return lay_out_sum(id, level, out);
        [[fallthrough]];
      case Op::product: return lay_out_fraction(fraction_of(id), level, out);
      case Op::power: return lay_out_power(graph().arguments(id), level, out);
      default: return lay_out_call(function_name(graph().op(id)), graph().arguments(id), out);
    }
  }

  template <class Inside>
  static void bracket(Level own, Level wanted, Pieces& out, Inside&& inside) {
    if (own < wanted) out.push_back(piece("("));
    inside();
    if (own < wanted) out.push_back(piece(")"));
  }

  static void lay_out_number(const mpq_class& value, Level level, Pieces& out) {
    Level own = sgn(value) < 0 ? Level::sum : value.get_den() != 1 ? Level::product : Level::atom;
    bracket(own, level, out, [&] { out.push_back(piece(value.get_str())); });
  }

  static void lay_out_call(std::string_view function, std::span<const NodeId> arguments, Pieces& out) {
    out.push_back(piece(std::string(function) + "("));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (i != 0) out.push_back(piece(", "));
      out.push_back(piece(arguments[i], Level::sum));
    }
    out.push_back(piece(")"));
  }

  static void lay_out_power(std::span<const NodeId> arguments, Level level, Pieces& out) {
    bracket(Level::power, level, out, [&] {
      out.push_back(piece(arguments[0], Level::atom));
      out.push_back(piece("^"));
      out.push_back(piece(arguments[1], Level::power));
    });
  }

  void lay_out_sum(NodeId id, Level level, Pieces& out) {
    bracket(Level::sum, level, out, [&] {
      bool first = true;
      for (Fraction& summand : summands_of(id)) {
        if (first) {
          if (summand.negative) out.push_back(piece("-"));
        } else {
          out.push_back(piece(summand.negative ? " - " : " + "));
        }
        first = false;
        lay_out_unsigned(summand, out);
      }
    });
  }

  void lay_out_fraction(const Fraction& fraction, Level level, Pieces& out) {
    if (!fraction.negative && fraction.is_bare())
      return out.push_back(piece(fraction.above[0].node, level, fraction.above[0].exponent));
    bracket(fraction.negative ? Level::sum : Level::product, level, out, [&] {
      if (fraction.negative) out.push_back(piece("-"));
      lay_out_unsigned(fraction, out);
    });
  }

  static void lay_out_factors(std::string first, const std::vector<Fraction::Factor>& factors, Pieces& out) {
    bool begun = !first.empty();
    if (begun) out.push_back(piece(first));
    for (const Fraction::Factor& factor : factors) {
      if (begun) out.push_back(piece("*"));
      begun = true;
      out.push_back(piece(factor.node, Level::power, factor.exponent));
    }
  }

  /// x/2, 3*x/2, x/(2*y); but 1/2*x/(a + b), where 2*(a + b) would become another sum.
  void lay_out_unsigned(const Fraction& fraction, Pieces& out) const {
    bool distributes =
        fraction.below.size() == 1 && fraction.below[0].exponent == 1 && graph().op(fraction.below[0].node) == Op::sum;
    std::string denominator = fraction.denominator == 1 ? "" : fraction.denominator.get_str();
    bool needed = fraction.numerator != 1 || fraction.above.empty();
    std::string numerator = needed ? fraction.numerator.get_str() : "";
    if (distributes && !denominator.empty()) {
      numerator = fraction.numerator.get_str() + "/" + denominator;
      denominator.clear();
    }
    lay_out_factors(numerator, fraction.above, out);
    std::size_t divisors = fraction.below.size() + (denominator.empty() ? 0 : 1);
    if (divisors == 0) return;
    out.push_back(piece(divisors == 1 ? "/" : "/("));
    lay_out_factors(denominator, fraction.below, out);
    if (divisors > 1) out.push_back(piece(")"));
  }
};

}  // namespace

std::string to_text(Expr expression, const PrintLimits& limits) {
  return TextRenderer(expression.graph(), limits).write(expression.id());
}

}  // namespace dalembert
