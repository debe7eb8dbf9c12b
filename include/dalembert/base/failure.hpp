#pragma once
// What is not the input's fault: the computation, or the writing of its results, cannot go on.

#include <dalembert/base/error.hpp>

namespace dalembert {

/// The input is right, but the computation cannot go on (exit status 3).
class ComputationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Results are there and cannot be written, as on a full disk (exit status 3).
class OutputError : public std::runtime_error {
 public:
  explicit OutputError(Complaint complaint);
  const Complaint& complaint() const { return complaint_; }

 private:
  Complaint complaint_;
};

}  // namespace dalembert
