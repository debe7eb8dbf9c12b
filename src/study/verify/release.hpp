#pragma once

#include "study/verify/verify.hpp"

namespace dalembert {

/// One principle for each release.
void add_releases(const Model& model, const Derivations& derivations, std::vector<std::unique_ptr<Principle>>& list);

}  // namespace dalembert
