#include <fmt/format.h>

#include <algorithm>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/linear.hpp>
#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/study/geometry.hpp>
#include <random>

#include "base/tolerances.hpp"
#include "study/functions.hpp"
#include "study/writer.hpp"

// Spain 1940, (11) and (12), by the projected criterion (theory 4.4): A_i f^i = -(A_j,k q'^j q'^k + (d_t A_j + d_j b)
// q'^j + d_t b) must vanish for every velocity that keeps the constraints. Derivatives of the orthonormalisation drop
// out there, so the rows are taken as written, with velocities q' = xi omega + xi_0 of a frame in which the constraints
// are some omegas (Hamel 1904).

namespace dalembert {
namespace {

using Kind = ExceptionalCase::Kind;
constexpr std::size_t largest_system = 12;  // coordinates; larger ones are not decided

class Decision {
 public:
  Decision(const Model& model, const KineticGeometry& geometry, const State& state, double work)
      : model_(model), equations_(geometry.equations), mass_(factor_ldlt(geometry.equations.mass)), work_(work) {
    for (const Parameter& parameter : model.parameters) parameters_.push_back({parameter.symbol, parameter.value});
    at_[equations_.time.id()] = state.t;
    for (std::size_t i = 0; i < state.q.size(); ++i) at_[equations_.coordinates[i].id()] = state.q[i];
    choose_velocities();
  }

  ExceptionalCase decide() {
    std::vector<Expr> normal;
    for (const ConstraintRow& row : equations_.rows) {
      normal.push_back(with_parameters(with_velocities(normal_acceleration(row))));
      if (is_nonzero(normal.back()))
        return {Kind::no, fmt::format("the acceleration has a part along {} whatever the forces", row.name), {}};
    }
    for (std::size_t r = 0; r < normal.size(); ++r) {
      Verdict verdict = test(normal[r], has_geometric());
      if (verdict == Verdict::nonzero)
        return {Kind::no,
                fmt::format("the acceleration has a part along {} whatever the forces", equations_.rows[r].name),
                {}};
      if (verdict == Verdict::undecided)
        return {Kind::undecided,
                fmt::format("along {} the acceleration vanishes at the state tried, but that was not proved",
                            equations_.rows[r].name),
                {}};
    }
    return tell_apart();
  }

 private:
  bool has_geometric() const {
    for (const ConstraintRow& row : equations_.rows)
      if (row.position) return true;
    return false;
  }

  /// q' = xi omega + xi_0 with the omegas that are constraints set to zero.
  void choose_velocities() {
    QuasiFrame frame = make_frame(model_);
    std::mt19937_64 random(1940);
    std::uniform_real_distribution<double> uniform(0.5, 1.5);
    for (std::size_t l = 0; l < equations_.velocities.size(); ++l) {
      std::vector<Expr> terms{frame.xi[frame.size()][l]};
      for (std::size_t r = 0; r < frame.size(); ++r)
        if (!frame.velocities[r].row) terms.push_back(frame.xi[r][l] * frame.velocities[r].symbol);
      velocities_.push_back({equations_.velocities[l], model_.graph->sum(terms)});
    }
    for (const QuasiFrame::Velocity& velocity : frame.velocities)
      at_[velocity.symbol.id()] = (random() % 2 == 0 ? 1 : -1) * uniform(random);
  }

  /// M^-1 of a row.
  std::vector<Expr> raise(const std::vector<Expr>& lowered) const { return solve_ldlt(mass_, lowered); }

  std::vector<Expr> dense(const ConstraintRow& row) const {
    std::vector<Expr> result(equations_.velocities.size(), model_.graph->constant(0));
    for (const Entry& entry : row.jacobian) result[entry.column] = entry.value;
    return result;
  }

