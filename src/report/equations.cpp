#include <fmt/format.h>

#include <dalembert/base/printable.hpp>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/program/program.hpp>
#include <dalembert/report/report.hpp>
#include <nlohmann/json.hpp>

#include "report/contacts.hpp"
#include "report/document.hpp"

// Equations for people: each as (M u' + bias)_i = (A^T reaction)_i, constraints as written and once more
// differentiated. What is written is put together in a graph of its own: the equations given are only read.

namespace dalembert {
namespace {

using Json = nlohmann::ordered_json;

/// Simplifies with so much work for each formula and for all; what comes too late or is too large is written as it is.
class Scribe {
 public:
  enum class Style { text, latex };
  explicit Scribe(Style style) : style_(style) {}

  std::string operator()(Expr expression) {
    if (expression.is_constant() || expression.op() == Op::symbol) return plain(expression);
    if (!work_.is_used_up()) {
      constexpr double most = 3e8;  // for one formula
      CanonicalLimits limits;
      limits.work = std::min(most, work_.left());
      Displayed shown = make_display(expression, {}, limits);
      work_.spend(shown.work);
      if (shown.complete) return style_ == Style::text ? to_text(shown) : to_latex(shown);
    }
    ++abbreviated_;
    return plain(expression);
  }
  std::size_t unsimplified() const { return abbreviated_; }

 private:
  std::string plain(Expr expression) const {
    return style_ == Style::text ? to_text(expression) : to_latex(expression);
  }

