#include "report/latex_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/base/printable.hpp>
#include <dalembert/expr/display.hpp>
#include <dalembert/expr/formula.hpp>
#include <dalembert/report/report.hpp>

#include "report/scribe.hpp"

namespace dalembert {
namespace {

using Kind = SyntaxNode::Kind;

class Reader {
 public:
  explicit Reader(const Formula& formula) : formula_(formula) {}

  /// Formulas that were written for people are of modest depth.
  Shown read(std::uint32_t node) const {
    const SyntaxNode& each = formula_.nodes[node];
    std::vector<Shown> children;
    if (each.kind == Kind::product) return product(node);
    if (each.kind == Kind::call && is_name(each.text)) return show_name(name(node));
    for (std::uint32_t child : formula_.children(node)) children.push_back(read(child));
    switch (each.kind) {
      case Kind::number: return show_number(each.value);
      case Kind::call:
        if (each.text == "sqrt") return show_power(std::move(children[0]), mpq_class(1, 2));
        return show_call(each.text, std::move(children));
      case Kind::sum: return show_sum(std::move(children));
      case Kind::negative: return negative(std::move(children[0]));
      case Kind::inverse: return show_quotient(show_number(1), std::move(children[0]));
      case Kind::power: return power(std::move(children[0]), std::move(children[1]));
      case Kind::vector: return show_vector(std::move(children[0]), std::move(children[1]), std::move(children[2]));
      default: return show_name(name(node));
    }
  }

 private:
  /// What dalembert names by a call: reaction(c), position(P), constraint(c) for the velocity that c forbids.
  static bool is_name(const std::string& function) {
    return function == "reaction" || function == "position" || function == "velocity" || function == "axis" ||
           function == "unit" || function == "omega" || function == "constraint";
  }

  std::string name(std::uint32_t node) const {
    const SyntaxNode& each = formula_.nodes[node];
    const std::vector<std::uint32_t> children = formula_.children(node);
    if (each.kind == Kind::member) return name(children[0]) + "." + each.text;
    std::string text = each.text + std::string(each.primes, '\'');
    if (each.kind != Kind::call) return text;
    text += "(";
    for (std::uint32_t child : children) text += (text.back() == '(' ? "" : ", ") + name(child);
    return text + ")";
  }

  Shown product(std::uint32_t node) const {
    std::vector<Shown> above, below;
    for (std::uint32_t child : formula_.children(node)) {
      const bool divides = formula_.nodes[child].kind == Kind::inverse;
      (divides ? below : above).push_back(read(divides ? formula_.children(child)[0] : child));
    }
    Shown numerator = show_product(std::move(above));
    return below.empty() ? numerator : show_quotient(std::move(numerator), show_product(std::move(below)));
  }

  static Shown negative(Shown shown) {
    if (shown.kind == Shown::Kind::number) return show_number(-shown.value);
    if (shown.kind == Shown::Kind::quotient && shown.children[0].kind != Shown::Kind::sum) {
      shown.children[0] = negative(std::move(shown.children[0]));
      return shown;
    }
    if (shown.kind == Shown::Kind::product && shown.children[0].kind == Shown::Kind::number) {
      shown.children[0].value = -shown.children[0].value;
      return shown;
    }
    std::vector<Shown> factors{show_number(-1)};
    if (shown.kind == Shown::Kind::product)
      factors.insert(factors.end(), shown.children.begin(), shown.children.end());
    else
      factors.push_back(std::move(shown));
    return show_product(std::move(factors));
  }

  static Shown power(Shown base, Shown exponent) {
    if (exponent.kind == Shown::Kind::number) return show_power(std::move(base), exponent.value);
    return {.kind = Shown::Kind::power, .children = {std::move(base), std::move(exponent)}};
  }

  const Formula& formula_;
};

}  // namespace

Shown text_to_shown(const std::string& formula) {
  const Formula parsed = parse_syntax(formula);
  return Reader(parsed).read(parsed.left);
}

std::string text_to_latex(const std::string& formula) { return to_latex(text_to_shown(formula)); }

std::string name_to_latex(const std::string& name) { return to_latex(show_name(name)); }

std::string number_to_latex(double value, int digits) {
  std::string text = format_number(value, digits);
  if (!std::isfinite(value)) return "\\infty";
  const std::size_t e = text.find('e');
  return e == std::string::npos ? text
                                : fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

std::string words_to_latex(std::string_view text) {
  constexpr std::string_view spelled = "_%#&${}";
  std::string out;
  for (char c : text) {
    if (spelled.find(c) != std::string_view::npos) out += '\\';
    if (c == '^')
      out += "\\textasciicircum{}";
    else if (c == '~')
      out += "\\textasciitilde{}";
    else if (c == '\\')
      out += "\\textbackslash{}";
    else
      out += c;
  }
  return out;
}

std::string bracket_latex(const std::string& mu, const std::string& nu, const std::string& rho) {
  return fmt::format("\\beta_{{{},{}}}^{{{}}}", name_to_latex(mu), name_to_latex(nu), name_to_latex(rho));
}

std::string momentum_latex(const std::string& velocity) {
  return fmt::format("\\frac{{\\partial L}}{{\\partial {}}}", name_to_latex(velocity));
}

std::string force_latex(bool is_couple, const std::string& on, const std::string& of) {
  return name_to_latex(fmt::format("{}({}{}{})", is_couple ? "M" : "F", on, of.empty() ? "" : ", ", of));
}

void LatexLines::add(const std::string& left, const std::string& right) {
  lines_.push_back(fmt::format("  {} &= {}", left, wrap_latex(right)));
}

void LatexLines::remark(const std::string& text) { remarks_ += fmt::format("% {}\n", printable(text)); }

std::string LatexLines::text() const {
  if (lines_.empty()) return remarks_;
  return remarks_ + fmt::format("\\begin{{align}}\n{}\n\\end{{align}}\n", fmt::join(lines_, " \\\\\n"));
}

}  // namespace dalembert
