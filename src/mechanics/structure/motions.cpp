#include "mechanics/structure/motions.hpp"

#include <algorithm>

#include "expr/flatten.hpp"
#include "model/vectors.hpp"

namespace dalembert {
namespace {

Matrix3 identity(Graph& graph) {
  const Expr zero = graph.constant(0), one = graph.constant(1);
  return {{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}};
}

bool is_zero(const Vector3& v) { return v[0].is_zero() && v[1].is_zero() && v[2].is_zero(); }

/// The axis of a matrix that turns about one: -1 for the identity, -2 for any other.
int axis_of(const Matrix3& m) {
  if (m[0][0].is_one() && m[1][1].is_one() && m[2][2].is_one()) return -1;
  for (int axis = 0; axis < 3; ++axis)
    if (m[static_cast<std::size_t>(axis)][static_cast<std::size_t>(axis)].is_one()) return axis;
  return -2;
}

/// Of a turn about an axis, as an elementary rotation has it; empty where it is written otherwise.
Expr angle_of(const Matrix3& m, int axis) {
  const auto k = static_cast<std::size_t>(axis), i = (k + 1) % 3, j = (k + 2) % 3;
  const Expr c = m[i][i], s = m[j][i];
  if (c.op() != Op::cos) return {};
  const Expr angle(c.graph(), c.graph().arguments(c.id())[0]);
  if (s == sin(angle)) return angle;
  return s == -sin(angle) ? -angle : Expr();
}

Matrix3 elementary(Graph& graph, int axis, Expr angle) {
  const auto k = static_cast<std::size_t>(axis), i = (k + 1) % 3, j = (k + 2) % 3;
  Matrix3 m = identity(graph);
  m[i][i] = m[j][j] = cos(angle);
  m[j][i] = sin(angle);
  m[i][j] = -sin(angle);
  return m;
}

std::size_t part_count(Expr sum) { return sum.op() == Op::sum ? sum.graph().parts(sum.id()).size() : 1; }

/// a - b where all that they have in common goes, however long the sums are.
Expr difference(Expr a, Expr b) {
  Graph& graph = a.graph();
  std::vector<Part> parts;
  const auto add = [&](Expr e, bool negative) {
    if (e.op() != Op::sum) {
      parts.push_back({e.id(), negative ? graph.minus_one() : graph.one()});
      return;
    }
    parts.push_back({graph.offset(e.id()), negative ? graph.minus_one() : graph.one()});
    for (const Part& part : graph.parts(e.id()))
      parts.push_back({part.node, negative ? (-graph[part.weight]).id() : part.weight});
  };
  const auto own = graph.parts(a.id());
  const bool inside = a.op() == Op::sum && std::ranges::find(own, Part{b.id(), graph.one()}) != own.end();
  add(a, false);
  if (inside)
    parts.push_back({b.id(), graph.minus_one()});
  else
    add(b, true);
  std::ranges::sort(parts, {}, &Part::node);
  std::vector<Expr> terms;
  for (std::size_t i = 0, j = 0; i < parts.size(); i = j) {
    Expr weight = graph.constant(0);
    for (; j < parts.size() && parts[j].node == parts[i].node; ++j) weight += graph[parts[j].weight];
    if (!weight.is_zero()) terms.push_back(weight * graph[parts[i].node]);
  }
  return graph.sum(terms);
}

}  // namespace

/// About an axis -omega^2 r, without what is along it: a product less for each component.
Vector3 centripetal(const Vector3& omega, const Vector3& r) {
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    if (!omega[i].is_zero() || !omega[j].is_zero()) continue;
    const Expr square = omega[k] * omega[k];
    Vector3 made{square, square, square};
    made[k] = omega[i];
    for (const std::size_t across : {i, j}) made[across] = -(square * r[across]);
    return made;
  }
  return cross(omega, cross(omega, r));
}

Form3 cross(GaussSystem& system, const Form3& a, const Vector3& b) {
  Form3 made;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    const std::pair<Expr, const Form*> parts[] = {{b[k], &a[j]}, {-b[j], &a[k]}};
    made[i] = system.combine(parts);
  }
  return made;
}

