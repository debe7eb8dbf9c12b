#pragma once
// Derivations in the graph of the model itself, so that what they give can be put together with the model's own
// expressions.

#include <dalembert/model/model.hpp>
#include <memory>

namespace dalembert::support {

inline std::shared_ptr<const Model> own_graph(const Model& model) { return std::make_shared<const Model>(model); }

}  // namespace dalembert::support
