#pragma once
// Departures carried along a march, step by step: their equations are linear, with coefficients read from the dense
// output of the step taken last (theory 9.1); at impacts they jump (theory 9.2).

#include <optional>

#include "simulate/march/follower.hpp"
#include "study/gradient/tangent.hpp"

namespace dalembert {

/// What a column of a motion is a function of.
struct ColumnSource {
  enum class Kind : std::uint8_t { coordinate, velocity, multiplier, seen } kind;
  std::size_t index;
};

/// How elastic a contact is, and how that changes along each direction.
struct Restitution {
  double value = 0;
  Eigen::RowVectorXd slope;
};

class GradientFollower : public Follower {
 public:
  struct Plan {
    std::vector<std::string> names;      ///< of the directions
    std::vector<ColumnSource> columns;   ///< to give derivatives of
    std::vector<double> expected_start;  ///< q, u: where the departures are known
    Departure start;
    std::vector<Restitution> contacts;
    std::vector<double> sizes;  ///< of what the motion is differentiated by; not zero
    double tolerance = 1e-10;
    std::vector<double> times;  ///< of the rows; those of the motion where there are none
  };
  GradientFollower(Tangent& tangent, Plan plan);

  void begin(Course& course) override;
  void begin_step(Course& course) override;
  void add_row(Course& course, double t) override;
  void add_event(Course& course, const EventRecord& event) override;
  void end_step(Course& course, double t) override;
  void pass_change(Course& course, const PassedChange& change) override;

  /// A row of derivatives for each row of the motion: of all columns by the first name, then by the next.
  const std::vector<std::vector<double>>& rows() const { return rows_; }
  /// With `times`: the rows of the motion itself at these.
  const std::vector<std::vector<double>>& motion_rows() const { return motion_rows_; }
  /// Of each event, in their order.
  const std::vector<NamedNumbers>& event_times() const { return event_times_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  using Matrix = Eigen::MatrixXd;

  bool look(Course& course, double t, std::span<double> y);
  Eigen::Map<Matrix> in(std::span<double> values) const;
  void set_knot(double t, const Departure& departure);
  Departure departure_at(Course& course, double t);
  bool take_piece(Course& course);
  void note_sizes(double h, double margin);
  void find_instant(Course& course);
  double plan_piece(double h) const;
  void strike(Course& course, const PassedChange& change);
  void lose(const std::string& why);
  std::vector<double> derivatives_at(Course& course, double t);
  void add_times(Course& course, double until);

  Tangent& tangent_;
  Plan plan_;
  Eigen::Index n_, k_;
  std::unique_ptr<Method> method_;
  SlopeFunction f_;
  Course* course_ = nullptr;  // while f_ is used
  double now_ = 0;            // of the method's start
  bool in_step_ = false, piece_ = false, lost_ = false;
  double step_end_ = 0;
  std::size_t pieces_ = 0;                            // of the step
  std::vector<std::pair<double, double>> looked_at_;  // times of a piece's stages, and margins there
  bool instant_sought_ = false;
  std::optional<double> instant_;  // of a singular configuration inside the step
  std::vector<double> y_, work_, scale_, noise_;
  Matrix sizes_;                            // largest so far
  std::pair<double, double> state_size_{};  // of q and of u
  struct Knot {
    double t;
    std::vector<double> values;
  };
  std::vector<Knot> knots_;  // lately passed: the march may go back to one
  double change_t_ = 0;
  Eigen::RowVectorXd change_slope_;  // of the time of the change passed last
  std::vector<std::vector<double>> rows_, motion_rows_;
  std::vector<NamedNumbers> event_times_;
  std::vector<std::string> notes_;
};

}  // namespace dalembert
