#include "mechanics/structure/structure.hpp"

#include <algorithm>

#include "expr/flatten.hpp"
#include "mechanics/lagrange/dynamics.hpp"
#include "mechanics/structure/motions.hpp"
#include "model/limits.hpp"
#include "model/vectors.hpp"

// Gauss 1829, with d'Alembert's loads: half the sum of m a^2 and alpha I alpha over points and bodies, the loads and
// what turning costs (omega x I omega) as linear terms, the terms of Lagrange's equations of energies that are written
// in coordinates beside them. Its minimum under the constraints is the motion (theory 5.3).

namespace dalembert {
namespace {

class Structure {
 public:
  explicit Structure(const Equations& equations)
      : equations_(equations),
        model_(*equations.model),
        graph_(*equations.graph),
        system_(graph_, equations.velocities.size(), equations.rows.size()),
        accelerations_(make_accelerations()),
        motions_(model_, system_, accelerations_) {}

  std::vector<Expr> run(std::span<const MendingRow> mending, Order order, TermLimit limit) {
    Flatten nested(graph_, false);
    splits_bodies_ = true;
    add_inertia();
    add_rows(mending);
    std::vector<Expr> found = system_.solve(order, limit.base + limit.of_an_unknown * system_.unknown_count());
    if (found.empty()) return found;
    for (const MendingRow& mend : mending)
      found[equations_.velocities.size() + mend.row] += mend.sigma * equations_.rows[mend.row].drift;
    if (equations_.quasi) found = substitute(found, rates_by_quasi());
    return found;
  }

  auto reduce() {
    Flatten nested(graph_, false);
    add_inertia();
    return system_.reduce(limits::couplings);
  }

 private:
  /// q'' over the rates of the velocities: q'' themselves, or N omega' + what is left without omega' (Hamel 1904,
  /// section 1, differentiated).
  std::vector<Form> make_accelerations() {
    std::vector<Form> made;
    if (!equations_.quasi) {
      for (std::uint32_t i = 0; i < model_.coordinates.size(); ++i)
        made.push_back({{{i, graph_.constant(1)}}, graph_.constant(0)});
      return made;
    }
    std::vector<Replacement> rest;
    for (const Expr& acceleration : equations_.accelerations) rest.push_back({acceleration, graph_.constant(0)});
    const std::vector<Expr> drift = substitute(equations_.model_accelerations, rest);
    auto rows = sparse_jacobian(equations_.model_accelerations, equations_.accelerations);
    for (std::size_t i = 0; i < rows.size(); ++i)
      made.push_back(system_.define(system_.make_form(std::move(rows[i]), drift[i])));
    return made;
  }
  /// The model's rates, which motions of frames are written in.
  std::vector<Replacement> rates_by_quasi() const {
    std::vector<Replacement> by;
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i)
      by.push_back({model_.coordinates[i].rate, equations_.model_rates[i]});
    return by;
  }

  void add_inertia() {
    for (const Point& point : model_.points) add_point(point);
    for (const Body& body : model_.bodies) add_body(body);
    add_written();
  }
  void add_mass(const Form3& acceleration, Expr mass) {
    for (const Form& each : acceleration) system_.add_square(each, mass);
  }
  void add_load(std::size_t frame, const Form3& along, const Vector3& load) {
    const Vector3 own = motions_.from_world(frame, load);
    for (std::size_t i = 0; i < 3; ++i) system_.add_force(along[i], -own[i]);
  }

  void add_point(const Point& point) {
    if (!point.mass && !point.force) return;
    const Form3 acceleration = motions_.acceleration_at(point.frame, point.inside);
    if (point.mass) add_mass(acceleration, point.mass);
    if (point.force) add_load(point.frame, acceleration, *point.force);
  }

  /// A place fixed in the body's frame such that its centre is at `part` of the way there from the frame's origin.
  struct Tip {
    Vector3 offset;
    Expr part;
  };
  /// Where a frame hangs on the body, whose acceleration is an unknown in any case. With a part of less than a quarter
  /// moments of inertia would be differences of much larger numbers.
  std::optional<Tip> find_tip(const Body& body) {
    if (children_.empty()) {
      children_.resize(model_.frames.size());
      for (std::size_t i = 1; i < model_.frames.size(); ++i) children_[model_.frames[i].parent].push_back(i);
    }
    Flatten written_out(graph_, true);
    for (const std::size_t child : children_[body.frame]) {
      const Vector3& offset = model_.frames[child].offset;
      const auto i = std::ranges::find_if_not(offset, &Expr::is_zero) - offset.begin();
      if (i == 3 || !motions_.is_fixed(offset)) continue;
      const Expr part = body.inside[static_cast<std::size_t>(i)] / offset[static_cast<std::size_t>(i)];
      if (!part.is_constant() || part.value() < mpq_class(1, 4) || part.value() > 1) continue;
      if (body.inside == part * offset) return Tip{offset, part};
    }
    return std::nullopt;
  }

  void add_body(const Body& body) {
    const FrameMotion motion = motions_[body.frame];
    if (body.frame == 0 || !motions_.is_fixed(body.inside)) {
      add_mass(motions_.acceleration_at(body.frame, body.inside), body.mass);
      if (body.frame != 0) add_turning(motion, in_basis(body.inertia, motion));
    } else if (const std::optional<Tip> tip = splits_bodies_ ? find_tip(body) : std::nullopt) {
      add_in_two(body, motion, *tip);
    } else {
      add_rigid(body, motion);
      add_turning(motion, in_basis(body.inertia + moment(body.mass, body.inside), motion));
    }
    if (body.force) add_load(body.frame, motions_.acceleration_at(body.frame, body.inside), *body.force);
    if (body.torque) add_load(body.frame, motion.alpha, *body.torque);
  }

