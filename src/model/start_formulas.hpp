#pragma once
// The formulas of parameters and start, taken out of the graph: evaluated in time that depends on them alone, by any
// number of threads.

#include <dalembert/expr/evaluator.hpp>
#include <dalembert/model/model.hpp>
#include <optional>

namespace dalembert {

struct StartFormulas {
  explicit StartFormulas(const Model& model);

  /// One number a parameter; those given are not computed.
  std::vector<double> parameter_values(std::span<const std::optional<double>> given) const;
  /// Formed from this model as it is now? A model is a plain value, whose formulas may have been replaced since.
  bool belong_to(const Model& model) const;

  Evaluator start, reduced;  ///< values, then rates, of what the parameters are

 private:
  struct Computed {
    std::size_t parameter;
    Evaluator value;
    std::vector<std::size_t> reads;
  };
  void add(const Model& model, std::size_t parameter, std::span<const std::size_t> reads);

  std::vector<double> numbers_;     // of the parameters that are constants
  std::vector<Computed> computed_;  // each after those that it reads
  std::vector<NodeId> sources_;
};

}  // namespace dalembert