Motions::Motions(const Model& model, GaussSystem& system, std::vector<Form> accelerations)
    : model_(model),
      graph_(*model.graph),
      system_(system),
      zero_(graph_.constant(0)),
      accelerations_(std::move(accelerations)),
      made_(std::max<std::size_t>(1, model.frames.size())),  // a model made by hand may have none, and no gravity
      to_world_(made_.size()),
      turn_(made_.size()) {
  for (std::uint32_t i = 0; i < model.coordinates.size(); ++i) {
    coordinate_of_.emplace(model.coordinates[i].q.id(), i);
    rate_of_.emplace(model.coordinates[i].rate.id(), i);
  }
  FrameMotion world;
  world.angle = zero_;
  world.own = identity(graph_);
  world.omega = {zero_, zero_, zero_};
  for (std::size_t i = 0; i < 3; ++i) {
    world.alpha[i] = {{}, zero_};
    world.acceleration[i] = {{}, model.gravity[i] ? -model.gravity[i] : zero_};
  }
  made_[0] = world;
  to_world_[0] = world.own;
}

// ---------------------------------------------------------------------------------------------- small things

/// (t, 1) and (q, q') of what an expression reads: all of them would take as long as the model is large.
std::vector<Replacement> Motions::along(Expr expression) const {
  std::vector<Replacement> direction;
  for (const Expr& symbol : free_symbols({&expression, 1})) {
    if (symbol == model_.time) direction.push_back({symbol, graph_.constant(1)});
    if (auto found = coordinate_of_.find(symbol.id()); found != coordinate_of_.end())
      direction.push_back({symbol, model_.coordinates[found->second].rate});
  }
  return direction;
}

Expr Motions::drift_of(Expr expression) const {
  if (expression.is_constant()) return zero_;
  if (expression.op() == Op::symbol) {  // a point in Cartesian coordinates: no walk for each of many
    if (expression == model_.time) return graph_.constant(1);
    auto found = coordinate_of_.find(expression.id());
    return found == coordinate_of_.end() ? zero_ : model_.coordinates[found->second].rate;
  }
  Flatten written_out(graph_, true);
  const std::vector<Replacement> direction = along(expression);
  return direction.empty() ? zero_ : directional_derivative(expression, direction);
}

Form Motions::rate_of(Expr velocity) const {
  if (velocity.is_constant()) return {{}, zero_};
  if (auto found = rate_of_.find(velocity.id()); found != rate_of_.end()) return accelerations_[found->second];
  const Form drift{{}, drift_of(velocity)};
  const Expr one = graph_.constant(1);
  std::vector<std::pair<Expr, const Form*>> parts{{one, &drift}};
  std::vector<Expr> rates;
  std::vector<const Form*> forms;
  for (const Expr& symbol : free_symbols({&velocity, 1}))
    if (auto found = rate_of_.find(symbol.id()); found != rate_of_.end()) {
      rates.push_back(symbol);
      forms.push_back(&accelerations_[found->second]);
    }
  if (!rates.empty()) {
    Flatten written_out(graph_, true);
    const auto slopes = sparse_jacobian({&velocity, 1}, rates);
    for (const Entry& slope : slopes[0]) parts.emplace_back(slope.value, forms[slope.column]);
  }
  return system_.combine(parts);
}

Motions::Course Motions::course_of(const Vector3& inside) const {
  Course course;
  for (std::size_t i = 0; i < 3; ++i) {
    course.rate[i] = drift_of(inside[i]);
    course.acceleration[i] = rate_of(course.rate[i]);
  }
  return course;
}

bool Motions::is_fixed(const Vector3& inside) const {
  return std::ranges::all_of(inside, [&](Expr e) { return drift_of(e).is_zero(); });
}

/// Written out where terms cancel, nested where the sum would grow longer and longer.
Expr Motions::add_briefly(Expr a, Expr b) {
  const Expr terms[] = {a, b};
  {
    Flatten written_out(graph_, true);
    if (Expr flat = graph_.sum(terms); part_count(flat) <= 2) return flat;
  }
  Flatten nested(graph_, false);
  return graph_.sum(terms);
}

