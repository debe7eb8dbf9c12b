#include "interrupt.hpp"

#include <limits>

namespace dalembert::python {
namespace {

constexpr double work_between_looks = 2e5;  // units: milliseconds

}  // namespace

Unlocked::Unlocked(py::object show) : show_(std::move(show)), state_(PyEval_SaveThread()) {}

Unlocked::~Unlocked() {
  if (state_ != nullptr) PyEval_RestoreThread(state_);
}

void Unlocked::operator()(double reached) {
  // Only what is seen hangs on the clock: results do not.
  const auto now = std::chrono::steady_clock::now();
  if (stop_ || now - last_ < std::chrono::milliseconds(20)) return;
  last_ = now;
  look(reached);
}

void Unlocked::look(double reached) {
  PyEval_RestoreThread(state_);
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!show_.is_none()) show_(reached);
  } catch (...) {
    failure_ = std::current_exception();
    stop_ = true;
  }
  state_ = PyEval_SaveThread();
}

Unlocked::Asking::Asking(Unlocked& owner)
    : owner_(owner), watch_(work_between_looks, [&owner] {
        owner(std::numeric_limits<double>::quiet_NaN());
        return !owner.stop_;
      }) {}

void Unlocked::raise() {
  if (!failure_) return;
  PyEval_RestoreThread(state_);
  state_ = nullptr;
  std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Unlocked::finish() {
  try {
    raise();
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_KeyboardInterrupt)) throw;
  }
}

}  // namespace dalembert::python