  Style style_;
  Work work_{1e9};
  std::size_t abbreviated_ = 0;
};

struct WrittenEquation {
  std::string name, left, right;
};

struct WrittenEquations {
  std::vector<WrittenEquation> frame, kinematics;  // of quasi-velocities
  std::vector<WrittenEquation> motion, constraints, drifts;
  std::vector<WrittenEquation> reactions;  // those that have an equation of their own
  std::vector<WrittenContact> contacts;
  std::size_t unsimplified = 0;
};

/// (A^T reaction)_i for every velocity.
std::vector<Expr> reaction_side(const Equations& equations, Scribe::Style style) {
  Graph& graph = *equations.graph;
  std::vector<std::vector<Expr>> terms(equations.velocities.size());
  for (const auto* rows : {&equations.rows, &equations.contacts}) {
    for (const ConstraintRow& row : *rows) {
      Expr multiplier = graph.symbol(style == Scribe::Style::text ? reaction_symbol(row.name) : "lambda_" + row.name);
      for (const Entry& entry : row.jacobian) terms[entry.column].push_back(entry.value * multiplier);
    }
  }
  std::vector<Expr> side;
  for (const auto& sum : terms) side.push_back(graph.sum(sum));
  return side;
}

/// (M u' + bias)_i for every velocity.
std::vector<Expr> inertia_side(const Equations& equations) {
  std::vector<std::vector<Expr>> terms(equations.velocities.size());
  for (std::size_t i = 0; i < equations.mass.size(); ++i) {
    terms[i].push_back(equations.bias[i]);
    for (const Entry& entry : equations.mass[i]) {
      terms[i].push_back(entry.value * equations.accelerations[entry.column]);
      if (entry.column != i) terms[entry.column].push_back(entry.value * equations.accelerations[i]);
    }
  }
  std::vector<Expr> side;
  for (const auto& sum : terms) side.push_back(equations.graph->sum(sum));
  return side;
}

Expr differentiated(const Equations& equations, const ConstraintRow& row) {
  std::vector<Expr> terms{row.drift};
  for (const Entry& entry : row.jacobian) terms.push_back(entry.value * equations.accelerations[entry.column]);
  return equations.graph->sum(terms);
}

Expr undifferentiated(const Equations& equations, const ConstraintRow& row) {
  if (row.position) return row.position;
  std::vector<Expr> terms{row.offset};
  for (const Entry& entry : row.jacobian) terms.push_back(entry.value * equations.velocities[entry.column]);
  return equations.graph->sum(terms);
}

/// A name as the style shows a symbol.
std::string symbol_text(Graph& graph, const std::string& name, Scribe::Style style) {
  return style == Scribe::Style::text ? name : to_latex(graph.symbol(name));
}

/// omega = pi q' + pi_0 and its inverse on the constraints (Hamel 1904, section 1); reactions by surplus equations.
void write_frame(const Equations& equations, Scribe::Style style, Scribe& scribe, WrittenEquations& written) {
  if (!equations.quasi) return;
  const QuasiVelocities& quasi = *equations.quasi;
  Graph& graph = *equations.graph;
  for (const FrameVelocity& velocity : quasi.frame) {
    if (velocity.formula == graph.symbol(velocity.name)) continue;  // a rate itself
    std::string name = symbol_text(graph, velocity.name, style);
    written.frame.push_back({velocity.name, name, scribe(velocity.formula) + (velocity.vanishes ? " = 0" : "")});
  }
  for (std::size_t i = 0; i < equations.rates.size(); ++i) {
    std::string name = equations.coordinates[i].name() + "'";
    if (equations.rates[i] == graph.symbol(name)) continue;
    written.kinematics.push_back({name, symbol_text(graph, name, style), scribe(equations.rates[i])});
  }
  for (const ReactionFormula& reaction : quasi.reactions) {
    std::string name = style == Scribe::Style::text ? reaction_symbol(reaction.name) : "lambda_" + reaction.name;
    written.reactions.push_back({reaction.name, symbol_text(graph, name, style), scribe(reaction.value)});
  }
  for (const ConstraintRow& row : quasi.position_rows)
    written.constraints.push_back({row.name, scribe(undifferentiated(equations, row)), "0"});
}

WrittenEquations write_equations(const Equations& equations, Scribe::Style style) {
  Scribe scribe(style);
  WrittenEquations written;
  write_frame(equations, style, scribe, written);
  std::vector<Expr> left = inertia_side(equations), right = reaction_side(equations, style);
  for (std::size_t i = 0; i < left.size(); ++i)
    written.motion.push_back({equations.velocities[i].name(), scribe(left[i]), scribe(right[i])});
  for (const ConstraintRow& row : equations.rows) {
    written.constraints.push_back({row.name, scribe(undifferentiated(equations, row)), "0"});
    written.drifts.push_back({row.name, scribe(differentiated(equations, row)), "0"});
  }
  written.contacts = write_contacts(
      equations,
      [&](const std::string& name) {
        const bool text = style == Scribe::Style::text;
        return symbol_text(*equations.graph, text ? reaction_symbol(name) : "lambda_" + name, style);
      },
      [&](Expr formula) { return scribe(formula); });
  written.unsimplified = scribe.unsimplified();
  return written;
}

std::string remark_of(const WrittenEquations& written) {
  if (written.unsimplified == 0) return {};
  return fmt::format("{} formulas were too large to simplify within the work allowed and stand as they are",
                     written.unsimplified);
}

Json entries(Scribe& scribe, const std::vector<std::vector<Entry>>& rows, std::size_t columns, bool symmetric) {
  std::vector<std::vector<std::string>> matrix(rows.size(), std::vector<std::string>(columns, "0"));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const Entry& entry : rows[i]) {
      matrix[i][entry.column] = scribe(entry.value);
      if (symmetric) matrix[entry.column][i] = matrix[i][entry.column];
    }
  return matrix;
}

Json formulas(Scribe& scribe, const std::vector<Expr>& list) {
  Json result = Json::array();
  for (const Expr& expression : list) result.push_back(scribe(expression));
  return result;
}

/// q' = N u + n0, read off the rates.
Json kinematics(Scribe& scribe, const Equations& equations) {
  std::vector<Replacement> rest;
  for (const Expr& velocity : equations.velocities) rest.push_back({velocity, equations.graph->constant(0)});
  return {{"N",
           entries(scribe, sparse_jacobian(equations.rates, equations.velocities), equations.velocities.size(), false)},
          {"n0", formulas(scribe, substitute(equations.rates, rest))}};
}

}  // namespace

