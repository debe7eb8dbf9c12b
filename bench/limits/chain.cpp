#include "limits/chain.hpp"

#include <cmath>

namespace dalembert::bench {

void HandWrittenChain::operator()(const double* q, const double* rates, double* accelerations) {
  outwards(q, rates);
  inwards();
  solve(accelerations);
}

void HandWrittenChain::outwards(const double* q, const double* rates) {
  double w = 0, vx = 0, vy = 0;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    Link& link = links_[k];
    link.s = std::sin(q[k]);
    link.c = std::cos(q[k]);
    const double x = k == 0 ? 0 : vx + w, y = vy;  // the hinge is one length below the one before
    link.vx = link.c * x + link.s * y;
    link.vy = -link.s * x + link.c * y;
    link.w = w + rates[k];
    link.c1 = link.vy * rates[k];
    link.c2 = -link.vx * rates[k];
    link.i00 = about_hinge;
    link.i01 = -centre;
    link.i02 = link.i12 = 0;
    link.i11 = link.i22 = 1;
    const double px = link.vx - link.w * centre, py = link.vy;
    link.p0 = link.vx * py - link.vy * px;
    link.p1 = -link.w * py;
    link.p2 = link.w * px;
    w = link.w;
    vx = link.vx;
    vy = link.vy;
  }
}

void HandWrittenChain::inwards() {
  for (std::size_t k = links_.size(); k-- > 0;) {
    Link& link = links_[k];
    link.d = 1 / link.i00;
    link.u = -link.p0;
    if (k == 0) return;
    Link& parent = links_[k - 1];
    const double f1 = link.i01 * link.d, f2 = link.i02 * link.d;
    const double a11 = link.i11 - link.i01 * f1, a12 = link.i12 - link.i01 * f2, a22 = link.i22 - link.i02 * f2;
    const double g0 = link.p0 + link.u;  // zero: a hinge carries no couple
    const double g1 = link.p1 + a11 * link.c1 + a12 * link.c2 + f1 * link.u;
    const double g2 = link.p2 + a12 * link.c1 + a22 * link.c2 + f2 * link.u;
    // into the parent's axes, then to its hinge
    const double s = link.s, c = link.c;
    const double b11 = c * c * a11 - 2 * s * c * a12 + s * s * a22;
    const double b12 = s * c * (a11 - a22) + (c * c - s * s) * a12;
    const double b22 = s * s * a11 + 2 * s * c * a12 + c * c * a22;
    const double h1 = c * g1 - s * g2, h2 = s * g1 + c * g2;
    parent.i11 += b11;
    parent.i12 += b12;
    parent.i22 += b22;
    parent.i01 += b11;
    parent.i02 += b12;
    parent.i00 += b11;
    parent.p0 += g0 + h1;
    parent.p1 += h1;
    parent.p2 += h2;
  }
}

void HandWrittenChain::solve(double* accelerations) const {
  double w = 0, x = 0, y = gravity;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const Link& link = links_[k];
    const double left = k == 0 ? x : x + w;
    const double ax = link.c * left + link.s * y + link.c1, ay = -link.s * left + link.c * y + link.c2;
    accelerations[k] = (link.u - (link.i00 * w + link.i01 * ax + link.i02 * ay)) * link.d;
    w += accelerations[k];
    x = ax;
    y = ay;
  }
}

}  // namespace dalembert::bench