  /// Of a mass at r about the origin.
  Matrix3 moment(Expr mass, const Vector3& r) const {
    Matrix3 made;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        made[i][j] = (i == j ? mass * dot(r, r) : graph_.constant(0)) - mass * r[i] * r[j];
    return made;
  }

  /// Components of an inertia, in the frame's own axes, in those of its basis.
  static Matrix3 in_basis(const Matrix3& inertia, const FrameMotion& motion) {
    if (motion.axis == -1) return inertia;
    if (motion.axis >= 0 && turns_about_axis_only(motion)) return inertia;
    return motion.own * (inertia * transpose(motion.own));
  }

  static bool turns_about_axis_only(const FrameMotion& motion) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (static_cast<int>(i) == motion.axis) continue;
      if (!motion.omega[i].is_zero() || !motion.alpha[i].is_zero()) return false;
    }
    return true;
  }

  /// m a^2 / 2 + a (alpha x h + omega x (omega x h)), h = m r: the square of the rest is in the inertia about the
  /// origin.
  void add_rigid(const Body& body, const FrameMotion& motion) {
    add_mass(motion.acceleration, body.mass);
    const Vector3 h = body.mass * (motion.own * body.inside);
    const Vector3 inward = centripetal(motion.omega, h);
    const Form3& a = motion.acceleration;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      system_.add_product(a[i], motion.alpha[j], h[k]);
      system_.add_product(a[i], motion.alpha[k], -h[j]);
      system_.add_force(a[i], inward[i]);
    }
  }

  /// The body as two masses, at its frame's origin and at the tip, with the same mass, centre and inertia: nothing is
  /// left that couples the origin's acceleration with the turning.
  void add_in_two(const Body& body, const FrameMotion& motion, const Tip& tip) {
    const Expr there = tip.part * body.mass;
    add_mass(motion.acceleration, body.mass - there);
    add_mass(motions_.acceleration_at(body.frame, tip.offset), there);
    const Expr about_origin = tip.part * there - there;  // m part^2 less what the tip's mass has
    add_turning(motion, in_basis(body.inertia + moment(about_origin, tip.offset), motion));
  }

  /// alpha I alpha / 2 + alpha (omega x I omega).
  void add_turning(const FrameMotion& motion, const Matrix3& inertia) {
    const Vector3 swing = cross(motion.omega, inertia * motion.omega);
    for (std::size_t i = 0; i < 3; ++i) {
      system_.add_square(motion.alpha[i], inertia[i][i]);
      for (std::size_t j = 0; j < i; ++j) system_.add_product(motion.alpha[i], motion.alpha[j], inertia[i][j]);
      system_.add_force(motion.alpha[i], swing[i]);
    }
  }

  bool has_written() const {
    return model_.kinetic || model_.potential || model_.lagrangian || model_.dissipation ||
           !std::ranges::all_of(model_.forces, &Expr::is_zero);
  }

  /// Energies and forces that are written in coordinates, by Lagrange's equations.
  void add_written() {
    if (!has_written()) return;
    Model bare = model_;
    bare.points.clear();
    bare.bodies.clear();
    const Dynamics dynamics = make_dynamics(bare);
    Equations written;
    written.graph = equations_.graph;
    written.time = equations_.time;
    written.coordinates = equations_.coordinates;
    for (const Coordinate& coordinate : model_.coordinates) written.velocities.push_back(coordinate.rate);
    written.rates = written.velocities;
    Flatten written_out(graph_, true);
    fill_dynamics(written, dynamics.lagrangian, dynamics.force);
    Flatten nested(graph_, false);
    for (std::size_t i = 0; i < written.bias.size(); ++i) {
      system_.add_force(accelerations_[i], written.bias[i]);
      for (const Entry& entry : written.mass[i]) {
        if (entry.column == i)
          system_.add_square(accelerations_[i], entry.value);
        else
          system_.add_product(accelerations_[i], accelerations_[entry.column], entry.value);
      }
    }
  }

  void add_rows(std::span<const MendingRow> mending) {
    for (std::size_t r = 0; r < equations_.rows.size(); ++r) {
      const ConstraintRow& row = equations_.rows[r];
      system_.add_row(r, {row.jacobian, row.drift});
    }
    for (const MendingRow& mend : mending)
      system_.add_square({equations_.rows[mend.row].jacobian, graph_.constant(0)}, mend.sigma);
  }

  const Equations& equations_;
  const Model& model_;
  Graph& graph_;
  GaussSystem system_;
  std::vector<Form> accelerations_;  // of the model's coordinates
  Motions motions_;
  bool splits_bodies_ = false;                      // to compute with; M is shown, and its entries are as written
  std::vector<std::vector<std::size_t>> children_;  // frames by their parent, once they are asked for
};

}  // namespace

bool has_structure(const Equations& equations) {
  if (!equations.impulses.empty() || equations.coordinates != equations.model_coordinates) return false;
  return equations.quasi || (equations.velocities == equations.model_rates && equations.rates == equations.velocities);
}

void fill_from_structure(Equations& equations) {
  std::tie(equations.mass, equations.bias) = Structure(equations).reduce();
  if (equations.bias.empty()) refuse_couplings();
}

std::vector<Expr> solve_structured(const Equations& equations, std::span<const MendingRow> mending, Order order,
                                   TermLimit limit) {
  return Structure(equations).run(mending, order, limit);
}

}  // namespace dalembert
