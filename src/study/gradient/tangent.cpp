#include "study/gradient/tangent.hpp"

#include <algorithm>
#include <dalembert/base/work_limit.hpp>

#include "study/eigen_view.hpp"

namespace dalembert {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The matrix of M x - A^T mu = f, A x = g.
MatrixXd border(const NumberMatrix& mass, const MatrixXd& jacobian) {
  const Eigen::Index n = to_index(mass.rows), r = jacobian.rows();
  MatrixXd whole = MatrixXd::Zero(n + r, n + r);
  whole.topLeftCorner(n, n) = view(mass);
  whole.topRightCorner(n, r) = -jacobian.transpose();
  whole.bottomLeftCorner(r, n) = jacobian;
  return whole;
}

double smallest_pivot(const MatrixXd& rows, const VectorXd& lengths) {
  const VectorXd units = lengths.unaryExpr([](double length) { return length > 0 ? 1 / length : 0; });
  const Eigen::ColPivHouseholderQR<MatrixXd> factor((units.asDiagonal() * rows).transpose());
  return rows.rows() > rows.cols() ? 0 : factor.matrixQR().diagonal().cwiseAbs().minCoeff();
}

}  // namespace

Tangent::Tangent(const Equations& equations, std::span<const std::size_t> inputs)
    : terms_(equations, inputs, Seen::motion) {}

void Tangent::set(std::span<const double> parameters, Matrix directions) {
  terms_.set_parameters(parameters);
  directions_ = std::move(directions);
}

bool Tangent::factor() {
  spend_work(0.1 * std::pow(static_cast<double>(size() + rows_.size()), 3));  // a nanosecond an operation
  factor_.compute(border(values_.mass, jacobian_));
  const bool all = geometric_.size() == rows_.size();
  if (!all) position_factor_.compute(border(values_.mass, jacobian_(geometric_, Eigen::all)));
  return factor_.rcond() > 0 && (all || position_factor_.rcond() > 0);
}

/// The smallest pivot of rows in units of their lengths: rows that vanish count as rows that depend on others do.
void Tangent::measure_margin() {
  margin_ = 1;
  if (rows_.empty()) return;
  lengths_ = lengths_.cwiseMax(jacobian_.rowwise().norm());
  const double pivot = smallest_pivot(jacobian_, lengths_);
  widest_ = std::max(widest_, pivot);
  margin_ = widest_ > 0 ? pivot / widest_ : 0;
}

double Tangent::margin_at(double t, const double* y) {
  if (rows_.empty()) return 1;
  MotionPoint there = at_;
  there.t = t;
  there.q.assign(y, y + size());
  there.u.assign(y + size(), y + 2 * size());
  return smallest_pivot(view(terms_.evaluate(there).jacobian)(rows_, Eigen::all), lengths_) / widest_;
}

bool Tangent::look(double t, const double* y, std::span<const std::uint32_t> rows) {
  const std::size_t n = size();
  at_.t = t;
  at_.q.assign(y, y + n);
  at_.u.assign(y + n, y + 2 * n);
  values_ = terms_.evaluate(at_);
  if (!std::ranges::equal(rows_, rows)) {
    rows_.assign(rows.begin(), rows.end());
    lengths_.setZero(to_index(rows.size()));
    widest_ = 0;
  }
  geometric_.clear();
  for (std::size_t k = 0; k < rows_.size(); ++k)
    if (terms_.is_geometric(static_cast<std::size_t>(rows_[k]))) geometric_.push_back(to_index(k));
  jacobian_ = view(values_.jacobian)(rows_, Eigen::all);
  if (!view(values_.mass).allFinite() || !jacobian_.allFinite()) return false;
  measure_margin();
  if (!factor()) return false;
  VectorXd right(to_index(n) + jacobian_.rows());
  right << -view(values_.bias), -view(values_.drift)(rows_);
  const VectorXd found = factor_.solve(right);
  at_.a.assign(found.data(), found.data() + n);
  at_.lambda.assign(terms_.row_count(), 0.0);
  for (std::size_t k = 0; k < rows_.size(); ++k)
    at_.lambda[static_cast<std::size_t>(rows_[k])] = found[to_index(n + k)];
  slopes_ = terms_.evaluate_slopes(at_);
  return found.allFinite() && view(slopes_.force_e).allFinite() && view(slopes_.force_u).allFinite();
}

Tangent::Matrix Tangent::places(const Matrix& q, const Eigen::RowVectorXd& time) const {
  Matrix all(directions_.rows() + 1 + q.rows(), q.cols());
  all << directions_, time, q;
  return all;
}

Tangent::Answer Tangent::solve(const Matrix& places, const Matrix& u) const {
  const Eigen::Index n = to_index(size());
  Matrix right(n + to_index(rows_.size()), places.cols());
  right.topRows(n) = -(view(slopes_.force_e) * places + view(slopes_.force_u) * u);
  const Matrix along = view(slopes_.acceleration_e) * places + view(slopes_.acceleration_u) * u;
  right.bottomRows(to_index(rows_.size())) = -along(rows_, Eigen::all);
  const Matrix found = factor_.solve(right);
  Answer answer{found.topRows(n), Matrix::Zero(to_index(terms_.row_count()), places.cols())};
  for (std::size_t k = 0; k < rows_.size(); ++k) answer.multipliers.row(rows_[k]) = found.row(n + to_index(k));
  return answer;
}

Tangent::Matrix Tangent::see(const Matrix& places, const Matrix& u, const Answer& answer) const {
  return view(slopes_.output_e) * places + view(slopes_.output_u) * u + view(slopes_.output_a) * answer.acceleration +
         view(slopes_.output_l) * answer.multipliers;
}

Tangent::Answer Tangent::solve_flow() const {
  Matrix flow = Matrix::Zero(directions_.rows() + 1 + to_index(size()), 1);
  flow(directions_.rows(), 0) = 1;
  flow.bottomRows(to_index(size())) = view(at_.u);
  return solve(flow, view(at_.a));
}

Eigen::VectorXd Tangent::see_flow() const {
  Matrix flow = Matrix::Zero(directions_.rows() + 1 + to_index(size()), 1);
  flow(directions_.rows(), 0) = 1;
  flow.bottomRows(to_index(size())) = view(at_.u);
  return see(flow, view(at_.a), solve(flow, view(at_.a)));
}

Tangent::Matrix Tangent::solve_rows(const Matrix& force, const Matrix& along) const {
  Matrix right(force.rows() + along.rows(), force.cols());
  right << force, along;
  return factor_.solve(right).topRows(force.rows());
}

void Tangent::project(Departure& departure) const {
  if (rows_.empty()) return;
  const Eigen::Index n = to_index(size()), extra = directions_.rows() + 1;
  const Matrix nothing = Matrix::Zero(n, departure.q.cols());
  if (!geometric_.empty()) {
    const Matrix fixed = places(departure.q, no_time()).topRows(extra);
    const Matrix moved = view(slopes_.position_x) * fixed;
    const Matrix off = jacobian_ * departure.q + moved(rows_, Eigen::all);
    if (geometric_.size() == rows_.size()) {
      departure.q += solve_rows(nothing, -off);
    } else {
      Matrix right = Matrix::Zero(n + to_index(geometric_.size()), off.cols());
      right.bottomRows(to_index(geometric_.size())) = -off(geometric_, Eigen::all);
      departure.q += position_factor_.solve(right).topRows(n);
    }
  }
  const Matrix moved = view(slopes_.velocity_e) * places(departure.q, no_time());
  departure.u += solve_rows(nothing, -(jacobian_ * departure.u + moved(rows_, Eigen::all)));
}

}  // namespace dalembert
