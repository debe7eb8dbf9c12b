#pragma once
// Accelerations of frames and of what is fixed in them, each in terms of its parent's, as forms of a GaussSystem.
//
// Components are in the axes of a *basis*: a frame that turns has a basis of its own, one that does not shares its
// parent's; frames that all turn about one axis of the world share the world's, where their inertia is the same numbers
// and nothing has to be turned. Accelerations are those less gravity's.

#include <dalembert/mechanics/equations.hpp>
#include <unordered_map>

#include "mechanics/structure/gauss_system.hpp"

namespace dalembert {

using Form3 = std::array<Form, 3>;

/// The motion of a frame, by components in its basis.
struct FrameMotion {
  std::size_t basis = 0;  ///< index of the frame whose axes they are; 0: the world
  int axis = -1;          ///< of the basis about which the frame is turned; -1: not turned; -2: in any way
  Expr angle;             ///< of that turn; empty where it is not known
  Matrix3 own;            ///< takes components in the frame's own axes to the basis
  Vector3 omega;          ///< angular velocity
  Form3 alpha;            ///< angular acceleration
  Form3 acceleration;     ///< of the origin
};

class Motions {
 public:
  /// With q'' as forms over the system's unknowns.
  Motions(const Model& model, GaussSystem& system, std::vector<Form> accelerations);

  const FrameMotion& operator[](std::size_t frame);
  /// What is at `inside`, in the frame's own axes: its acceleration, by components in the frame's basis.
  Form3 acceleration_at(std::size_t frame, const Vector3& inside);
  /// Components in the world's axes, in those of a frame's basis.
  Vector3 from_world(std::size_t frame, const Vector3& vector);
  /// The place depends on neither coordinates nor time.
  bool is_fixed(const Vector3& inside) const;

  /// A velocity affine in the rates: the form of its rate of change.
  Form rate_of(Expr velocity) const;

 private:
  /// A place's own motion in its frame: first and second rates.
  struct Course {
    Vector3 rate;
    Form3 acceleration;
  };
  Course course_of(const Vector3& inside) const;
  std::vector<Replacement> along(Expr expression) const;
  Expr drift_of(Expr expression) const;
  void make(std::size_t frame);
  void turn_in_basis(const Frame& frame, const FrameMotion& parent, FrameMotion& made);
  void turn_to_own(std::size_t index, const FrameMotion& parent, FrameMotion& made);
  void turn_by(const Matrix3& matrix, const Vector3& spin, FrameMotion& made);
  const Matrix3& to_world(std::size_t basis);
  Form3 place_in_world(const Vector3& inside);
  Form3 turned_back(const Matrix3& matrix, const Form3& forms, const Vector3& more);
  Expr add_briefly(Expr a, Expr b);
  Vector3 add_briefly(const Vector3& a, const Vector3& b);

  const Model& model_;
  Graph& graph_;
  GaussSystem& system_;
  Expr zero_;
  std::unordered_map<NodeId, std::uint32_t> coordinate_of_, rate_of_;  // by symbol
  std::vector<Form> accelerations_;                                    // of the coordinates
  std::vector<std::optional<FrameMotion>> made_;
  std::vector<std::optional<Matrix3>> to_world_;   // of bases
  std::vector<Matrix3> turn_;                      // of bases: to the basis of the parent
  std::optional<std::pair<Vector3, Form3>> last_;  // place in the world, and its acceleration
};

/// omega x (omega x r).
Vector3 centripetal(const Vector3& omega, const Vector3& r);
/// a x b of numbers and forms.
Form3 cross(GaussSystem& system, const Form3& a, const Vector3& b);

}  // namespace dalembert
