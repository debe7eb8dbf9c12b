#pragma once
// A formula of the balance of forces as text.

#include <string>

#include "mechanics/balance.hpp"

namespace dalembert {

/// The shorter of two: brought to one readable form, or with each side of an equation kept as it stands in its
/// equation. Empty where neither is short.
std::string write_balance(const BalanceFormula& formula, double work);

}  // namespace dalembert
