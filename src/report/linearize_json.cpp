#include <cmath>
#include <dalembert/report/report.hpp>
#include <dalembert/report/stability.hpp>

#include "report/document.hpp"

namespace dalembert {
namespace {

Json pair(std::complex<double> value) { return Json::array({json_number(value.real()), json_number(value.imag())}); }

Json state_of(const Linearization& result) {
  Json state = {{"t", json_number(result.about.t)}};
  for (std::size_t i = 0; i < result.coordinates.size(); ++i) {
    state[result.coordinates[i]] = json_number(result.about.q[i]);
    state[result.coordinates[i] + "'"] = json_number(result.about.rates[i]);
  }
  return state;
}

}  // namespace

std::string write_json(const Linearization& result) {
  Json document;
  document["state"] = state_of(result);
  document["independent"] = result.state;
  document["dependent"] = result.dependent;
  document["carried"] = result.carried;
  document["left_out"] = result.left_out;
  document["inputs"] = result.inputs;
  document["outputs"] = result.outputs;
  document["A"] = json_rows(result.A);
  document["B"] = json_rows(result.B);
  const std::optional<SecondOrder>& form = result.second_order;
  document["M"] = form ? json_rows(form->mass) : Json(nullptr);
  document["C"] = form ? json_rows(form->damping) : Json(nullptr);
  document["K"] = form ? json_rows(form->stiffness) : Json(nullptr);
  document["second_order"] = form ? Json(form->coordinates) : Json(nullptr);
  document["output"] = {{"C", json_rows(result.C)}, {"D", json_rows(result.D)}};
  document["eigenvalues"] = Json::array();
  document["modes"] = Json::array();
  for (const Mode& mode : result.modes) {
    Json components = Json::object();
    for (std::size_t i = 0; i < mode.components.size(); ++i) components[result.state[i]] = pair(mode.components[i]);
    document["modes"].push_back({{"eigenvalue", pair(mode.eigenvalue)}, {"components", std::move(components)}});
    document["eigenvalues"].push_back(pair(mode.eigenvalue));
  }
  for (std::size_t k = result.zero_blocks; k < result.zero_roots; ++k) document["eigenvalues"].push_back(pair(0));
  document["zero_roots"] = result.zero_roots;
  if (result.modes_left_out)
    for (const char* unknown : {"eigenvalues", "modes", "zero_roots"}) document[unknown] = nullptr;
  document["family"] = result.family;
  document["stable"] = result.stable ? Json(*result.stable) : Json(nullptr);
  document["verdict"] = result.verdict;
  document["notes"] = result.notes;
  return write_document(document);
}

std::string write_json(const RootLocus& locus) {
  Json document;
  document["parameter"] = locus.name;
  document["independent"] = locus.state;
  document["values"] = locus.values;
  document["eigenvalues"] = Json::array();
  for (const auto& roots : locus.roots) {
    Json list = Json::array();
    for (const std::complex<double>& root : roots) list.push_back(pair(root));
    document["eigenvalues"].push_back(std::move(list));
  }
  document["changes"] = Json::array();
  for (const StabilityChange& change : locus.changes)
    document["changes"].push_back({{"value", json_number(change.value)},
                                   {"kind", change.kind},
                                   {"unstable_before", change.before},
                                   {"unstable_after", change.after},
                                   {"root", pair(change.root)}});
  document["notes"] = locus.notes;
  return write_document(document, -1);
}

}  // namespace dalembert
