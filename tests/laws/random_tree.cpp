#include "laws/random_tree.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <random>

namespace laws {
namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;  // rows

constexpr std::array<char, 3> axis_names{'x', 'y', 'z'};

Matrix identity() { return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}

Vector product(const Matrix& a, const Vector& v) {
  Vector w{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) w[i] += a[i][j] * v[j];
  return w;
}

Vector sum(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

Matrix elementary(int axis, double angle) {
  Matrix r = identity();
  const int j = (axis + 1) % 3, k = (axis + 2) % 3;
  r[j][j] = r[k][k] = std::cos(angle);
  r[k][j] = std::sin(angle);
  r[j][k] = -r[k][j];
  return r;
}

/// Unit quaternion, scalar first, from the largest of its components (Shepperd's method).
std::array<double, 4> quaternion(const Matrix& r) {
  const std::array<double, 4> squares{1 + r[0][0] + r[1][1] + r[2][2], 1 + r[0][0] - r[1][1] - r[2][2],
                                      1 - r[0][0] + r[1][1] - r[2][2], 1 - r[0][0] - r[1][1] + r[2][2]};
  std::size_t largest = 0;
  for (std::size_t i = 1; i < 4; ++i)
    if (squares[i] > squares[largest]) largest = i;
  const double yz = r[2][1] - r[1][2], zx = r[0][2] - r[2][0], xy = r[1][0] - r[0][1];
  const double sxy = r[0][1] + r[1][0], syz = r[1][2] + r[2][1], szx = r[2][0] + r[0][2];
  const std::array<std::array<double, 4>, 4> choices{
      {{squares[0], yz, zx, xy}, {yz, squares[1], sxy, szx}, {zx, sxy, squares[2], syz}, {xy, szx, syz, squares[3]}}};
  std::array<double, 4> e = choices[largest];
  for (double& component : e) component /= 2 * std::sqrt(squares[largest]);
  return e;
}

enum class JointKind : std::uint8_t { hinge, slide, free };

struct Link {
  int parent = -1;  ///< -1: the world
  JointKind joint = JointKind::hinge;
  int axis = 2, tilt_axis = 0;
  Vector anchor{};       ///< of the joint, in the parent
  double tilt = 0;       ///< turns the joint in the parent
  double value = 0;      ///< of the joint's coordinate at t = 0
  Vector origin{};       ///< in the world at t = 0
  Matrix rotation{};     ///< to the world at t = 0
  int path_freedom = 1;  ///< degrees of freedom from the world to here that no constraint has taken
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {
    const int bodies = pick(2, 5);
    for (int i = 0; i < bodies; ++i) add_link(i);
    for (int i = 0; i < bodies; ++i) write_link(i);
    for (int wanted = pick(1, 3), tries = 0; wanted > 0 && tries < 20; ++tries)
      if (add_constraint(pick(0, bodies - 1))) --wanted;
    models_.relative = fmt::format(file, joint_coordinates_, joint_frames_, common_, kept_, outputs_);
    models_.cartesian =
        fmt::format(file, free_coordinates_, free_frames_, common_, joint_constraints_ + kept_, outputs_);
  }

  TreeModels models() { return models_; }

 private:
  static constexpr const char* file =
      "name = \"random tree\"\ngravity = [0, 0, -9.81]\n\n[coordinates]\n{}\n{}{}[constraints]\n{}\n[outputs]\n{}";

  int pick(int first, int last) {
    return first + static_cast<int>(random_() % static_cast<std::uint64_t>(last - first + 1));
  }
  double number(double first, double last) {  // two decimals, so that the file says it exactly
    return std::round(100 * (first + (last - first) * static_cast<double>(random_() >> 11U) * 0x1p-53)) / 100;
  }
  Vector vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
  static std::string text(const Vector& v) { return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]); }

