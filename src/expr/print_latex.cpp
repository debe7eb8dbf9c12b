#include <fmt/format.h>

#include "expr/render.hpp"

namespace dalembert {
namespace {

class LatexRenderer : public Renderer {
 public:
  using Renderer::Renderer;

 private:
  void lay_out(const Piece& node, Pieces& out) const override {
    if (node.exponent == 1) return lay_out_node(node.node, node.level, out);
    if (node.exponent == mpq_class(1, 2)) {
      out.insert(out.end(), {piece("\\sqrt{"), piece(node.node, Level::sum), piece("}")});
      return;
    }
    std::string exponent = fmt::format("^{{{}}}", node.exponent.get_str());
    Op op = graph().op(node.node);
    if (op >= Op::sin && op <= Op::tanh && node.exponent.get_den() == 1) return lay_out_call(node.node, exponent, out);
    bracket(Level::power, node.level, out, [&] {
      out.push_back(piece(node.node, Level::atom));
      out.push_back(piece(exponent));
    });
  }

  template <class Inside>
  static void bracket(Level own, Level wanted, Pieces& out, Inside&& inside) {
    if (own < wanted) out.push_back(piece("\\left("));
    inside();
    if (own < wanted) out.push_back(piece("\\right)"));
  }

  void lay_out_node(NodeId id, Level level, Pieces& out) const {
    switch (graph().op(id)) {
      case Op::constant: return lay_out_number(graph().value(id), level, out);
      case Op::pi: return out.push_back(piece(latex_name("pi")));
      case Op::symbol: return out.push_back(piece(latex_name(graph().name(id))));
      case Op::sum:
        if (is_plain_sum(id)) return lay_out_sum(id, level, out);
        [[fallthrough]];
      case Op::product: return lay_out_fraction(fraction_of(id), level, out);
      case Op::power:
        bracket(Level::power, level, out, [&] {
          out.push_back(piece(graph().arguments(id)[0], Level::atom));
          out.push_back(piece("^{"));
          out.push_back(piece(graph().arguments(id)[1], Level::sum));
          out.push_back(piece("}"));
        });
        return;
      case Op::abs:
        out.insert(out.end(), {piece("\\left|"), piece(graph().arguments(id)[0], Level::sum), piece("\\right|")});
        return;
      default: return lay_out_call(id, "", out);
    }
  }

  static std::string latex_function(Op op) {
    switch (op) {
      case Op::asin: return "\\arcsin";
      case Op::acos: return "\\arccos";
      case Op::atan: return "\\arctan";
      case Op::sign:
      case Op::atan2: return fmt::format("\\operatorname{{{}}}", function_name(op));
      default: return fmt::format("\\{}", function_name(op));
    }
  }

  void lay_out_call(NodeId id, const std::string& exponent, Pieces& out) const {
    out.push_back(piece(latex_function(graph().op(id)) + exponent + "\\left("));
    bool first = true;
    for (NodeId argument : graph().arguments(id)) {
      if (!first) out.push_back(piece(", "));
      first = false;
      out.push_back(piece(argument, Level::sum));
    }
    out.push_back(piece("\\right)"));
  }

  static std::string number(const mpz_class& numerator, const mpz_class& denominator) {
    if (denominator == 1) return numerator.get_str();
    return fmt::format("\\frac{{{}}}{{{}}}", numerator.get_str(), denominator.get_str());
  }

  static void lay_out_number(const mpq_class& value, Level level, Pieces& out) {
    Level own = sgn(value) < 0 ? Level::sum : value.get_den() != 1 ? Level::product : Level::atom;
    bracket(own, level, out, [&] {
      if (sgn(value) < 0) out.push_back(piece("-"));
      out.push_back(piece(number(abs(value.get_num()), value.get_den())));
    });
  }

  void lay_out_sum(NodeId id, Level level, Pieces& out) const {
    bracket(Level::sum, level, out, [&] {
      bool first = true;
      for (const Fraction& summand : summands_of(id)) {
        out.push_back(piece(first ? (summand.negative ? "-" : "") : summand.negative ? " - " : " + "));
        first = false;
        lay_out_unsigned(summand, out);
      }
    });
  }

  void lay_out_fraction(const Fraction& fraction, Level level, Pieces& out) const {
    if (!fraction.negative && fraction.is_bare())
      return out.push_back(piece(fraction.above[0].node, level, fraction.above[0].exponent));
    bracket(fraction.negative ? Level::sum : Level::product, level, out, [&] {
      if (fraction.negative) out.push_back(piece("-"));
      lay_out_unsigned(fraction, out);
    });
  }

  /// Factors stand side by side; a number after something else needs a dot.
  void lay_out_factors(const std::string& first, const std::vector<Fraction::Factor>& factors, Pieces& out) const {
    bool begun = !first.empty();
    if (begun) out.push_back(piece(first));
    bool alone = !begun && factors.size() == 1;
    for (const Fraction::Factor& factor : factors) {
      if (begun) out.push_back(piece(graph().op(factor.node) == Op::constant ? " \\cdot " : " "));
      begun = true;
      out.push_back(piece(factor.node, alone ? Level::sum : Level::power, factor.exponent));
    }
  }

  /// One fraction bar; but a broken number before factors without divisors: \frac{1}{2} m v^{2}.
  void lay_out_unsigned(const Fraction& fraction, Pieces& out) const {
    bool plain = fraction.numerator == 1 && fraction.denominator == 1;
    if (fraction.below.empty()) {
      std::string first = plain && !fraction.above.empty() ? "" : number(fraction.numerator, fraction.denominator);
      return lay_out_factors(first, fraction.above, out);
    }
    bool unit = fraction.numerator == 1 && !fraction.above.empty();
    out.push_back(piece("\\frac{"));
    lay_out_factors(unit ? "" : fraction.numerator.get_str(), fraction.above, out);
    out.push_back(piece("}{"));
    lay_out_factors(fraction.denominator == 1 ? "" : fraction.denominator.get_str(), fraction.below, out);
    out.push_back(piece("}"));
  }
};

}  // namespace

std::string to_latex(Expr expression, const PrintLimits& limits) {
  return with_distinct_names([&] { return LatexRenderer(expression.graph(), limits).write(expression.id()); });
}

}  // namespace dalembert