  /// Gamma_i,jk q'^j q'^k: the Lagrangian derivative of q' M q' / 2 without accelerations.
  std::vector<Expr> christoffel_terms() const {
    Graph& graph = *model_.graph;
    std::vector<std::vector<Expr>> terms(equations_.velocities.size());
    for (std::size_t i = 0; i < terms.size(); ++i)
      for (const Entry& entry : equations_.mass[i]) {
        terms[i].push_back(entry.value * equations_.velocities[entry.column]);
        if (entry.column != i) terms[entry.column].push_back(entry.value * equations_.velocities[i]);
      }
    std::vector<Expr> momentum, doubled;
    std::vector<Replacement> along;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      momentum.push_back(graph.sum(terms[i]));
      doubled.push_back(momentum[i] * equations_.velocities[i]);
      along.push_back({equations_.coordinates[i], equations_.velocities[i]});
    }
    std::vector<Expr> turned = directional_derivative(momentum, along);
    std::vector<Expr> pull = gradient(graph.sum(doubled) / 2, equations_.coordinates);
    for (std::size_t i = 0; i < turned.size(); ++i) turned[i] = turned[i] - pull[i];
    return turned;
  }

  /// -A_i f^i of a motion: drift - A M^-1 (Gamma q' q').
  Expr normal_acceleration(const ConstraintRow& row) const {
    std::vector<Expr> raised = raise(dense(row)), gamma = christoffel_terms(), terms{row.drift};
    for (std::size_t i = 0; i < raised.size(); ++i) terms.push_back(-raised[i] * gamma[i]);
    return model_.graph->sum(terms);
  }

  Expr with_velocities(Expr expression) const { return substitute(expression, velocities_); }

  Expr with_parameters(Expr expression) const {
    for (std::size_t depth = 0; depth <= parameters_.size(); ++depth) {
      Expr next = substitute(expression, parameters_);
      if (next == expression) break;
      expression = next;
    }
    return expression;
  }

  /// At the state, for velocities of size one.
  bool is_nonzero(Expr expression) const {
    Tracked value = evaluate_tracked({&expression, 1}, at_)[0];
    return std::abs(value.value) > 1000 * value.error + tolerance::clearly_nonzero;
  }

  /// A value that is not zero decides at once; a proof of zero needs the canonical form. On a manifold f = 0 a formula
  /// may vanish without vanishing everywhere: then only the value counts.
  Verdict test(Expr expression, bool on_manifold) {
    expression = with_parameters(expression);
    if (expression.is_zero()) return Verdict::zero;
    if (is_nonzero(expression)) return Verdict::nonzero;
    if (work_.is_used_up()) return Verdict::undecided;
    CanonicalLimits limits;
    limits.work = work_.left();
    ZeroTest zero = test_zero(expression, limits);
    work_.spend(zero.work);
    return zero.verdict == Verdict::nonzero && on_manifold ? Verdict::undecided : zero.verdict;
  }

  /// d_k of each, by coordinate.
  std::vector<std::vector<Expr>> slopes(std::span<const Expr> list) const {
    return jacobian(list, equations_.coordinates);
  }

  /// Phi_j,k + Phi_k,j times the length of Psi, for Phi = Psi / |Psi|: the Lie derivative of M along the raised Psi,
  /// less what the normalisation changes.
  std::vector<std::vector<Expr>> strain(const std::vector<Expr>& lowered, const std::vector<Expr>& raised,
                                        Expr square) const {
    Graph& graph = *model_.graph;
    const std::size_t n = lowered.size();
    std::vector<std::vector<Expr>> m(n, std::vector<Expr>(n, graph.constant(0))), result = m;
    for (std::size_t i = 0; i < n; ++i)
      for (const Entry& entry : equations_.mass[i]) m[i][entry.column] = m[entry.column][i] = entry.value;
    auto turned = slopes(raised);
    std::vector<Expr> growth = gradient(square, equations_.coordinates);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k <= j; ++k) {
        std::vector<Expr> terms{-(lowered[j] * growth[k] + lowered[k] * growth[j]) / (2 * square)};
        std::vector<Expr> metric = gradient(m[j][k], equations_.coordinates);
        for (std::size_t i = 0; i < n; ++i) {
          terms.push_back(raised[i] * metric[i]);
          terms.push_back(m[i][k] * turned[i][j] + m[i][j] * turned[i][k]);
        }
        result[j][k] = result[k][j] = graph.sum(terms);
      }
    return result;
  }

