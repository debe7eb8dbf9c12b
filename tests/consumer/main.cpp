// What a user's own project does: includes everything, links dalembert::dalembert, differentiates.
#include <cstdio>
#include <dalembert/dalembert.hpp>

int main() {
  dalembert::Graph graph;
  const dalembert::Expr x = graph.symbol("x");
  const bool right = dalembert::derivative(pow(x, 3), x) == 3 * pow(x, 2);
  std::puts(right ? "the installed package differentiates" : "wrong derivative");
  return right ? 0 : 1;
}
