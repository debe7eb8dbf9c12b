#pragma once
// What the other commands say, as words, tables and formulas of a page.

#include <dalembert/report/page.hpp>
#include <dalembert/report/report.hpp>

namespace dalembert {

/// Multipliers with their forces; what they are by position alone, constants first.
void fill_tab(PageTab& tab, const ReactionsReport& report);
/// First integrals, the parts that they are written in first.
void fill_tab(PageTab& tab, const CheckReport& report);
/// Velocities, transition coefficients, momenta.
void fill_tab(PageTab& tab, const FrameReport& report);
void fill_tab(PageTab& tab, const Verification& verification);

}  // namespace dalembert