  void add_link(int i) {
    Link link;
    link.parent = i == 0 ? -1 : pick(-1, i - 1);
    const int kind = pick(0, 9);
    link.joint = kind < 6 ? JointKind::hinge : kind < 8 || link.parent >= 0 ? JointKind::slide : JointKind::free;
    link.axis = pick(0, 2);
    link.tilt_axis = (link.axis + pick(1, 2)) % 3;
    link.anchor = vector(0.6);
    link.tilt = number(-1, 1);
    link.value = number(-0.8, 0.8);

    const Matrix below = link.parent < 0 ? identity() : links_[link.parent].rotation;
    const Vector start = link.parent < 0 ? Vector{} : links_[link.parent].origin;
    link.rotation = product(below, elementary(link.tilt_axis, link.tilt));
    link.origin = sum(start, product(below, link.anchor));
    if (link.joint == JointKind::hinge) link.rotation = product(link.rotation, elementary(link.axis, link.value));
    if (link.joint == JointKind::slide) {
      Vector way{};
      way[link.axis] = link.value;
      link.origin = sum(link.origin, product(link.rotation, way));
    }
    link.path_freedom =
        (link.joint == JointKind::free ? 6 : 1) + (link.parent < 0 ? 0 : links_[link.parent].path_freedom);
    links_.push_back(link);
  }

  void write_link(int i) {
    const Link& link = links_[i];
    const std::string parent = link.parent < 0 ? "world" : fmt::format("b{}", link.parent);
    const std::string mount = fmt::format("[frames.m{}]\nparent = \"{}\"\norigin = {}\nrotate = [[\"{}\", {}]]\n\n", i,
                                          parent, text(link.anchor), axis_names[link.tilt_axis], link.tilt);
    joint_frames_ += mount;
    free_frames_ += mount;
    write_free(i, link, free_coordinates_, free_frames_);
    if (link.joint == JointKind::free)
      write_free(i, link, joint_coordinates_, joint_frames_);
    else
      write_joint(i, link);
    write_body(i);
  }

  static void write_free(int i, const Link& link, std::string& coordinates, std::string& frames) {
    for (int k = 0; k < 3; ++k) coordinates += fmt::format("{}{} = {}\n", axis_names[k], i, link.origin[k]);
    const std::array<double, 4> e = quaternion(link.rotation);
    for (int k = 0; k < 4; ++k) coordinates += fmt::format("e{}_{} = {}\n", k, i, e[k]);
    frames += fmt::format(
        "[frames.b{0}]\norigin = [\"x{0}\", \"y{0}\", \"z{0}\"]\n"
        "rotate = [[\"quaternion\", \"e0_{0}\", \"e1_{0}\", \"e2_{0}\", \"e3_{0}\"]]\n\n",
        i);
  }

  /// The joint by its coordinate, and as constraints on two free bodies; m{i} is the joint's frame in the parent.
  void write_joint(int i, const Link& link) {
    joint_coordinates_ += fmt::format("q{} = {}\n", i, link.value);
    std::array<std::string, 3> way{"0", "0", "0"};
    way[link.axis] = fmt::format("\"q{}\"", i);
    joint_frames_ += fmt::format("[frames.b{0}]\nparent = \"m{0}\"\n", i);
    joint_frames_ += link.joint == JointKind::hinge
                         ? fmt::format("rotate = [[\"{}\", \"q{}\"]]\n\n", axis_names[link.axis], i)
                         : fmt::format("origin = [{}, {}, {}]\n\n", way[0], way[1], way[2]);
    write_joint_constraints(i, link);
  }

  void write_joint_constraints(int i, const Link& link) {
    const char a = axis_names[link.axis], b = axis_names[(link.axis + 1) % 3], c = axis_names[(link.axis + 2) % 3];
    if (link.joint == JointKind::hinge) {
      joint_constraints_ += fmt::format("joint{0} = \"position(b{0}) = position(m{0})\"\n", i);
      for (const char other : {b, c})
        joint_constraints_ += fmt::format("hinge{0}{2} = \"dot(axis(b{0}, {1}), axis(m{0}, {2})) = 0\"\n", i, a, other);
    } else {
      for (const char other : {b, c})
        joint_constraints_ +=
            fmt::format("rail{0}{1} = \"dot(position(b{0}) - position(m{0}), axis(m{0}, {1})) = 0\"\n", i, other);
      for (int k = 0; k < 3; ++k)
        joint_constraints_ += fmt::format("turn{0}{1} = \"dot(axis(b{0}, {1}), axis(m{0}, {2})) = 0\"\n", i,
                                          axis_names[k], axis_names[(k + 1) % 3]);
    }
  }

