#pragma once
// Ctrl-C during work that runs without the interpreter's lock.

#include <atomic>
#include <chrono>
#include <dalembert/base/work_limit.hpp>
#include <functional>

#include "convert.hpp"

namespace dalembert::python {

/// Runs without the interpreter's lock while it lives; asked now and then, it looks for Ctrl-C and shows progress.
class Unlocked {
 public:
  /// `show`: called with how far the work is, a few times a second; may be None.
  explicit Unlocked(py::object show = py::none());
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

  /// `reached`: how far, as the work counts; NaN where nobody knows how far it is to go.
  void operator()(double reached);
  /// Work of which there is nothing to keep: Ctrl-C ends it, and is raised, as is what `show` raises.
  template <class Work>
  auto ask(Work&& work) {
    try {
      Asking asking(*this);
      if constexpr (std::is_void_v<decltype(work())>) {
        work();
        asking.finish();
      } else {
        auto result = work();
        asking.finish();
        return result;
      }
    } catch (...) {  // what was stopped may have ended by an error of its own
      raise();
      throw;
    }
  }
  const std::atomic<bool>* stop() const { return &stop_; }
  /// Ctrl-C, or what `show` raised: with the lock held again. KeyboardInterrupt is taken back, anything else thrown.
  void finish();

 private:
  /// Looks after every so much work.
  class Asking {
   public:
    explicit Asking(Unlocked& owner);
    /// Ended in good order: what was stopped may have, with less than was asked for.
    void finish() { owner_.raise(); }

   private:
    Unlocked& owner_;
    WorkWatch watch_;
  };

  void look(double reached);
  /// What was raised while the work went on, with the lock held again; nothing happens where nothing was.
  void raise();

  py::object show_;
  PyThreadState* state_;
  std::atomic<bool> stop_ = false;
  std::exception_ptr failure_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// A question to a model, asked without the lock; a last argument shows progress.
template <class Answer, class... Arguments>
auto asked(Answer (*question)(Arguments...)) {
  return [question](Arguments... arguments, py::object show) {
    Unlocked unlocked(std::move(show));
    return unlocked.ask([&] { return question(arguments...); });
  };
}

}  // namespace dalembert::python
