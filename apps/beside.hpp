#pragma once
// --beside: a second motion of the model in one page.

#include <dalembert/report/page.hpp>

#include "model_options.hpp"

struct BesideOptions {
  std::vector<std::string> set;  ///< as --set takes them, after those of the first motion
  std::string by, principle;
  bool empty() const { return set.empty() && by.empty() && principle.empty(); }
};

void add_beside_options(CLI::App& command, BesideOptions& options);
/// The same plan for the model changed so; `by` is the first motion's. InputError where the two do not have the same
/// coordinates.
dalembert::PageBeside simulate_beside(const BesideOptions& options, const ModelOptions& model, const std::string& by,
                                      const dalembert::System& first, const dalembert::SimulateOptions& plan);
