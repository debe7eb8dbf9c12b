#pragma once
// Reactions of constraints in a listing: as loads on what the constraint mentions, or on coordinates.

#include <unordered_map>

#include "mechanics/listing/loads.hpp"

namespace dalembert {

class ConstraintLoads {
 public:
  ConstraintLoads(const Model& model, PartList& parts, FrameKinematics& kinematics, FrameLoads& loads)
      : model_(model), parts_(parts), kinematics_(kinematics), loads_(loads) {}

  /// What a constraint's reaction does on a coordinate.
  struct OnCoordinate {
    std::size_t coordinate;
    Expr force;
  };
  /// The reaction as forces and couples where positions, velocities and turns are mentioned; gives what it does on
  /// coordinates beside that.
  std::vector<OnCoordinate> add(const Constraint& constraint, Expr multiplier);
  /// Puts the forces and couples of all constraints added on the frames, and gives the rest. Once, last.
  std::vector<OnCoordinate> apply();
  /// The constraint as written, with parts for what it mentions.
  Expr as_written(const Constraint& constraint);

 private:
  /// A place on a frame.
  struct Spot {
    std::size_t frame = 0;
    Vector3 inside;
  };
  Spot spot(const std::string& name) const;
  std::size_t frame_of(const std::string& name) const;
  std::optional<std::size_t> frame_beside(const Vector3& place) const;
  /// What acts on a mention, in world axes.
  struct Pending {
    Mention mention;
    Vector3 force;
  };
  void load_material(const Mention& mention, const Vec& force);
  void load_point(const Mention& mention, const Vec& force, std::vector<OnCoordinate>& rest);
  Vec position(const std::string& name);
  Vec arm(const Mention& mention);
  Vec value_of(const Mention& mention);
  std::vector<Replacement> mentioned_values(const Constraint& constraint);

  const Model& model_;
  PartList& parts_;
  FrameKinematics& kinematics_;
  FrameLoads& loads_;
  std::unordered_map<std::string, Vec> mentioned_, arms_;
  std::vector<Pending> pending_;
};

}  // namespace dalembert
