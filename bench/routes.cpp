// The right-hand side of every bundled model by each route that gives it: the one that a motion takes is never slower
// than another. What is measured sets the constants of cost_of in src/simulate/system/fast.cpp.

#include <dalembert/dalembert.hpp>

#include "mechanics/structure/structure.hpp"
#include "prepared.hpp"

using namespace dalembert;
using namespace dalembert::bench;

namespace {

// Two programs of equal length differ by so much from run to run, by where their code lies.
constexpr double noise = 1.25;
// What a derivative takes beside its program and the same copies: programs of three instructions show it.
constexpr double beside = 6e-9;
constexpr std::size_t most_coordinates = 300;

/// The state moves by nothing along the slope found last: an evaluation waits for the one before, as stages of a method
/// do.
void go_on(std::span<double> state, std::span<const double> start, std::span<const double> acceleration) {
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = start[i] + 0.0 * acceleration[i % acceleration.size()];
}

/// Formulas of u' as a compiled function of (t, q, u), at one state.
class Route {
 public:
  Route(std::string name, const Equations& equations, std::vector<Expr> outputs, std::span<const double> values,
        const Prepared& at)
      : name_(std::move(name)), q_(equations.coordinates.size()) {
    outputs.resize(equations.velocities.size());
    std::vector<Expr> inputs{equations.time}, parameters;
    inputs.insert(inputs.end(), equations.coordinates.begin(), equations.coordinates.end());
    inputs.insert(inputs.end(), equations.velocities.begin(), equations.velocities.end());
    for (const Parameter& parameter : equations.model->parameters) parameters.push_back(parameter.symbol);
    function_ = compile(make_program(inputs, parameters, outputs), {.native = true, .scalar = true, .lanes = false});
    scratch_ = function_.make_scratch();
    function_.set_parameters(scratch_, values);
    inputs_.resize(inputs.size());
    start_.assign(at.y.begin(), at.y.begin() + std::ssize(inputs) - 1);
    y_ = dy_ = start_;
  }
  const std::string& name() const { return name_; }
  /// Copies what a derivative copies.
  void ask() {
    go_on(y_, start_, std::span(dy_).subspan(q_));
    std::copy(y_.begin(), y_.end(), inputs_.begin() + 1);
    function_.evaluate(scratch_, inputs_, std::span(dy_).subspan(q_));
    std::copy_n(y_.begin() + static_cast<std::ptrdiff_t>(q_), q_, dy_.begin());
  }

 private:
  std::string name_;
  Function function_;
  Scratch scratch_;
  std::size_t q_;
  std::vector<double> inputs_, start_, y_, dy_;
};

/// All that there are for a system that needs no mending: those that are refused are no routes.
std::vector<Route> make_routes(const Prepared& prepared, std::span<const double> values) {
  std::vector<Route> routes;
  const auto offer = [&](const char* name, auto&& solve) {
    const Equations equations = fork(prepared.system->equations());
    try {
      std::vector<Expr> found = solve(equations);
      if (!found.empty()) routes.emplace_back(name, equations, std::move(found), values, prepared);
    } catch (const InputError&) {
      // A pivot is zero as it stands.
    }
  };
  offer("factors", [](const Equations& equations) { return solve_unrolled(equations); });
  if (!has_structure(prepared.system->equations())) return routes;
  offer("recursive", [](const Equations& equations) { return solve_structured(equations, {}, Order::recursive); });
  if (prepared.system->u_count() <= 40)
    offer("composite", [](const Equations& equations) { return solve_structured(equations, {}, Order::composite); });
  return routes;
}

void compare(const std::string& name) {
  const Model model = load_model("models:" + name);
  if (model.coordinates.size() > most_coordinates) return;
  Prepared prepared(model);
  const Selection& selection = prepared.derivative->factor().selection();
  if (!selection.is_whole() || !selection.mending().empty()) {
    fmt::print("{:<34} one route: rows depend on each other, or M is mended\n", name);
    return;
  }
  std::vector<Route> routes = make_routes(prepared, parameter_values(model));
  const std::vector<double> start = prepared.y;
  const std::size_t q = prepared.system->q_count(), u = prepared.system->u_count();
  std::ranges::fill(prepared.dy, 0.0);
  const auto wait = [&] { go_on(std::span(prepared.y).first(q + u), start, std::span(prepared.dy).subspan(q, u)); };
  std::vector<std::function<void()>> all{
      [&] { wait(), prepared.ask(); },
      [&] { wait(), prepared.derivative->by_factor(0, prepared.y.data(), prepared.dy.data()); }};
  for (Route& route : routes) all.emplace_back([&route] { route.ask(); });
  const std::vector<double> times = measure_in_turn(all, 5);
  std::string line = fmt::format("chosen {:.1f} ns, loops {:.1f}", 1e9 * times[0], 1e9 * times[1]);
  for (std::size_t k = 0; k < routes.size(); ++k)
    line += fmt::format(", {} {:.1f}", routes[k].name(), 1e9 * times[k + 2]);
  fmt::print("{:<34} {}\n", name, line);
  const double best = *std::ranges::min_element(times.begin() + 1, times.end());
  report(name + ": the chosen by the fastest", (times[0] - beside) / best, noise, "");
}

}  // namespace

int main() {
  for (const ModelFile& entry : list_models()) compare(entry.name);
  return all_within ? 0 : 1;
}
