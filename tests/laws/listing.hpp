#pragma once
// Pages of equations read back, and what they have to say: the values of M u' + bias - A^T lambda and of the
// constraints.

#include <cstdint>
#include <dalembert/dalembert.hpp>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <random>
#include <string>

namespace dalembert::listings {

/// Formulas that refer to parts defined before them, each name once.
class Reader {
 public:
  explicit Reader(const Equations& equations);
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  void define(const std::string& name, const std::string& formula);
  /// left - right.
  Expr read(const std::string& equation);
  Expr read_formula(const std::string& text);

 private:
  Expr rate_of(const std::string& name);
  std::optional<Quantity> find(const std::string& name);

  Scope scope_;
  Graph& graph_;
  const Equations& equations_;
  std::map<std::string, Quantity> parts_;
};

/// What each equation says is zero, by its name.
struct Page {
  std::map<std::string, Expr> motion, constraints;
};
Page read_text(const Equations& equations, const std::string& text);
/// `reader` knows the page's parts afterwards.
Page read_json(const Equations& equations, const nlohmann::json& document, Reader& reader);

/// State, accelerations, multipliers and parameters as numbers; quaternions are unit ones.
std::vector<Binding> random_state(const Equations& equations, std::mt19937_64& random);

/// What is computed with, and the size of its terms.
struct Residual {
  double value = 0, size = 0;
  void add(double term);
};
std::vector<Residual> motion_residuals(const Equations& equations, std::span<const Binding> at);
std::vector<Residual> constraint_residuals(const Equations& equations, std::span<const Binding> at);

/// Two ways of summing a few hundred products that may be a thousand times what they leave.
constexpr double rounding = 1e-10;
inline double allowed(const Residual& residual) { return rounding * (1 + residual.size); }

}  // namespace dalembert::listings
