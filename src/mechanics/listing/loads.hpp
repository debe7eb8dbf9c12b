#pragma once
// Forces and moments on frames, inertia among them, summed from what each frame carries: d'Alembert's principle.

#include "mechanics/listing/kinematics.hpp"

namespace dalembert {

class FrameLoads {
 public:
  FrameLoads(const Model& model, PartList& parts, FrameKinematics& kinematics);

  /// What acts where `inside` is on a frame, with the sign of an inertia force (m a): in the frame's axes.
  void add_force(std::size_t frame, const Vector3& inside, const Vec& force);
  void add_moment(std::size_t frame, const Vec& moment);
  /// Inertia, weight and loads of all points and bodies.
  void add_masses();
  /// Their sum over all frames on each coordinate: sum of force . d position / dq + moment . d omega / dq'. Last.
  std::vector<Expr> on_coordinates();
  /// Of angular velocities that are written in these velocities moment . d omega / du, beside what is on coordinates.
  void use_velocities(const std::vector<Expr>& velocities);
  std::vector<Expr> on_velocities() const;

 private:
  struct Load {
    std::vector<Vec> force, moment;
    bool used = false;
  };
  void add_mass(std::size_t frame, const std::string& name, Expr mass, const Vector3& inside,
                const std::optional<Vector3>& force);
  void add_inertia(const Body& body);
  using Terms = std::vector<std::vector<Expr>>;
  static void work_through(std::span<const Expr> along, const Vec& load, std::span<const Expr> by, Terms& terms);
  std::vector<Expr> sums_of(const Terms& terms) const;
  std::vector<std::size_t> parents_first() const;

  const Model& model_;
  PartList& parts_;
  FrameKinematics& kinematics_;
  std::vector<Load> loads_;
  Terms terms_, velocity_terms_;  // on each coordinate, on each velocity
  std::vector<Expr> coordinates_, rates_, velocities_;
};

}  // namespace dalembert
