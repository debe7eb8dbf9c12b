// docs/examples/use_motion.c
// Uses what `dalembert derive --as c` has written: the motion of a pendulum in (x, y), by the classical Runge-Kutta method.
#include <stdio.h>

#include "pendulum.c"

static double held[motion_held];

// y = (x, y, x', y'); dy is its rate.
static void rate(double t, const double *y, double *dy) {
  const double in[motion_inputs] = {t, y[0], y[1], y[2], y[3]};  // t, coordinates, velocities
  double out[motion_outputs];                                    // accelerations, then multipliers
  motion(in, held, out);
  dy[0] = y[2], dy[1] = y[3], dy[2] = out[0], dy[3] = out[1];
}

int main(void) {
  const double parameters[motion_parameters] = {1, 1, 9.81};
  motion_prologue(parameters, held);  // once for all that depends on parameters only
  double y[4] = {-1, 0, 0, 0}, k[4][4], trial[4];
  const int steps = 1000;
  const double h = 0.5 / steps, part[4] = {0, 0.5, 0.5, 1};
  for (int n = 0; n < steps; ++n) {
    for (int stage = 0; stage < 4; ++stage) {
      for (int i = 0; i < 4; ++i) trial[i] = y[i] + (stage ? h * part[stage] * k[stage - 1][i] : 0);
      rate((n + part[stage]) * h, trial, k[stage]);
    }
    for (int i = 0; i < 4; ++i) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
  printf("x = %.9f, y = %.9f\n", y[0], y[1]);
}
