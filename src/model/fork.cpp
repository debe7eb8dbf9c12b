#include <dalembert/model/fields.hpp>

namespace dalembert {

Model fork(const Model& model) {
  Model copy = model;
  if (model.graph) rebind_all(copy, std::make_shared<Graph>(*model.graph));
  return copy;
}

}  // namespace dalembert
