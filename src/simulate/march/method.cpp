#include "simulate/march/method.hpp"

#include <algorithm>
#include <dalembert/base/error.hpp>

#include "simulate/march/dop853.hpp"

namespace dalembert {
namespace {

class Dop853Method : public Method {
 public:
  explicit Dop853Method(std::size_t size) : scheme_(size) {}

  std::size_t size() const override { return scheme_.size(); }
  std::span<double> start() override { return scheme_.start(); }
  std::span<double> start_derivative() override { return scheme_.start_derivative(); }
  std::span<double> end() override { return scheme_.end(); }
  std::span<double> end_derivative() override { return scheme_.end_derivative(); }
  double t() const override { return scheme_.t(); }
  double h() const override { return scheme_.h(); }
  void take(const SlopeFunction& f, double t, double h, const AmendFunction& amend) override {
    if (amend)
      scheme_.take(f, t, h, amend);
    else
      scheme_.take(f, t, h);
  }
  double error(std::span<const double> scale, std::span<const double> noise) override {
    return scheme_.error(scale, noise);
  }
  double order() const override { return 8; }
  std::pair<double, double> largest_gap() const override { return {1.0 / 3, 0.6}; }
  void advance() override { scheme_.advance(); }
  void interpolate(const SlopeFunction& f, double x, std::span<double> y) override {
    scheme_.prepare_dense(f);
    scheme_.interpolate(x, y);
  }
  void adopt(const Dop853Lanes& lanes, std::size_t l) { scheme_.adopt(lanes, l); }

 private:
  Dop853 scheme_;
};

class Dop853Pack : public Pack {
 public:
  explicit Dop853Pack(std::size_t size) : scheme_(size) {}

  void take(const LaneSlopeFunction& f, const std::array<Method*, lanes>& methods, const std::array<double, lanes>& t,
            const std::array<double, lanes>& h) override {
    const auto some = *std::ranges::find_if(methods, [](const Method* method) { return method != nullptr; });
    for (std::size_t l = 0; l < lanes; ++l) {  // an empty lane does what another does
      Method& method = methods[l] != nullptr ? *methods[l] : *some;
      for (std::size_t i = 0; i < scheme_.size(); ++i) {
        scheme_.start()[lanes * i + l] = method.start()[i];
        scheme_.start_derivative()[lanes * i + l] = method.start_derivative()[i];
      }
    }
    scheme_.take(f, t, h);
    for (std::size_t l = 0; l < lanes; ++l)
      if (methods[l] != nullptr) static_cast<Dop853Method&>(*methods[l]).adopt(scheme_, l);
  }

 private:
  Dop853Lanes scheme_;
};

}  // namespace

std::unique_ptr<Pack> make_pack(const std::string& name, std::size_t size) {
  check_method(name);
  return std::make_unique<Dop853Pack>(size);
}

void check_method(const std::string& name) {
  if (name != "dop853") throw InputError({"", {}, "method", "\"" + name + "\" is no method", "use dop853"});
}

std::unique_ptr<Method> make_method(const std::string& name, std::size_t size) {
  check_method(name);
  return std::make_unique<Dop853Method>(size);
}

}  // namespace dalembert
