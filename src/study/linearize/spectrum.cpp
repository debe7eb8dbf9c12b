#include "study/linearize/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <dalembert/base/work_limit.hpp>
#include <numeric>

#include "base/eigenvalues.hpp"
#include "base/rank.hpp"
#include "base/tolerances.hpp"
#include "study/eigen_view.hpp"
#include "study/linearize/thin.hpp"

namespace dalembert {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// D^-1 A D with rows and columns of like size, D of powers of two (Parlett and Reinsch 1969): no rounding.
VectorXd balance(MatrixXd& a) {
  VectorXd scale = VectorXd::Ones(a.rows());
  constexpr int sweeps = 30;
  bool done = false;
  for (int sweep = 0; sweep < sweeps && !done; ++sweep) {
    done = true;
    for (Index i = 0; i < a.rows(); ++i) {
      const double c = a.col(i).lpNorm<1>() - std::abs(a(i, i)), r = a.row(i).lpNorm<1>() - std::abs(a(i, i));
      if (!(c > 0) || !(r > 0)) continue;
      const double f = std::exp2(std::round(std::log2(r / c) / 2));
      if (c * f + r / f >= 0.95 * (c + r)) continue;
      done = false;
      scale(i) *= f;
      a.row(i) /= f;
      a.col(i) *= f;
    }
  }
  return scale;
}

/// The largest component of the coordinates is one; of all, where coordinates have no part in the mode.
void scale_mode(std::vector<Complex>& v, std::size_t coordinate_count) {
  const auto largest = [&](std::size_t count) {
    Complex found = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (std::abs(v[i]) > (1 + tolerance::root_epsilon) * std::abs(found)) found = v[i];
    return found;
  };
  Complex unit = largest(coordinate_count);
  if (std::abs(unit) <= tolerance::clear_sign * std::abs(largest(v.size()))) unit = largest(v.size());
  if (unit == 0.0) return;
  for (Complex& component : v) {
    component /= unit;
    if (std::abs(component.real()) < tolerance::clear_sign) component.real(0);
    if (std::abs(component.imag()) < tolerance::clear_sign) component.imag(0);
  }
}

Mode make_mode(Complex value, const VectorXcd& vector, const VectorXd& scale, std::size_t coordinate_count) {
  Mode mode{value, {}};
  for (Index i = 0; i < vector.size(); ++i) mode.components.push_back(vector(i) * scale(i));
  scale_mode(mode.components, coordinate_count);
  return mode;
}

/// Splits zero roots off: B is A inside `basis`, the range of its powers.
struct Staircase {
  MatrixXd inside, basis;
};

Staircase split_zeros(const MatrixXd& a, double size, const std::vector<std::size_t>* wanted,
                      std::vector<std::size_t>& zeros) {
  Staircase stairs{a, MatrixXd::Identity(a.rows(), a.cols())};
  for (std::size_t step = 0; stairs.inside.rows() > 0; ++step) {
    if (wanted != nullptr && step == wanted->size()) break;
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(stairs.inside);
    Index rank = 0;
    if (wanted != nullptr)
      rank = stairs.inside.rows() - static_cast<Index>((*wanted)[step]);
    else
      while (rank < stairs.inside.rows() && std::abs(qr.matrixR()(rank, rank)) > tolerance::clear_sign * size) ++rank;
    if (rank == stairs.inside.rows()) break;
    zeros.push_back(static_cast<std::size_t>(stairs.inside.rows() - rank));
    const MatrixXd range = MatrixXd(qr.householderQ()).leftCols(rank);
    stairs.inside = (range.transpose() * stairs.inside * range).eval();
    stairs.basis = (stairs.basis * range).eval();
  }
  return stairs;
}

void add_kernel(Spectrum& spectrum, const MatrixXd& a, const VectorXd& scale, std::size_t coordinate_count) {
  RowMajor rows = a;
  const auto n = static_cast<std::size_t>(a.rows());
  const double unit = spectrum.size > 0 ? spectrum.size : 1;
  rows /= unit;
  const RowSplit split = split_rows(MatrixView(n, n, {rows.data(), n * n}), tolerance::clear_sign);
  spectrum.kernel = split.kernel.size() / std::max<std::size_t>(n, 1);
  for (std::size_t k = 0; k < spectrum.kernel; ++k) {
    VectorXcd vector(a.rows());
    for (std::size_t i = 0; i < n; ++i) vector(static_cast<Index>(i)) = split.kernel[k * n + i];
    spectrum.modes.push_back(make_mode(0, vector, scale, coordinate_count));
  }
}

}  // namespace

std::size_t Spectrum::zero_count() const { return std::accumulate(zeros.begin(), zeros.end(), std::size_t{0}); }

std::size_t Spectrum::count_right(double margin) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      modes, [&](const Mode& mode) { return mode.eigenvalue != 0.0 && mode.eigenvalue.real() > margin; }));
}

Spectrum find_spectrum(const NumberMatrix& given, std::size_t coordinate_count, const std::vector<std::size_t>* zeros) {
  Spectrum spectrum;
  const auto n = static_cast<Index>(given.rows);
  spend_work(2.5 * std::pow(static_cast<double>(n), 3));  // 25 operations of a nanosecond (Golub and Van Loan, 7.5.6)
  MatrixXd a = Eigen::Map<const RowMajor>(given.values.data(), n, n);
  if (!a.allFinite()) return spectrum;
  const VectorXd scale = balance(a);
  spectrum.size = a.norm();
  const Staircase stairs = split_zeros(a, spectrum.size, zeros, spectrum.zeros);
  spectrum.ok = true;
  if (stairs.inside.rows() > 0) {
    const Eigen::EigenSolver<MatrixXd> solver(stairs.inside);
    spectrum.ok = solver.info() == Eigen::Success;
    for (Index k = 0; spectrum.ok && k < stairs.inside.rows(); ++k) {
      Complex value = solver.eigenvalues()(k);
      if (std::abs(value.real()) <= tolerance::cancelled * spectrum.size) value.real(0);
      spectrum.modes.push_back(make_mode(value, stairs.basis * solver.eigenvectors().col(k), scale, coordinate_count));
    }
  }
  if (!spectrum.zeros.empty()) add_kernel(spectrum, a, scale, coordinate_count);
  std::ranges::stable_sort(spectrum.modes, [](const Mode& x, const Mode& y) {
    return std::pair(-x.eigenvalue.real(), std::abs(x.eigenvalue.imag())) <
           std::pair(-y.eigenvalue.real(), std::abs(y.eigenvalue.imag()));
  });
  return spectrum;
}

std::vector<double> solve_least(const NumberMatrix& a, const std::vector<double>& b) {
  return solve_least_norm(MatrixView(a.rows, a.columns, a.values), b, tolerance::clear_sign).x;
}

bool is_positive_definite(const NumberMatrix& a) {
  constexpr std::size_t many = 200;
  if (a.rows > many) {  // no eigenvalue is larger than a row's sum
    MatrixXd shifted = view(a).selfadjointView<Eigen::Lower>();
    shifted.diagonal().array() -= tolerance::clear_sign * shifted.cwiseAbs().rowwise().sum().maxCoeff();
    return thin::Cholesky(shifted).ok();
  }
  const SymmetricEigen eigen = find_eigenvalues(MatrixView(a.rows, a.columns, a.values));
  return eigen.ok && !eigen.values.empty() && eigen.values.front() > tolerance::clear_sign * eigen.values.back();
}

}  // namespace dalembert
