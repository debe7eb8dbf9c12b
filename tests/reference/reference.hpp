#pragma once
// A reference case: numbers reached elsewhere by two routes, with the tolerance they are good to.

#include <string>
#include <vector>

namespace reference {

struct Quantity {
  std::string name;
  std::vector<double> value;  ///< empty where it is not made of numbers
  double tolerance = 0;
  double time = -1;   ///< negative: given at a state
  std::string state;  ///< the state it is given at, in the case's own words
};

/// The quantities of tests/reference/cases/NAME.json.
std::vector<Quantity> read_case(const std::string& name);

}  // namespace reference
