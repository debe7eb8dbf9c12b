#pragma once
// A one-step method with an error estimate and dense output: what the march needs of one. It holds the knot where the
// step starts, the step's end, and whatever it computes in between; it allocates nothing after construction.

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace dalembert {

/// dy = f(t, y).
using SlopeFunction = std::function<void(double t, const double* y, double* dy)>;
/// May move a stage's state before it is evaluated.
using AmendFunction = std::function<void(double t, double* y)>;

class Method {
 public:
  virtual ~Method() = default;

  virtual std::size_t size() const = 0;
  /// The step's start and its derivative there; its end, and the derivative that the caller puts there.
  virtual std::span<double> start() = 0;
  virtual std::span<double> start_derivative() = 0;
  virtual std::span<double> end() = 0;
  virtual std::span<double> end_derivative() = 0;
  /// Where the last step began and how long it is.
  virtual double t() const = 0;
  virtual double h() const = 0;

  /// One step; end() is then what the caller may still project. `amend` may be empty.
  virtual void take(const SlopeFunction& f, double t, double h, const AmendFunction& amend) = 0;
  /// The error of the last step in units of the scale: 1 is just right. What is within the noise is none.
  virtual double error(std::span<const double> scale, std::span<const double> noise) = 0;
  /// The order by which its error estimate falls with the step.
  virtual double order() const = 0;
  /// The part of the step that no stage lies near, as (from, to): where a singular instant is stepped over.
  virtual std::pair<double, double> largest_gap() const = 0;
  /// The end becomes the next start.
  virtual void advance() = 0;
  /// The state at t() + x h(), 0 <= x <= 1; once end_derivative() is there.
  virtual void interpolate(const SlopeFunction& f, double x, std::span<double> y) = 0;
};

/// dy = f(t, y) of four motions at once: component i of lane l at [4 i + l].
using LaneSlopeFunction = std::function<void(const std::array<double, 4>& t, const double* y, double* dy)>;

/// Steps of four motions at once.
class Pack {
 public:
  static constexpr std::size_t lanes = 4;
  virtual ~Pack() = default;

  /// What `take` of each method does over its own step, to the last bit, and the derivative at its end; lanes without a
  /// method are passed over. All methods are of the name and size that the pack was made for.
  virtual void take(const LaneSlopeFunction& f, const std::array<Method*, lanes>& methods,
                    const std::array<double, lanes>& t, const std::array<double, lanes>& h) = 0;
};
std::unique_ptr<Pack> make_pack(const std::string& name, std::size_t size);

/// By name: "dop853".
std::unique_ptr<Method> make_method(const std::string& name, std::size_t size);
/// InputError with what there is where a name is none.
void check_method(const std::string& name);

}  // namespace dalembert
