#include "mechanics/hamel/solved.hpp"

namespace dalembert {
namespace {

class Solved {
 public:
  Solved(const Model& model, const QuasiFrame& frame, Expr lagrangian, const std::vector<Expr>& rates)
      : graph_(*model.graph), frame_(frame), lagrangian_(lagrangian) {
    along_.push_back({model.time, graph_.constant(1)});
    for (std::size_t l = 0; l < model.coordinates.size(); ++l) {
      const Coordinate& coordinate = model.coordinates[l];
      variables_.push_back(coordinate.q);
      rates_.push_back(coordinate.rate);
      along_.push_back({coordinate.q, coordinate.rate});
      values_.push_back({coordinate.rate, rates[l]});
    }
    variables_.push_back(model.time);
    for (const auto& pi : frame.pi) {
      std::vector<Expr> terms{pi.back()};
      for (std::size_t l = 0; l < rates_.size(); ++l) terms.push_back(pi[l] * rates_[l]);
      omega_.push_back(graph_.sum(terms));
    }
  }

  SolvedDerivatives run() {
    SolvedDerivatives result;
    const std::vector<Expr> p = gradient(lagrangian_, rates_);
    const std::vector<Expr> momentum = substitute(p, values_);
    for (std::size_t r = 0; r < frame_.size(); ++r) result.momentum.push_back(along_field(r, momentum));
    // sum of J_r omega_r, J_r as a number
    std::vector<Replacement> numbers = values_;
    std::vector<Expr> terms;
    for (std::size_t r = 0; r < frame_.size(); ++r) {
      const Expr number = graph_.symbol("J[" + std::to_string(r) + "]");  // no name of a model
      numbers.push_back({number, result.momentum[r]});
      terms.push_back(number * omega_[r]);
    }
    const Expr weighted = graph_.sum(terms);
    result.pull = gradient(lagrangian_, variables_);
    const std::vector<Expr> turned = gradient(weighted, variables_);
    for (std::size_t s = 0; s < turned.size(); ++s) result.pull[s] -= turned[s];
    result.pull = substitute(result.pull, numbers);

    result.drift = drift();
    std::vector<Replacement> direction = along_;
    for (std::size_t l = 0; l < rates_.size(); ++l) {
      const Expr acceleration = graph_.symbol("a[" + std::to_string(l) + "]");
      direction.push_back({rates_[l], acceleration});
      numbers.push_back({acceleration, result.drift[l]});
    }
    std::vector<Expr> change = directional_derivative(p, direction);
    const std::vector<Expr> turning = directional_derivative(gradient(weighted, rates_), along_);
    for (std::size_t l = 0; l < change.size(); ++l) change[l] -= turning[l];
    change = substitute(change, numbers);
    for (std::size_t r = 0; r < frame_.size(); ++r) result.convective.push_back(along_field(r, change));
    return result;
  }

 private:
  Expr along_field(std::size_t r, const std::vector<Expr>& of) const {
    std::vector<Expr> terms;
    for (std::size_t l = 0; l < of.size(); ++l) terms.push_back(frame_.xi[r][l] * of[l]);
    return graph_.sum(terms);
  }

  std::vector<Expr> drift() const {
    const std::vector<Expr> change = substitute(directional_derivative(omega_, along_), values_);
    std::vector<Expr> result;
    for (std::size_t l = 0; l < rates_.size(); ++l) {
      std::vector<Expr> terms;
      for (std::size_t r = 0; r < frame_.size(); ++r) terms.push_back(-frame_.xi[r][l] * change[r]);
      result.push_back(graph_.sum(terms));
    }
    return result;
  }

  Graph& graph_;
  const QuasiFrame& frame_;
  Expr lagrangian_;
  std::vector<Expr> variables_, rates_, omega_;  // (q, t); symbols q'; omega in q'
  std::vector<Replacement> along_, values_;      // d/dt at constant q'; q' by omega
};

}  // namespace

SolvedDerivatives differentiate_solved(const Model& model, const QuasiFrame& frame, Expr lagrangian,
                                       const std::vector<Expr>& rates) {
  return Solved(model, frame, lagrangian, rates).run();
}

}  // namespace dalembert