std::string write_text(const Equations& of) {
  const Equations equations = fork(of);
  WrittenEquations written = write_equations(equations, Scribe::Style::text);
  std::string text = fmt::format("Equations of motion by {}\n", equations.by);
  auto section = [&](const std::string& title, const std::vector<WrittenEquation>& list) {
    if (list.empty()) return;
    text += fmt::format("\n{}\n", title);
    for (const WrittenEquation& equation : list)
      text += fmt::format("  {}:\n    {} = {}\n", equation.name, equation.left, equation.right);
  };
  auto table = [&](const std::string& title, const std::vector<WrittenEquation>& list) {
    if (list.empty()) return;
    text += fmt::format("\n{}\n", title);
    for (const WrittenEquation& equation : list) text += fmt::format("  {} = {}\n", equation.left, equation.right);
  };
  table("frame of quasi-velocities", written.frame);
  table("rates in terms of them", written.kinematics);
  section("motion, one equation a velocity (reaction(c): multiplier of constraint c)", written.motion);
  section("constraints", written.constraints);
  section("constraints differentiated to accelerations", written.drifts);
  text += contacts_text(written.contacts);
  table("reactions, each from the equation of a velocity that its constraint forbids", written.reactions);
  if (std::string remark = remark_of(written); !remark.empty()) text += fmt::format("\nnote: {}\n", remark);
  return text;
}

std::string write_latex(const Equations& of) {
  const Equations equations = fork(of);
  WrittenEquations written = write_equations(equations, Scribe::Style::latex);
  std::string text;
  if (std::string remark = remark_of(written); !remark.empty()) text += fmt::format("% {}\n", remark);
  text += "\\begin{align}\n";
  std::vector<std::string> lines;
  for (const auto* list :
       {&written.frame, &written.kinematics, &written.motion, &written.constraints, &written.reactions})
    for (const WrittenEquation& equation : *list)
      lines.push_back(fmt::format("  {} &= {}", equation.left, equation.right));
  for (std::string& line : contacts_latex(written.contacts)) lines.push_back(std::move(line));
  return text + fmt::format("{}\n\\end{{align}}\n", fmt::join(lines, " \\\\\n"));
}

std::string write_json(const Equations& of) {
  const Equations equations = fork(of);
  WrittenEquations written = write_equations(equations, Scribe::Style::text);
  Json list = Json::array(), jacobian = Json::array(), drift = Json::array();
  for (const auto* part : {&written.motion, &written.constraints})
    for (const WrittenEquation& equation : *part)
      list.push_back({{"name", equation.name}, {"formula", equation.left + " = " + equation.right}});
  Scribe scribe(Scribe::Style::text);
  std::vector<std::vector<Entry>> rows;
  std::vector<Expr> drifts;
  for (const ConstraintRow& row : equations.rows) {
    rows.push_back(row.jacobian);
    drifts.push_back(row.drift);
  }
  const std::size_t size = equations.velocities.size();
  Json document = {{"by", equations.by},
                   {"equations", list},
                   {"mass_matrix", entries(scribe, equations.mass, size, true)},
                   {"bias", formulas(scribe, equations.bias)},
                   {"jacobian", entries(scribe, rows, size, false)},
                   {"drift", formulas(scribe, drifts)},
                   {"kinematics", kinematics(scribe, equations)},
                   {"unsimplified", written.unsimplified + scribe.unsimplified()}};
  if (!written.contacts.empty()) document["contacts"] = contacts_json(written.contacts);
  if (equations.quasi) {
    document["frame"] = Json::array();
    for (const FrameVelocity& velocity : equations.quasi->frame)
      document["frame"].push_back(
          {{"name", velocity.name}, {"formula", scribe(velocity.formula)}, {"vanishes", velocity.vanishes}});
    document["reactions"] = Json::array();
    for (const WrittenEquation& reaction : written.reactions)
      document["reactions"].push_back({{"name", reaction.name}, {"formula", reaction.right}});
  }
  return write_document(document);
}

