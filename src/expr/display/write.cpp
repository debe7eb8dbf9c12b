#include <fmt/format.h>

#include <dalembert/expr/display.hpp>

#include "expr/render.hpp"

// Trees of notation as text and LaTeX.

namespace dalembert {
namespace {

using Kind = Shown::Kind;

/// What differs between the two notations.
class Notation {
 public:
  virtual ~Notation() = default;
  virtual std::string number(const mpq_class& value) const = 0;
  virtual std::string name(const std::string& text) const = 0;
  virtual std::string brackets(const std::string& inside) const = 0;
  virtual std::string times(const std::string& next) const = 0;
  virtual std::string quotient(const Shown& numerator, const Shown& denominator) const = 0;
  virtual std::string power(const Shown& base, const std::string& exponent) const = 0;
  virtual std::string root(const std::string& inside) const = 0;
  virtual std::string call(const std::string& function, const std::string& arguments) const = 0;
  virtual std::string vector(const std::vector<std::string>& components) const = 0;
  /// Of vectors: cross and dot.
  virtual std::string vector_product(const Shown& product) const = 0;
  virtual Level vector_product_level() const = 0;

  std::string write(const Shown& shown, Level wanted = Level::sum) const {
    std::string text = write_bare(shown);
    return level(shown) < wanted ? brackets(text) : text;
  }

 protected:
  Level level(const Shown& shown) const {
    if (begins_negative(shown)) return Level::sum;
    switch (shown.kind) {
      case Kind::number: return shown.value.get_den() == 1 ? Level::atom : Level::product;
      case Kind::sum: return Level::sum;
      case Kind::product:
      case Kind::quotient: return Level::product;
      case Kind::power: return is_root(shown) ? Level::atom : Level::power;
      case Kind::call: return is_vector_product(shown) ? vector_product_level() : Level::atom;
      default: return Level::atom;
    }
  }
  static bool is_vector_product(const Shown& shown) {
    return shown.kind == Kind::call && (shown.text == "cross" || shown.text == "dot") && shown.children.size() == 2;
  }
  static bool is_root(const Shown& shown) {
    return shown.kind == Kind::power && shown.children.size() == 1 && shown.value == mpq_class(1, 2);
  }

 private:
  std::string write_bare(const Shown& shown) const {
    switch (shown.kind) {
      case Kind::number: return number(shown.value);
      case Kind::name: return name(shown.text);
      case Kind::sum: return write_sum(shown);
      case Kind::product: return write_product(shown);
      case Kind::quotient:
        if (begins_negative(shown)) return "-" + write_bare(without_sign(shown));
        return quotient(shown.children[0], shown.children[1]);
      case Kind::power:
        if (is_root(shown)) return root(write(shown.children[0]));
        if (shown.children.size() == 1) return power(shown.children[0], exponent(shown.value));
        return power(shown.children[0], write(shown.children[1], Level::atom));
      case Kind::vector: return vector({write(shown.children[0]), write(shown.children[1]), write(shown.children[2])});
      default: break;
    }
    if (is_vector_product(shown)) return vector_product(shown);
    std::string arguments;
    for (const Shown& child : shown.children) arguments += (arguments.empty() ? "" : ", ") + write(child);
    return call(shown.text, arguments);
  }

  virtual std::string exponent(const mpq_class& value) const = 0;

  std::string write_sum(const Shown& shown) const {
    std::string text;
    for (const Shown& term : shown.children) {
      bool negative = begins_negative(term);
      text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
      text += write(negative ? without_sign(term) : term, Level::product);
    }
    return text;
  }

