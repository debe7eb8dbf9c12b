#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/report/report.hpp>
#include <nlohmann/json.hpp>

#include "base/tolerances.hpp"
#include "report/document.hpp"
#include "report/scribe.hpp"

namespace dalembert {
namespace {

/// "killing", "general" or null.
Json kind_of(const ExceptionalCase& exceptional) {
  switch (exceptional.kind) {
    case ExceptionalCase::Kind::killing: return "killing";
    case ExceptionalCase::Kind::general: return "general";
    default: return nullptr;
  }
}

std::string words(const ExceptionalCase& exceptional) {
  switch (exceptional.kind) {
    case ExceptionalCase::Kind::killing: return "exceptional case, Killing's";
    case ExceptionalCase::Kind::general: return "exceptional case";
    case ExceptionalCase::Kind::no: return "not the exceptional case";
    default: return "exceptional case: undecided";
  }
}

void add_exceptional(Json& document, const ExceptionalCase& exceptional) {
  document["exceptional"] = kind_of(exceptional);
  document["exceptional_decided"] = exceptional.kind != ExceptionalCase::Kind::undecided;
  document["evidence"] = exceptional.evidence;
  document["kA"] = exceptional.kA.empty() ? Json(nullptr) : Json(exceptional.kA);
}

/// n x n x n numbers as nested lists.
Json cube(const std::vector<double>& flat, std::size_t n) {
  Json result = Json::array();
  for (std::size_t i = 0; i < n; ++i) {
    Json plane = Json::array();
    for (std::size_t j = 0; j < n; ++j) {
      Json line = Json::array();
      for (std::size_t k = 0; k < n; ++k) line.push_back(json_number(flat[(i * n + j) * n + k]));
      plane.push_back(std::move(line));
    }
    result.push_back(std::move(plane));
  }
  return result;
}

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (double value : values) largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  return largest;
}

/// To be read: what is rounding beside a matrix's largest number is zero.
std::string shown(double value, double largest) {
  if (!std::isfinite(value)) return "undefined";
  return format_number(std::abs(value) <= tolerance::vanishing_pivot * largest ? 0 : value, 6);
}

std::string matrix_text(const std::string& title, const std::vector<std::string>& columns,
                        const std::vector<std::string>& heads, const std::vector<std::vector<double>>& matrix) {
  std::vector<std::string> heading{""};
  heading.insert(heading.end(), columns.begin(), columns.end());
  constexpr std::size_t widest = 12, most = 48;  // columns of a line, numbers that somebody looks at
  if (columns.size() > widest || columns.size() * matrix.size() > most)
    return fmt::format("\n{}: {} x {} numbers, --json has them\n", title, matrix.size(), columns.size());
  TextTable table(heading);
  double largest = 0;
  for (const std::vector<double>& row : matrix) largest = std::max(largest, largest_of(row));
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    std::vector<std::string> cells{heads[i]};
    for (double value : matrix[i]) cells.push_back(shown(value, largest));
    table.add(std::move(cells));
  }
  return fmt::format("\n{}\n{}", title, table.text(2));
}

std::string write_notes(const Hodograph& hodograph) {
  std::string text;
  for (const std::string& note : hodograph.notes) text += "note: " + note + "\n";
  if (hodograph.status != Status::finished)
    text += fmt::format("{}: {}\n", status_name(hodograph.status), hodograph.message);
  return text;
}

}  // namespace

std::string write_csv(const Hodograph& hodograph) {
  Trajectory table;
  table.columns = {"t", "arc"};
  for (const std::string& name : hodograph.coordinates) table.columns.push_back(name + "'");
  table.rows = Table(table.columns.size());
  for (std::size_t k = 0; k < hodograph.t.size(); ++k) {
    std::vector<double> row{hodograph.t[k], hodograph.arc[k]};
    row.insert(row.end(), hodograph.curve[k].begin(), hodograph.curve[k].end());
    table.rows.add(row);
  }
  return write_csv(table);
}

std::string write_json(const Hodograph& hodograph, bool transports) {
  Json document;
  add_exceptional(document, hodograph.exceptional);
  document["t"] = json_numbers(hodograph.t);
  document["arc"] = json_numbers(hodograph.arc);
  document["curve"] = json_rows(hodograph.curve);
  document["invariant"] = json_number(hodograph.invariant);
  document["coordinates"] = hodograph.coordinates;
  document["connection_curve"] = json_rows(hodograph.affine_curve);
  document["connection_invariant"] = json_number(hodograph.affine_invariant);
  document["f"] = json_numbers(hodograph.f);
  document["X"] = json_numbers(hodograph.X);
  document["cos_phi"] = json_rows(hodograph.cos_phi);
  document["cos_psi"] = json_rows(hodograph.cos_psi);
  document["relation"] = json_number(hodograph.relation);
  document["geodesic"] = json_number(hodograph.geodesic);
  document["status"] = status_name(hodograph.status);
  document["message"] = hodograph.message;
  document["notes"] = hodograph.notes;
  if (transports) {
    document["transport"] = Json::array();
    document["connection_transport"] = Json::array();
    for (const SquareMatrix& matrix : hodograph.transport) document["transport"].push_back(json_rows(matrix));
    for (const SquareMatrix& matrix : hodograph.affine_transport)
      document["connection_transport"].push_back(json_rows(matrix));
  }
  return write_document(document, -1);
}

