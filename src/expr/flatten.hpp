#pragma once
// Whether sums and products are written out as they are built, while this lives.

#include <dalembert/expr/expr.hpp>

namespace dalembert {

class Flatten {
 public:
  Flatten(Graph& graph, bool flatten) : graph_(graph), before_(graph.flatten) { graph.flatten = flatten; }
  ~Flatten() { graph_.flatten = before_; }
  Flatten(const Flatten&) = delete;
  Flatten& operator=(const Flatten&) = delete;

 private:
  Graph& graph_;
  bool before_;
};

}  // namespace dalembert
