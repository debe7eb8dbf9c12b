#pragma once
// Which tensors of inertia a body can have.

#include <span>
#include <string>

namespace dalembert {

/// What is wrong with nine entries, or nothing: a principal moment below zero, or one that is more than the other two
/// together; of a lamina it is as much. What is off by less than people round passes, and so does a tensor with a zero
/// on its diagonal: where motion is plane the others do not matter, and are left at zero.
std::string find_wrong_inertia(std::span<const double> tensor);

}  // namespace dalembert
