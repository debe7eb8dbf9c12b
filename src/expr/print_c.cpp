#include <fmt/format.h>

#include "expr/infix.hpp"

namespace dalembert {
namespace {

class CRenderer : public TextRenderer {
 public:
  using TextRenderer::TextRenderer;

 private:
  std::string integer(const mpz_class& value) const override { return value.get_str() + ".0"; }
  std::string pi() const override { return "M_PI"; }

  /// Letters, digits and _ only: primes become _dot, _ddot, ..., the brackets of templates _.
  std::string symbol(std::string_view name) const override {
    std::string text;
    for (char c : name.substr(0, name.find('\''))) text += c == '{' || c == '}' || c == ' ' ? '_' : c;
    if (std::size_t primes = name.size() - std::min(name.size(), name.find('\'')); primes > 0)
      text += "_" + std::string(primes, 'd') + "ot";
    return text;
  }

  static std::string_view c_name(Op op) {
    if (op == Op::abs) return "fabs";
    if (op == Op::min) return "fmin";
    if (op == Op::max) return "fmax";
    return function_name(op);
  }

  /// fmin and fmax take two: fmin(a, fmin(b, c)).
  void lay_out_call(Op op, std::span<const NodeId> arguments, Pieces& out) const override {
    std::size_t open = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      bool opens = i == 0 || (op != Op::atan2 && i + 1 < arguments.size());
      if (i != 0) out.push_back(piece(", "));
      if (opens) out.push_back(piece(fmt::format("{}(", c_name(op))));
      if (opens) ++open;
      out.push_back(piece(arguments[i], Level::sum));
    }
    out.push_back(piece(std::string(open, ')')));
  }

  void lay_out_root_or_power(const Piece& node, Pieces& out) const override {
    if (node.exponent == mpq_class(1, 2)) return TextRenderer::lay_out_root_or_power(node, out);
    std::string exponent = node.exponent.get_den() == 1 ? node.exponent.get_str()
                                                        : fmt::format("{}/{}", integer(node.exponent.get_num()),
                                                                      integer(node.exponent.get_den()));
    out.insert(out.end(), {piece("pow("), piece(node.node, Level::sum), piece(fmt::format(", {})", exponent))});
  }

  void lay_out_power(std::span<const NodeId> arguments, Level, Pieces& out) const override {
    out.insert(out.end(), {piece("pow("), piece(arguments[0], Level::sum), piece(", "), piece(arguments[1], Level::sum),
                           piece(")")});
  }
};

}  // namespace

std::string to_c(Expr expression, const PrintLimits& limits) {
  return CRenderer(expression.graph(), limits).write(expression.id());
}

}  // namespace dalembert