  /// (12) in the Gram-Schmidt basis: "killing"; else "general". For one constraint k A_j = Phi^i Phi_j,i (theory 4.4).
  ExceptionalCase tell_apart() {
    Graph& graph = *model_.graph;
    const std::size_t n = equations_.velocities.size();
    std::vector<std::vector<Expr>> lowered, raised;
    std::vector<Expr> squares;
    ExceptionalCase result{Kind::killing, "Killing's equation (12) holds: proved", {}};
    auto product = [&](const std::vector<Expr>& a, const std::vector<Expr>& b) {
      std::vector<Expr> terms;
      for (std::size_t i = 0; i < n; ++i) terms.push_back(a[i] * b[i]);
      return graph.sum(terms);
    };
    for (const ConstraintRow& row : equations_.rows) {
      std::vector<Expr> psi = dense(row);
      for (std::size_t b = 0; b < lowered.size(); ++b) {
        Expr part = product(psi, raised[b]) / squares[b];
        for (std::size_t i = 0; i < n; ++i) psi[i] = psi[i] - part * lowered[b][i];
      }
      std::vector<Expr> up = raise(psi);
      Expr square = product(psi, up);
      if (test(square, true) != Verdict::nonzero) continue;  // depends on those before it
      auto k = strain(psi, up, square);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i && result.kind == Kind::killing; ++j) {
          Verdict verdict = test(k[i][j], has_geometric());
          if (verdict == Verdict::zero) continue;
          result = {Kind::general,
                    verdict == Verdict::nonzero
                        ? "(11) holds on the virtual displacements: proved; Killing's equation (12) does not"
                        : "(11) holds on the virtual displacements: proved; whether (12) holds was not decided",
                    {}};
        }
      if (equations_.rows.size() == 1) result.kA = write_along(up, k, square);
      lowered.push_back(std::move(psi));
      raised.push_back(std::move(up));
      squares.push_back(square);
    }
    return result;
  }

  /// k A_j = Phi^i Phi_j,i; nothing where one of them is too long to be read.
  std::vector<std::string> write_along(const std::vector<Expr>& up, const std::vector<std::vector<Expr>>& k,
                                       Expr square) const {
    CanonicalLimits limits;
    limits.work = work_to_write;
    std::vector<std::string> written;
    for (std::size_t j = 0; j < up.size(); ++j) {
      std::vector<Expr> terms;
      for (std::size_t i = 0; i < up.size(); ++i) terms.push_back(up[i] * k[i][j]);
      const Displayed shown = make_display(model_.graph->sum(terms) / square, {}, limits);
      if (!shown.complete) return {};
      written.push_back(to_text(shown));
    }
    return written;
  }

  const Model& model_;
  const Equations& equations_;
  LdltFactor mass_;
  Work work_;
  std::vector<Replacement> velocities_, parameters_;
  Values<Tracked> at_;
};

}  // namespace

ExceptionalCase decide_exceptional(const KineticGeometry& geometry, const State& state, double work) {
  const Model& model = *geometry.equations.model;
  if (geometry.equations.rows.empty()) return {Kind::no, "there are no constraints", {}};
  if (!geometry.is_scleronomic) return {Kind::no, "the kinetic energy depends on time or is not quadratic", {}};
  if (geometry.equations.velocities.size() > largest_system)
    return {Kind::undecided, fmt::format("not looked at for more than {} coordinates", largest_system), {}};
  return Decision(model, geometry, state, work).decide();
}

}  // namespace dalembert