Vector3 Motions::add_briefly(const Vector3& a, const Vector3& b) {
  return {add_briefly(a[0], b[0]), add_briefly(a[1], b[1]), add_briefly(a[2], b[2])};
}

/// matrix^T forms + more.
Form3 Motions::turned_back(const Matrix3& matrix, const Form3& forms, const Vector3& more) {
  Form3 made;
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<std::pair<Expr, const Form*>> parts;
    for (std::size_t j = 0; j < 3; ++j) parts.emplace_back(matrix[j][i], &forms[j]);
    made[i] = system_.combine(parts);
    made[i].drift += more[i];
  }
  return made;
}

const Matrix3& Motions::to_world(std::size_t basis) {
  std::vector<std::size_t> way;
  for (std::size_t at = basis; !to_world_[at]; at = (*this)[model_.frames[at].parent].basis) way.push_back(at);
  for (std::size_t n = way.size(); n-- > 0;) {
    const std::size_t before = (*this)[model_.frames[way[n]].parent].basis;
    to_world_[way[n]] = *to_world_[before] * turn_[way[n]];
  }
  return *to_world_[basis];
}

Vector3 Motions::from_world(std::size_t frame, const Vector3& vector) {
  const std::size_t basis = (*this)[frame].basis;
  return basis == 0 ? vector : transpose(to_world(basis)) * vector;
}

// ---------------------------------------------------------------------------------------------- places

/// Its second rate; where the difference from the place before is shorter, that of the difference and of the one
/// before.
Form3 Motions::place_in_world(const Vector3& inside) {
  Form3 made;
  Vector3 from_last = inside;
  bool shorter = false;
  if (last_) {
    Flatten written_out(graph_, true);
    for (std::size_t i = 0; i < 3; ++i) from_last[i] = difference(inside[i], last_->first[i]);
    std::size_t own = 0, other = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      own += part_count(inside[i]);
      other += part_count(from_last[i]);
    }
    shorter = other < own && !is_zero(from_last);
  }
  const Course course = course_of(shorter ? from_last : inside);
  for (std::size_t i = 0; i < 3; ++i) {
    const Form start = shorter ? last_->second[i] : (*this)[0].acceleration[i];
    const Expr one = graph_.constant(1);
    const std::pair<Expr, const Form*> parts[] = {{one, &start}, {one, &course.acceleration[i]}};
    made[i] = system_.define(system_.combine(parts));
  }
  last_ = {inside, made};
  return made;
}

/// a + alpha x r + omega x (omega x r) + 2 omega x r' + r''
Form3 Motions::acceleration_at(std::size_t frame, const Vector3& inside) {
  if (frame == 0) return place_in_world(inside);
  const FrameMotion motion = (*this)[frame];
  if (is_zero(inside)) return motion.acceleration;
  const Course course = course_of(inside);
  const Vector3 r = motion.own * inside;
  Vector3 drift = centripetal(motion.omega, r);
  if (!is_zero(course.rate)) drift = drift + graph_.constant(2) * cross(motion.omega, motion.own * course.rate);
  const Form3 carried = cross(system_, motion.alpha, r);
  Form3 made = turned_back(transpose(motion.own), course.acceleration, drift);
  const Expr one = graph_.constant(1);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::pair<Expr, const Form*> parts[] = {{one, &motion.acceleration[i]}, {one, &carried[i]}, {one, &made[i]}};
    made[i] = system_.define(system_.combine(parts));
  }
  return made;
}

// ---------------------------------------------------------------------------------------------- frames

const FrameMotion& Motions::operator[](std::size_t frame) {
  std::vector<std::size_t> way;
  for (std::size_t at = frame; !made_[at]; at = model_.frames[at].parent) way.push_back(at);
  for (std::size_t n = way.size(); n-- > 0;) make(way[n]);
  return *made_[frame];
}

void Motions::make(std::size_t index) {
  const Frame& frame = model_.frames[index];
  const FrameMotion& parent = *made_[frame.parent];
  const int turned = axis_of(frame.turn);
  const bool about_one = parent.axis == -1 || turned == -1 || turned == parent.axis;
  FrameMotion made;
  if (is_zero(frame.spin) || (parent.basis == 0 && parent.axis > -2 && turned > -2 && about_one))
    turn_in_basis(frame, parent, made);
  else
    turn_to_own(index, parent, made);
  made_[index] = std::move(made);
}