namespace {

/// Inside a comment of C: on one line, and nothing that ends or begins a comment.
std::string comment_text(std::string_view text) {
  std::string out;
  for (char c : printable(text)) {
    const bool joins = !out.empty() && ((out.back() == '*' && c == '/') || (out.back() == '/' && c == '*'));
    if (joins) out += ' ';
    out += c;
  }
  return out;
}

std::string names_of(const std::vector<Expr>& symbols) {
  std::vector<std::string> names;
  for (const Expr& symbol : symbols) names.push_back(comment_text(symbol.name()));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string write_c(const Equations& of) {
  const Equations equations = fork(of);
  const Model& model = *equations.model;
  const std::vector<Expr> motion = solve_unrolled(equations);
  const std::size_t size = equations.velocities.size();
  Graph& graph = *equations.graph;
  std::vector<Expr> inputs{equations.time}, parameters, terms;
  inputs.insert(inputs.end(), equations.coordinates.begin(), equations.coordinates.end());
  inputs.insert(inputs.end(), equations.velocities.begin(), equations.velocities.end());
  for (const Parameter& parameter : model.parameters) parameters.push_back(parameter.symbol);
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<Expr> row(i + 1, graph.constant(0));
    for (const Entry& entry : equations.mass[i]) row[entry.column] = entry.value;
    terms.insert(terms.end(), row.begin(), row.end());
  }
  terms.insert(terms.end(), equations.bias.begin(), equations.bias.end());
  for (const ConstraintRow& row : equations.rows) {
    std::vector<Expr> dense(size, graph.constant(0));
    for (const Entry& entry : row.jacobian) dense[entry.column] = entry.value;
    terms.insert(terms.end(), dense.begin(), dense.end());
  }
  for (const ConstraintRow& row : equations.rows) terms.push_back(row.drift);

  std::string text = fmt::format(
      "/* {}: equations of motion by {}, M u' + bias = A^T lambda, A u' + drift = 0.\n"
      "   inputs:     {}\n   parameters: {}\n"
      "   terms:      lower triangle of M by rows, bias, A by rows, drift ({} velocities, {} constraints)\n",
      comment_text(model.name), comment_text(equations.by), names_of(inputs), names_of(parameters), size,
      equations.rows.size());
  if (!motion.empty()) text += "   motion:     u', then lambda; for independent constraints and a regular M\n";
  if (!equations.contacts.empty())
    text += fmt::format(
        "   contacts:   gap, A by velocities, drift of each of {} one-sided constraints, which motion leaves out:\n"
        "               M u' + bias = A^T lambda, gap >= 0, lambda >= 0, gap lambda = 0,\n"
        "               and A u' + drift >= 0 with lambda (A u' + drift) = 0 while gap and its rate are 0\n",
        equations.contacts.size());
  if (equations.quasi) text += "   kinematics: rates of the coordinates\n";
  text += fmt::format("   parameter values as in the model: {{{}}} */\n\n", fmt::join(parameter_values(model), ", "));
  text += write_c(make_program(inputs, parameters, terms), "terms");
  if (!motion.empty()) text += "\n" + write_c(make_program(inputs, parameters, motion), "motion");
  if (equations.quasi) text += "\n" + write_c(make_program(inputs, parameters, equations.rates), "kinematics");
  if (!equations.contacts.empty())
    text += "\n" + write_c(make_program(inputs, parameters, contact_terms(equations)), "contacts");
  return text;
}

}  // namespace dalembert
