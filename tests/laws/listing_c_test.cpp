// Equations in C, compiled by the system's compiler and called: `terms` has the values of M, bias, A and drift, and
// `listed`, where a listing is written, those of the equations.

#include <dlfcn.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "laws/listing.hpp"
#include "laws/random_tree.hpp"

namespace dalembert {
namespace {

using namespace listings;

/// C source, compiled without a warning.
class CompiledC {
 public:
  explicit CompiledC(const std::string& source) {
    std::string pattern = (std::filesystem::path(testing::TempDir()) / "listedXXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::ofstream(folder_ / "f.c") << source;
    const std::string command =
        fmt::format("cc -std=c99 -O0 -Wall -Wextra -Werror -shared -fPIC -o {0}/f.so {0}/f.c -lm", folder_.string());
    if (std::system(command.c_str()) == 0) handle_ = dlopen((folder_ / "f.so").c_str(), RTLD_NOW);
  }
  ~CompiledC() {
    if (handle_ != nullptr) dlclose(handle_);
    std::filesystem::remove_all(folder_);
  }
  CompiledC(const CompiledC&) = delete;
  CompiledC& operator=(const CompiledC&) = delete;

  explicit operator bool() const { return handle_ != nullptr; }
  bool has(const char* function) const { return dlsym(handle_, function) != nullptr; }
  std::vector<double> call(const char* function, const std::vector<double>& inputs,
                           const std::vector<double>& parameters, std::size_t results) const {
    std::vector<double> result(results);
    reinterpret_cast<void (*)(const double*, const double*, double*)>(dlsym(handle_, function))(
        inputs.data(), parameters.data(), result.data());
    return result;
  }

 private:
  std::filesystem::path folder_;
  void* handle_ = nullptr;
};

/// The lower triangle of M by rows, bias, A by rows, drift.
std::vector<double> expected_terms(const Equations& equations, std::span<const Binding> at) {
  const std::size_t n = equations.velocities.size();
  std::vector<double> mass(n * (n + 1) / 2), rows(equations.rows.size() * n), drift;
  for (std::size_t i = 0; i < n; ++i)
    for (const Entry& entry : equations.mass[i]) mass[i * (i + 1) / 2 + entry.column] = evaluate(entry.value, at);
  for (std::size_t a = 0; a < equations.rows.size(); ++a) {
    for (const Entry& entry : equations.rows[a].jacobian) rows[a * n + entry.column] = evaluate(entry.value, at);
    drift.push_back(evaluate(equations.rows[a].drift, at));
  }
  std::vector<double> all = mass;
  for (const auto& list : {evaluate(equations.bias, at), rows, drift}) all.insert(all.end(), list.begin(), list.end());
  return all;
}

/// What depends on parameters only is computed first, and held.
constexpr const char* both_calls =
    "void terms_at(const double *x, const double *p, double *y) {\n"
    "  double h[terms_held + 1];\n  terms_prologue(p, h);\n  terms(x, h, y);\n}\n";

/// Whether there was a listing to compare.
bool expect_c_says_what_is_computed(const Equations& of) {
  const Equations equations = fork(of);
  const CompiledC compiled(write_c(equations) + both_calls);
  EXPECT_TRUE(compiled);
  if (!compiled) return false;
  std::mt19937_64 random(9);
  const std::vector<Binding> at = random_state(equations, random);
  std::vector<Expr> inputs{equations.time};
  for (const auto* list : {&equations.coordinates, &equations.velocities})
    inputs.insert(inputs.end(), list->begin(), list->end());
  const std::vector<double> parameters = parameter_values(*equations.model), terms = expected_terms(equations, at),
                            found_terms = compiled.call("terms_at", evaluate(inputs, at), parameters, terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i)
    EXPECT_NEAR(found_terms[i], terms[i], allowed({terms[i], std::fabs(terms[i])}));
  if (!compiled.has("listed")) return false;

  inputs.insert(inputs.end(), equations.accelerations.begin(), equations.accelerations.end());
  for (const auto* rows : {&equations.rows, &equations.contacts})
    for (const ConstraintRow& row : *rows) inputs.push_back(equations.graph->symbol(reaction_symbol(row.name)));
  std::vector<Residual> expected = motion_residuals(equations, at);
  for (const Residual& constraint : constraint_residuals(equations, at)) expected.push_back(constraint);
  const std::vector<double> found = compiled.call("listed", evaluate(inputs, at), parameters, expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i].value, allowed(expected[i])) << i;
  return true;
}

class BundledModelInC : public testing::TestWithParam<std::string> {};

TEST_P(BundledModelInC, IsWhatIsComputed) {
  const Model model = load_model("models:" + GetParam());
  if (model.coordinates.size() > 100) return;  // the same formulas, thousands of times
  const Equations equations = derive_multipliers(model);
  const bool listed = expect_c_says_what_is_computed(equations);
  EXPECT_EQ(listed, write_text(equations).find("\nkinematics") != std::string::npos);
}

std::vector<std::string> bundled_models() {
  std::vector<std::string> names;
  for (const ModelFile& model : list_models()) names.push_back(model.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, BundledModelInC, testing::ValuesIn(bundled_models()),
                         [](const auto& tested) { return tested.param; });

TEST(ListingInC, HasTheNamesOfTheText) {
  for (const char* name : {"models:three_link_arm", "models:whipple_bicycle"}) {
    const std::string source = write_c(derive_multipliers(load_model(name)));
    EXPECT_NE(source.find("const double N_"), std::string::npos) << name;  // a moment
  }
}

TEST(ListingInC, OfRandomTreesIsWhatIsComputed) {
  int listed = 0;
  for (std::uint64_t seed : {3, 4}) {  // both have parts of which not every component is named
    SCOPED_TRACE(seed);
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / fmt::format("in_c{}.toml", seed);
    const laws::TreeModels models = laws::make_random_tree(seed);
    for (const std::string& text : {models.relative, models.cartesian}) {
      std::ofstream(file) << text;
      listed += expect_c_says_what_is_computed(derive_multipliers(load_model(file.string()))) ? 1 : 0;
    }
  }
  EXPECT_GE(listed, 2);
}

}  // namespace
}  // namespace dalembert