  void write_body(int i) {
    const double xy = number(-0.02, 0.02), yz = number(-0.02, 0.02), zx = number(-0.02, 0.02);
    const Vector centre = vector(0.3);
    common_ += fmt::format(
        "[bodies.b{0}]\nframe = \"b{0}\"\ncentre = {1}\nmass = {2}\ninertia = [{3}, {4}, {5}, "
        "{6}, "
        "{7}, {8}]\n\n[points.G{0}]\nframe = \"b{0}\"\nposition = {1}\n\n",
        i, text(centre), number(0.5, 3), number(0.1, 0.15), number(0.1, 0.15), number(0.1, 0.15), xy, yz, zx);
    outputs_ += fmt::format("centre{0} = \"position(G{0})\"\n", i);
    models_.centres.push_back(fmt::format("centre{}", i));
  }

  /// All start from rest, so a constraint holds at t = 0 if its positions do and its drive starts smoothly. The
  /// directions are oblique, or a constraint might concern a way that is not free anyway.
  bool add_constraint(int i) {
    if (!take_freedom(i)) return false;
    const Vector place = vector(0.4), there = sum(links_[i].origin, product(links_[i].rotation, place));
    const std::string point = fmt::format("P{}", models_.kept.size());
    common_ += fmt::format("[points.{}]\nframe = \"b{}\"\nposition = {}\n\n", point, i, text(place));
    const std::string name = fmt::format("kept{}", models_.kept.size());
    switch (pick(0, 4)) {
      case 0: {  // closes a loop through the world by a rod
        const Vector end = vector(1.5);
        const double square =
            std::pow(end[0] - there[0], 2) + std::pow(end[1] - there[1], 2) + std::pow(end[2] - there[2], 2);
        kept_ += fmt::format("{0} = \"dot(position({1}) - {2}, position({1}) - {2}) = {3}\"\n", name, point, text(end),
                             square);
        break;
      }
      case 1:  // a blade
        kept_ += fmt::format("{0} = \"dot(velocity({1}), 2*axis(b{2}, x) + 3*axis(b{2}, y) - axis(b{2}, z)) = 0\"\n",
                             name, point, i);
        break;
      case 2:  // rolls on the level of a point under it
      case 3:  // the same, as likely on a belt
        common_ += fmt::format("[points.C{0}]\nposition = \"position(P{0}) - [0, 0, {1}]\"\n\n", models_.kept.size(),
                               number(0.1, 0.5));
        kept_ += fmt::format("{} = \"dot(velocity(b{}, C{}), [0.8, 0.6, 0]) = {}\"\n", name, i, models_.kept.size(),
                             pick(0, 1) == 0 ? "0" : "0.2*sin(3*t)");
        break;
      default: {  // driven to and fro
        const double start = 0.3 * there[0] + 0.4 * there[1] + 0.8 * there[2];
        kept_ +=
            fmt::format("{} = \"dot(position({}), [0.3, 0.4, 0.8]) = {} + 0.05*(1 - cos(2*t))\"\n", name, point, start);
      }
    }
    models_.kept.push_back(name);
    return true;
  }

  /// A constraint on body i takes one freedom of each way from the world that passes through i; each keeps one.
  bool take_freedom(int i) {
    std::vector<Link*> concerned;
    for (Link& link : links_)
      for (const Link* below = &link; below != nullptr; below = below->parent < 0 ? nullptr : &links_[below->parent])
        if (below == &links_[i]) concerned.push_back(&link);
    for (const Link* link : concerned)
      if (link->path_freedom < 2) return false;
    for (Link* link : concerned) --link->path_freedom;
    return true;
  }

  std::mt19937_64 random_;
  std::vector<Link> links_;
  std::string joint_coordinates_, free_coordinates_, joint_frames_, free_frames_, common_;
  std::string joint_constraints_, kept_, outputs_;
  TreeModels models_;
};

}  // namespace

TreeModels make_random_tree(std::uint64_t seed) { return Generator(seed).models(); }

}  // namespace laws
