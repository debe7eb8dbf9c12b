#pragma once
// Names for what a study adds to a description.

#include <dalembert/model/description.hpp>

namespace dalembert {

/// `name`, or with as many _ behind it as it takes to be nobody's.
std::string unused_name(const Description& description, std::string name);

}  // namespace dalembert
