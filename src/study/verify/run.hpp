#pragma once
#include "study/verify/verify.hpp"

namespace dalembert {

/// A run as a user has it, with contacts and events: at every row the balance M q'' + h = F + A^T lambda and all
/// constraints, whether the integrator keeps them or dropped them as dependent; and the events, at two tolerances.
void compare_run(const Equations& multipliers, Ledger& ledger, std::vector<std::string>& notes);

}  // namespace dalembert
