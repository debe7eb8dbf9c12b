#include "reference/reference.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "support/paths.hpp"

namespace reference {
namespace {

void append_numbers(const nlohmann::json& value, std::vector<double>& numbers) {
  if (value.is_number()) numbers.push_back(value.get<double>());
  if (value.is_array())
    for (const nlohmann::json& item : value) append_numbers(item, numbers);
}

}  // namespace

std::vector<Quantity> read_case(const std::string& name) {
  std::ifstream file(std::string(dalembert::testing_support::tests_folder) + "/reference/cases/" + name + ".json");
  if (!file) throw std::runtime_error("there is no reference case " + name);
  std::vector<Quantity> quantities;
  const nlohmann::json document = nlohmann::json::parse(file);
  for (const nlohmann::json& item : document.at("quantities")) {
    Quantity& quantity = quantities.emplace_back();
    quantity.name = item.at("name");
    append_numbers(item.at("value"), quantity.value);
    if (item.at("tol").is_number()) quantity.tolerance = item.at("tol");
    quantity.time = item.value("time", -1.0);
    quantity.state = item.value("state", "");
  }
  if (quantities.empty()) throw std::runtime_error("the reference case " + name + " is empty");
  return quantities;
}

}  // namespace reference
