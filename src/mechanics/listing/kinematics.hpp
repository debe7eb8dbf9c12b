#pragma once
// Motions of frames, each in terms of its parent's, as parts of a listing made when first asked for.

#include <map>

#include "mechanics/listing/part_list.hpp"
#include "model/time_derivative.hpp"

namespace dalembert {

class FrameKinematics {
 public:
  FrameKinematics(const Model& model, PartList& parts);

  // In the frame's own axes.
  const Vec& omega(std::size_t frame);         ///< angular velocity
  const Vec& alpha(std::size_t frame);         ///< angular acceleration
  const Vec& velocity(std::size_t frame);      ///< of the origin
  const Vec& acceleration(std::size_t frame);  ///< of the origin, less that of gravity
  /// Of what is at `inside`: velocity, and acceleration less that of gravity.
  Vec velocity_at(std::size_t frame, const Vector3& inside);
  Vec acceleration_at(std::size_t frame, const Vector3& inside);

  /// What is in the parent's axes, in the frame's own; and back. Where the turn is more than one by an angle, the
  /// frame's axes get names.
  Vec into(std::size_t frame, const Vec& outside);
  Vec out_of(std::size_t frame, const Vec& inside);

  // In world axes.
  const Vec& axis(std::size_t frame, std::size_t which);
  const Vec& position(std::size_t frame);
  /// Takes components in the frame's axes to the world's, and back.
  Vec to_world(std::size_t frame, const Vec& inside);
  Vec to_frame(std::size_t frame, const Vec& outside);

  /// Angular velocity against the parent, in the frame's own axes, and its rate; in velocities other than the
  /// coordinates' rates where it is said what these are.
  Vector3 spin(std::size_t frame) const;
  Vector3 spin_rate(std::size_t frame) const;
  void set_spin(std::size_t frame, const Vector3& spin, const Vector3& rate) { spins_[frame] = {spin, rate}; }
  bool has_set_spin(std::size_t frame) const { return spins_.contains(frame); }

  /// With the rates and accelerations that are numbers put in.
  Vector3 rate(const Vector3& value) const;
  void know(std::vector<Replacement> numbers) { numbers_ = std::move(numbers); }

 private:
  Vector3 put_in(const Vector3& value) const;
  std::optional<std::array<Vec, 3>> named_axes(std::size_t frame);
  using Made = std::map<std::size_t, Vec>;
  const Vec& keep(Made& made, std::size_t frame, const std::string& name, const std::string& axes, const Vec& value);

  const Model& model_;
  PartList& parts_;
  TimeDerivative rate_;
  std::vector<Replacement> numbers_;
  std::map<std::size_t, std::pair<Vector3, Vector3>> spins_;
  Made omega_, alpha_, velocity_, acceleration_, position_, axes_[3], turned_[3];
};

}  // namespace dalembert