  std::string write_product(const Shown& shown) const {
    if (begins_negative(shown)) return "-" + write(without_sign(shown), Level::product);  // -1*(x + y) is -(x + y)
    std::string text;
    for (const Shown& factor : shown.children) {
      std::string next = write(factor, text.empty() ? Level::product : Level::power);
      text += text.empty() ? next : times(next);
    }
    return text;
  }
};

class TextNotation : public Notation {
  std::string number(const mpq_class& value) const override { return value.get_str(); }
  std::string name(const std::string& text) const override { return text; }
  std::string brackets(const std::string& inside) const override { return "(" + inside + ")"; }
  std::string times(const std::string& next) const override { return "*" + next; }
  std::string quotient(const Shown& numerator, const Shown& denominator) const override {
    return write(numerator, Level::product) + "/" + write(denominator, Level::power);
  }
  std::string exponent(const mpq_class& value) const override {
    return value.get_den() == 1 && sgn(value) > 0 ? value.get_str() : "(" + value.get_str() + ")";
  }
  std::string power(const Shown& base, const std::string& text) const override {
    return write(base, Level::atom) + "^" + text;
  }
  std::string root(const std::string& inside) const override { return "sqrt(" + inside + ")"; }
  std::string call(const std::string& function, const std::string& arguments) const override {
    return function + "(" + arguments + ")";
  }
  std::string vector(const std::vector<std::string>& components) const override {
    return fmt::format("[{}]", fmt::join(components, ", "));
  }
  std::string vector_product(const Shown& product) const override {
    return fmt::format("{}({}, {})", product.text, write(product.children[0]), write(product.children[1]));
  }
  Level vector_product_level() const override { return Level::atom; }
};

class LatexNotation : public Notation {
  std::string number(const mpq_class& value) const override {
    if (value.get_den() == 1) return value.get_num().get_str();
    return fmt::format("{}\\frac{{{}}}{{{}}}", sgn(value) < 0 ? "-" : "", mpz_class(abs(value.get_num())).get_str(),
                       value.get_den().get_str());
  }
  std::string name(const std::string& text) const override { return latex_name(text); }
  std::string brackets(const std::string& inside) const override { return "\\left(" + inside + "\\right)"; }
  std::string times(const std::string& next) const override {
    return (!next.empty() && next[0] >= '0' && next[0] <= '9' ? " \\cdot " : " ") + next;
  }
  std::string quotient(const Shown& numerator, const Shown& denominator) const override {
    return fmt::format("\\frac{{{}}}{{{}}}", write(numerator), write(denominator));
  }
  std::string exponent(const mpq_class& value) const override { return value.get_str(); }
  std::string power(const Shown& base, const std::string& text) const override {
    // sin^2(x), as people write it
    bool raised = base.kind == Kind::call && function(base.text)[0] == '\\' && base.children.size() == 1 &&
                  base.text != "exp" && base.text != "log" && base.text != "abs" && base.text != "sign";
    if (!raised) return fmt::format("{}^{{{}}}", write(base, Level::atom), text);
    return fmt::format("{}^{{{}}}{}", function(base.text), text, brackets(write(base.children[0])));
  }
  std::string root(const std::string& inside) const override { return "\\sqrt{" + inside + "}"; }
  std::string call(const std::string& text, const std::string& arguments) const override {
    if (text == "abs") return "\\left|" + arguments + "\\right|";
    return function(text) + brackets(arguments);
  }
  std::string vector(const std::vector<std::string>& components) const override {
    return fmt::format("\\begin{{pmatrix}} {} \\end{{pmatrix}}", fmt::join(components, " \\\\ "));
  }
  std::string vector_product(const Shown& product) const override {
    return write(product.children[0], Level::atom) + (product.text == "dot" ? " \\cdot " : " \\times ") +
           write(product.children[1], Level::atom);
  }
  Level vector_product_level() const override { return Level::product; }
  static std::string function(const std::string& text) {
    if (text == "asin" || text == "acos" || text == "atan") return "\\arc" + text.substr(1);
    if (text == "sign" || text == "atan2") return "\\operatorname{" + text + "}";
    return "\\" + text;
  }
};

}  // namespace

std::string to_text(const Shown& shown) { return TextNotation().write(shown); }
std::string to_latex(const Shown& shown) {
  return with_distinct_names([&] { return LatexNotation().write(shown); });
}

}  // namespace dalembert