/// omega = omega_p + s, alpha = alpha_p + s' with s in the basis; s along the axis of both, or zero.
void Motions::turn_in_basis(const Frame& frame, const FrameMotion& parent, FrameMotion& made) {
  made.basis = parent.basis;
  const int turned = axis_of(frame.turn);
  made.axis = turned == -1 ? parent.axis : parent.axis == -1 || parent.axis == turned ? turned : -2;
  const Expr angle = made.axis < 0 || turned < 0 ? Expr() : angle_of(frame.turn, turned);
  if (turned == -1) {
    made.own = parent.own;
    made.angle = parent.angle;
  } else if (angle && parent.angle) {
    made.angle = add_briefly(parent.angle, angle);
    made.own = elementary(graph_, made.axis, made.angle);
  } else {
    made.own = parent.own * frame.turn;
  }
  made.omega = add_briefly(parent.omega, frame.spin);  // own axes are as good: s is along the axis
  for (std::size_t i = 0; i < 3; ++i) {
    const Form own = rate_of(frame.spin[i]);
    const Expr one = graph_.constant(1);
    const std::pair<Expr, const Form*> parts[] = {{one, &parent.alpha[i]}, {one, &own}};
    made.alpha[i] = system_.define(system_.combine(parts));
  }
  made.acceleration = acceleration_at(frame.parent, frame.offset);
  for (const Form& turning : made.alpha)
    for (const Form& origin : made.acceleration) system_.let_wait(turning, origin);
}

/// From the parent's basis to the own axes, turn by turn where the turns are known: two about an axis each take fewer
/// operations than one about any.
void Motions::turn_to_own(std::size_t index, const FrameMotion& parent, FrameMotion& made) {
  const Frame& frame = model_.frames[index];
  made.basis = index;
  made.angle = zero_;
  made.own = identity(graph_);
  made.omega = parent.omega;
  made.alpha = parent.alpha;
  made.acceleration = acceleration_at(frame.parent, frame.offset);
  const Vector3 nothing{zero_, zero_, zero_};
  if (frame.turns.empty()) {
    turn_by(parent.axis == -1 ? frame.turn : parent.own * frame.turn, frame.spin, made);
  } else {
    if (parent.axis != -1) turn_by(parent.own, nothing, made);
    for (const AxisTurn& turn : frame.turns) {
      Vector3 spin = nothing;
      spin[static_cast<std::size_t>(turn.axis)] = drift_of(turn.angle);
      turn_by(elementary(graph_, turn.axis, turn.angle), spin, made);
    }
  }
  turn_[index] = parent.axis == -1 ? frame.turn : parent.own * frame.turn;
}

/// With E from the axes after a turn to those before: omega = E^T omega + s, alpha = E^T alpha + omega x s + s',
/// a = E^T a.
void Motions::turn_by(const Matrix3& matrix, const Vector3& spin, FrameMotion& made) {
  made.omega = transpose(matrix) * made.omega + spin;
  const Form3 alpha = turned_back(matrix, made.alpha, cross(made.omega, spin));
  const Form3 acceleration = turned_back(matrix, made.acceleration, {zero_, zero_, zero_});
  for (std::size_t i = 0; i < 3; ++i) {  // one by one: of those with as many neighbours the last defined leaves first
    const Form own = rate_of(spin[i]);
    const Expr one = graph_.constant(1);
    const std::pair<Expr, const Form*> parts[] = {{one, &alpha[i]}, {one, &own}};
    made.alpha[i] = system_.define(system_.combine(parts));
    made.acceleration[i] = system_.define(acceleration[i]);
  }
  const int axis = axis_of(matrix);
  if (axis < 0) return;
  const auto i = static_cast<std::size_t>(axis + 1) % 3, j = static_cast<std::size_t>(axis + 2) % 3;
  system_.join(made.alpha[i], made.alpha[j]);
  system_.join(made.acceleration[i], made.acceleration[j]);
}

}  // namespace dalembert
