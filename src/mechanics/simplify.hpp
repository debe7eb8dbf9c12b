#pragma once
// Simplification within an allowance of work, for derivations whose intermediate results would swell.

#include <dalembert/expr/canonical.hpp>

namespace dalembert {

/// Simplifies while the work lasts; afterwards expressions pass through as they are.
class Simplifier {
 public:
  enum class Form { canonical, display };
  explicit Simplifier(double work, Form form = Form::canonical) : work_(work), form_(form) {}

  Expr operator()(Expr expression);
  /// Some expression was too large or came too late.
  bool is_exhausted() const { return exhausted_; }

 private:
  Work work_;
  Form form_;
  bool exhausted_ = false;
};

}  // namespace dalembert
