#include <cmath>
#include <dalembert/report/report.hpp>
#include <nlohmann/json.hpp>

#include "report/document.hpp"

namespace dalembert {
namespace {

/// Numbers that do not exist are null.
Json drift(const Drift& drift) {
  return {{"name", drift.name}, {"start", json_number(drift.start)}, {"largest", json_number(drift.largest)}};
}

Json summary(const Trajectory& trajectory) {
  const Summary& summary = trajectory.summary;
  Json integrals = Json::array();
  for (const Drift& integral : summary.integrals) integrals.push_back(drift(integral));
  return {{"residual", json_number(summary.largest_residual)},
          {"largest_kinetic", json_number(summary.largest_kinetic)},
          {"energy", drift(summary.energy)},
          {"balance", drift(summary.balance)},
          {"integrals", integrals}};
}

}  // namespace

std::string write_json(const Trajectory& trajectory) {
  Json document;
  document["columns"] = trajectory.columns;
  Json rows = Json::array();
  for (const Table::Row row : trajectory.rows) rows.push_back(json_numbers(std::vector<double>(row)));
  document["rows"] = std::move(rows);
  document["status"] = status_name(trajectory.status);
  document["message"] = trajectory.message;
  document["notes"] = trajectory.notes;
  document["events"] = Json::array();
  for (const EventRecord& event : trajectory.events) {
    Json one = {
        {"name", event.name}, {"kind", event.kind}, {"t", json_number(event.t)}, {"state", json_numbers(event.state)}};
    if (event.impact) {
      one["impulse"] = json_number(event.impact->impulse);
      one["energy_lost"] = json_number(event.impact->energy_lost);
      one["several_outcomes"] = event.impact->several_outcomes;
    }
    document["events"].push_back(std::move(one));
  }
  document["statistics"] = {{"steps", trajectory.statistics.steps},
                            {"evaluations", trajectory.statistics.evaluations},
                            {"seconds", json_number(trajectory.statistics.seconds)},
                            {"rejected", trajectory.statistics.rejected},
                            {"projections", trajectory.statistics.projections},
                            {"choices", trajectory.statistics.choices}};
  document["summary"] = summary(trajectory);
  if (!trajectory.error.empty()) {
    document["error"] = Json::object();
    for (std::size_t i = 0; i < trajectory.error.size(); ++i)
      document["error"][trajectory.columns[i]] = json_number(trajectory.error[i]);
  }
  return write_document(document, -1);
}

}  // namespace dalembert