std::string write_summary(const Hodograph& hodograph) {
  std::string text = fmt::format("{}: {}\n", words(hodograph.exceptional), hodograph.exceptional.evidence);
  if (!hodograph.exceptional.kA.empty())
    text += fmt::format("k A_i of (11): {}\n", fmt::join(hodograph.exceptional.kA, ", "));
  if (!hodograph.t.empty())
    text += fmt::format("hodograph to t = {}, arc length {}\n", format_number(hodograph.t.back()),
                        format_number(hodograph.arc.back(), 12));
  if (hodograph.transport.empty() && !hodograph.t.empty()) return text + write_notes(hodograph);
  text += fmt::format("from other base points chords differ by at most {} (by the connection of (13): {})\n",
                      format_number(hodograph.invariant, 2), format_number(hodograph.affine_invariant, 2));
  text += fmt::format("as a forced geodesic of (13) the motion differs by at most {}; relation (10) holds to {}\n",
                      format_number(hodograph.geodesic, 2), format_number(hodograph.relation, 2));
  return text + write_notes(hodograph);
}

std::string write_text(const ProjectionReport& report, const EquationStyle& style) {
  const GeometryReport& at = report.at;
  std::string text = write_text(report.geometry.equations, style);
  text += fmt::format("\nGeometry of the kinetic metric at t = {} (Spain 1940)\n", format_number(at.state.t));
  text += fmt::format("rank of the projector: {} of {}; {}: {}\n", at.rank(), at.coordinates.size(),
                      words(report.exceptional), report.exceptional.evidence);
  if (!report.exceptional.kA.empty())
    text += wrap_lines(fmt::format("k A_i of (11): {}\n", fmt::join(report.exceptional.kA, ", ")));
  if (!at.Phi.empty()) {
    text += matrix_text("Phi, unit vectors of the constraints (covariant)", at.coordinates, at.basis, at.Phi);
    text += matrix_text("reactions along them and angles with force (phi) and acceleration (psi)", at.basis,
                        {"theta", "cos phi", "cos psi"}, {at.theta, at.cos_phi, at.cos_psi});
  }
  text += matrix_text("G, the projector", at.coordinates, at.coordinates, at.G);
  text += matrix_text("acceleration f and force X (contravariant), and q''", at.coordinates, {"f", "X", "q''"},
                      {at.f_raised, at.X_raised, at.accelerations});
  text += fmt::format("\nf = {}, X = {}; f^2 (1 - sum cos^2 psi) = {} = X^2 (1 - sum cos^2 phi) = {}\n",
                      format_number(at.f, 10), format_number(at.X, 10), shown(at.relation_f, at.f * at.f + at.X * at.X),
                      shown(at.relation_X, at.f * at.f + at.X * at.X));
  constexpr std::size_t most_coefficients = 20;
  const double largest = largest_of(at.affine);
  TextTable connection;
  const std::size_t n = at.coordinates.size();
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = j; k < n; ++k)
        if (std::string value = shown(at.affine[(i * n + j) * n + k], largest);
            value != "0" && ++count <= most_coefficients)
          connection.add({fmt::format("{}; {} {}", at.coordinates[i], at.coordinates[j], at.coordinates[k]), value});
  if (!connection.empty()) text += "\nconnection of (13), i; j k with j before k\n" + connection.text(2);
  if (count > most_coefficients) text += fmt::format("  ... and {} more: --json has all\n", count - most_coefficients);
  for (const std::string& remark : at.remarks) text += "note: " + remark + "\n";
  return text;
}

std::string write_latex(const ProjectionReport& report, const EquationStyle& style) {
  return write_latex(report.geometry.equations, style);
}

std::string write_json(const ProjectionReport& report, const EquationStyle& style) {
  const GeometryReport& at = report.at;
  const std::size_t n = at.coordinates.size();
  Json document = Json::parse(write_json(report.geometry.equations, style));
  document["Phi"] = json_rows(at.Phi);
  document["G"] = json_rows(at.G);
  document["theta"] = json_numbers(at.theta);
  document["cos_phi"] = json_numbers(at.cos_phi);
  document["cos_psi"] = json_numbers(at.cos_psi);
  document["connection"] = cube(at.affine, n);
  document["christoffel"] = cube(at.christoffel, n);
  document["coordinates"] = at.coordinates;
  document["basis"] = at.basis;
  document["constraints"] = at.constraints;
  document["lambda"] = json_numbers(at.lambda);
  document["rank"] = at.rank();
  document["f"] = json_number(at.f);
  document["X"] = json_number(at.X);
  document["f_contravariant"] = json_numbers(at.f_raised);
  document["X_contravariant"] = json_numbers(at.X_raised);
  document["accelerations"] = json_numbers(at.accelerations);
  document["accelerations_by_connection"] = json_numbers(at.geodesic);
  document["relation"] = {json_number(at.relation_f), json_number(at.relation_X)};
  document["t"] = json_number(at.state.t);
  document["remarks"] = at.remarks;
  add_exceptional(document, report.exceptional);
  return write_document(document);
}

}  // namespace dalembert
