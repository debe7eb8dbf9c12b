#pragma once
// Accelerations, reactions and inputs at a state, so that servo constraints hold (theory 10.1): of M a + h = A^T lambda
// with A a + gamma = 0 the rows C of what is followed have no reaction, and h depends on the inputs instead.

#include <dalembert/study/inverse.hpp>

#include "study/linearize/reduce.hpp"

namespace dalembert {

class Servo {
 public:
  /// InputError for names that are none and for inputs that forces do not read alone.
  Servo(const Model& bound, const InverseOptions& options);

  const Equations& equations() const { return equations_; }
  std::size_t size() const { return terms_->size(); }
  /// As the model asks for; what is followed holds there.
  State start() { return system_.make_initial_start(workspace_).state; }
  std::vector<std::string> columns() const;

  /// What puts states near this one on the constraints and on what is followed.
  bool choose_at(const MotionPoint& at);
  bool settle(MotionPoint& at) { return dalembert::settle(*terms_, choice_, at); }
  /// a and the inputs; false where they are not determined.
  bool solve(MotionPoint& at);
  /// solve() can, and the inputs act on each output alone.
  bool determines(MotionPoint at);
  const std::vector<double>& inputs() const { return inputs_; }
  /// A row at a state that solve() was asked for last.
  std::vector<double> row(const MotionPoint& at);
  /// Where solve() can: 3 where a position is followed, 2 where only velocities are.
  std::size_t index() const;
  /// InputError where an input moves a constraint.
  void check_drives(const MotionPoint& at);

 private:
  void find_inputs(const Model& bound);
  void set_inputs();
  NumberMatrix assemble(const TermValues& values, const SlopeValues& slopes) const;
  [[noreturn]] void refuse(const std::string& key, const std::string& problem, const std::string& remedy) const;

  InverseOptions options_;
  Equations equations_;
  System system_;
  Workspace workspace_;
  std::vector<double> parameters_, inputs_;
  std::vector<std::size_t> places_;           // of the inputs among the parameters
  std::vector<std::size_t> followed_, kept_;  // rows
  std::vector<std::size_t> shown_;            // columns of the system's rows
  std::optional<Terms> terms_;
  Choice choice_;
};

}  // namespace dalembert
