#pragma once
// Proofs that a polynomial in atoms vanishes wherever the expression is defined.

#include "expr/canonical/ring.hpp"

namespace dalembert::canonical {

/// How it was proved, or nothing.
std::optional<std::string> prove_zero(Ring& ring, const Poly& poly);

}  // namespace dalembert::canonical
