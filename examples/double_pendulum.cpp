// A double pendulum from its positions to its equations, native code and a motion: two masses m on rods of length l,
// angles a and b from the vertical.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <dalembert/dalembert.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace dalembert;

namespace {

/// M q'' + h = 0, and the energy.
struct Pendulum {
  std::vector<Expr> q, rates, accelerations, parameters;
  std::vector<std::vector<Expr>> mass;
  std::vector<Expr> bias;
  Expr energy;
};

Pendulum derive_pendulum(Graph& graph) {
  const auto symbols = [&](std::initializer_list<const char*> names) {
    std::vector<Expr> made;
    for (const char* name : names) made.push_back(graph.symbol(name));
    return made;
  };
  Pendulum p{symbols({"a", "b"}), symbols({"a'", "b'"}), symbols({"a''", "b''"}), symbols({"m", "l", "g"}), {}, {}, {}};
  const Expr m = p.parameters[0], l = p.parameters[1], g = p.parameters[2];
  const std::vector<Replacement> motion{{p.q[0], p.rates[0]}, {p.q[1], p.rates[1]}};

  Expr kinetic = graph.constant(0), potential = kinetic, x = kinetic, y = kinetic;
  for (const Expr& angle : p.q) {  // each mass hangs from the one before
    x += l * sin(angle);
    y -= l * cos(angle);
    kinetic += m * (pow(directional_derivative(x, motion), 2) + pow(directional_derivative(y, motion), 2)) / 2;
    potential += m * g * y;
  }
  const Expr lagrangian = kinetic - potential;
  p.energy = kinetic + potential;

  // d/dt dL/dq' - dL/dq = M q'' + h: the Lagrangian derivative (Zubelevich 2020).
  const std::vector<Expr> momenta = gradient(lagrangian, p.rates), slopes = gradient(lagrangian, p.q);
  p.mass = jacobian(momenta, p.rates);
  p.bias = directional_derivative(momenta, motion);
  for (std::size_t i = 0; i < p.q.size(); ++i) p.bias[i] -= slopes[i];
  return p;
}

/// q'' from M q'' = -h, by the factors M = L D L^T written out: a solve inside the program, no matrix at run time.
std::vector<Expr> solved_accelerations(const Pendulum& p) {
  const Expr factor = p.mass[1][0] / p.mass[0][0], pivot = p.mass[1][1] - factor * p.mass[1][0];
  const Expr second = (factor * p.bias[0] - p.bias[1]) / pivot;
  return {-p.bias[0] / p.mass[0][0] - factor * second, second};
}

/// Inputs a, b, a', b'; outputs a'', b'' and the energy.
Function compile_pendulum(const Pendulum& p) {
  std::vector<Expr> inputs = p.q, outputs = solved_accelerations(p);
  inputs.insert(inputs.end(), p.rates.begin(), p.rates.end());
  outputs.push_back(p.energy);
  return compile(make_program(inputs, p.parameters, outputs));
}

void print_equations(const Pendulum& p) {
  fmt::print("Equations of motion, M q'' + h = 0\n");
  for (std::size_t i = 0; i < p.q.size(); ++i) {
    Expr equation = p.bias[i];
    for (std::size_t j = 0; j < p.q.size(); ++j) equation += p.mass[i][j] * p.accelerations[j];
    fmt::print("  {} = 0\n", to_text(make_display(equation)));
  }
}

void print_code(const Function& function) {
  const Program& program = function.program();
  fmt::print("\nProgram for q'' and the energy: {} instructions, {} of them once for the parameters\n",
             program.instruction_count(), program.prologue.code.size());
  if (!function.is_native()) {
    fmt::print("  interpreted: this machine has no AVX2 and FMA, or lets no program make memory executable\n");
    return;
  }
  fmt::print("Native code: {} machine instructions, which begin\n", function.machine_instruction_count());
  std::istringstream lines(function.disassembly());
  std::string line;
  for (int k = 0; k < 8 && std::getline(lines, line); ++k) fmt::print("  {}\n", line);
}

using State = std::array<double, 4>;  // a, b, a', b'

State moved(const State& state, const State& rate, double dt) {
  State result = state;
  for (std::size_t i = 0; i < state.size(); ++i) result[i] += dt * rate[i];
  return result;
}

/// A compiled pendulum with its parameters set.
class Swing {
 public:
  Swing(Function function, std::span<const double> parameters)
      : function_(std::move(function)), scratch_(function_.make_scratch()) {
    function_.set_parameters(scratch_, parameters);
  }

  State rate(const State& s) {
    function_.evaluate(scratch_, s, outputs_);
    return {s[2], s[3], outputs_[0], outputs_[1]};
  }
  double energy(const State& s) {
    function_.evaluate(scratch_, s, outputs_);
    return outputs_[2];
  }
  /// One step of the classical fourth-order Runge-Kutta method.
  State stepped(const State& s, double dt) {
    const State k1 = rate(s), k2 = rate(moved(s, k1, dt / 2)), k3 = rate(moved(s, k2, dt / 2)),
                k4 = rate(moved(s, k3, dt));
    return moved(moved(moved(moved(s, k1, dt / 6), k2, dt / 3), k3, dt / 3), k4, dt / 6);
  }

 private:
  Function function_;
  Scratch scratch_;
  std::array<double, 3> outputs_{};
};

/// Two seconds from rest; the largest relative change of the energy.
double print_motion(Swing& motion) {
  const double dt = 1e-3;
  State state{1.0, 1.5, 0, 0};
  const double start = motion.energy(state);
  double drift = 0;
  fmt::print("\nMotion for m = 1, l = 1, g = 9.81\n{:>6} {:>12} {:>12} {:>14}\n", "t", "a", "b", "energy");
  for (int k = 0; k <= 2000; ++k) {
    const double energy = motion.energy(state);
    drift = std::max(drift, std::abs(energy / start - 1));
    if (k % 250 == 0) fmt::print("{:6.2f} {:12.8f} {:12.8f} {:14.9f}\n", k * dt, state[0], state[1], energy);
    state = motion.stepped(state, dt);
  }
  return drift;
}

}  // namespace

int main() {
  Graph graph;
  const Pendulum pendulum = derive_pendulum(graph);
  print_equations(pendulum);
  const Function function = compile_pendulum(pendulum);
  print_code(function);
  Swing motion(function, std::array{1.0, 1.0, 9.81});
  const double drift = print_motion(motion);
  fmt::print("energy kept to {:.0e}\n", drift);
  return drift < 1e-9 ? 0 : 1;  // the method's error is of order dt^4 = 1e-12 a unit of time
}
