#pragma once
// Inverse dynamics by servo constraints: the inputs that make outputs follow functions of time (theory 10).
//
//   const Description d = read_description("arm.toml");                                 // with [inverse]
//   const InverseMotion found = solve_inverse(make_model(with_followed(d, Followed::constraints)),
//                                             make_model(with_followed(d, Followed::outputs)), {.by = {"tau1"}});

#include <dalembert/model/description.hpp>
#include <dalembert/simulate/system.hpp>

namespace dalembert {

/// What the entries of [inverse] `follow` become in a model: constraints that hold, or outputs by how much they do not.
enum class Followed : std::uint8_t { constraints, outputs };
/// Under the names of `followed_name`. ModelError where [inverse] is not complete.
Description with_followed(Description description, Followed as);
/// Of the k-th entry of `follow`, from 0 on.
std::string followed_name(const Description& description, std::size_t k);

struct InverseOptions {
  std::vector<std::string> follow = {};  ///< constraints of the bound model, outputs of the open one: the same names
  std::vector<std::string> shown = {};   ///< what messages call them; the names themselves where empty
  std::vector<std::string> by = {};      ///< inputs that are constant in the model: parameters
  std::optional<double> until = {}, every = {}, tolerance = {};
  std::function<void(double)> progress = {};
  const std::atomic<bool>* stop = nullptr;
};

struct InverseMotion {
  /// Rows as of a motion, with the inputs as further columns and without reactions of what is followed.
  Trajectory motion;
  /// Of the equations with the servo constraints: 3 where the second derivative of an output is the first that contains
  /// the inputs, 2 where it is the first.
  std::size_t index = 0;
};

/// `bound` has what is followed as constraints, `open` as outputs. InputError where the system cannot follow at the
/// start, with the reason; later a status of the motion.
InverseMotion solve_inverse(const Model& bound, const Model& open, const InverseOptions& options);

}  // namespace dalembert
