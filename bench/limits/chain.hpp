#pragma once
// What a person would write by hand for one system: the limits that generated code is measured against.

#include <cstddef>
#include <vector>

namespace dalembert::bench {

/// The chain of make_chain by the articulated-body recursion (R. Featherstone 1983), in the plane: vectors (w, vx, vy)
/// of a link at its hinge, in its own axes.
class HandWrittenChain {
 public:
  explicit HandWrittenChain(std::size_t links) : links_(links) {}
  void operator()(const double* q, const double* rates, double* accelerations);

 private:
  static constexpr double about_hinge = 1.0 / 12 + 0.25, centre = -0.5, gravity = 9.81;
  struct Link {
    double s, c;                          // of its angle
    double w, vx, vy;                     // its velocity
    double i00, i01, i02, i11, i12, i22;  // articulated inertia
    double p0, p1, p2;                    // and bias
    double u, d, c1, c2;
  };

  void outwards(const double* q, const double* rates);
  void inwards();
  void solve(double* accelerations) const;

  std::vector<Link> links_;
};

}  // namespace dalembert::bench
