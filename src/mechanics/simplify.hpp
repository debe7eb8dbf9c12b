#pragma once
// Simplification within a budget of time, for derivations whose intermediate results would swell.

#include <chrono>
#include <dalembert/expr/canonical.hpp>

namespace dalembert {

/// Simplifies while the time lasts; afterwards expressions pass through as they are.
class Simplifier {
 public:
  enum class Form { canonical, display };
  explicit Simplifier(double seconds, Form form = Form::canonical);

  Expr operator()(Expr expression);
  /// Some expression was too large or came too late.
  bool is_exhausted() const { return exhausted_; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point deadline_;
  Form form_;
  bool exhausted_ = false;
};

}  // namespace dalembert
