// What a user's own project does: includes everything, links dalembert::dalembert, differentiates, loads a bundled
// model.
#include <cstdio>
#include <dalembert/dalembert.hpp>

int main() {
  dalembert::Graph graph;
  const dalembert::Expr x = graph.symbol("x");
  if (dalembert::derivative(pow(x, 3), x) != 3 * pow(x, 2)) return std::puts("wrong derivative"), 1;

  const std::string path = dalembert::find_model("models:pendulum");
  const dalembert::Model model = dalembert::load_model("models:pendulum", {{"l", "2"}});
  const double l = dalembert::parameter_values(model).at(1);
  std::printf("the installed package differentiates, and loads %s\n", path.c_str());
  return l == 2 ? 0 : 1;
}
