#include "study/writer.hpp"

#include <algorithm>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/print.hpp>

#include "expr/display/terms.hpp"

namespace dalembert {

std::optional<Shown> Writer::show(Expr expression) {
  if (work_.is_used_up()) return std::nullopt;
  CanonicalLimits limits;
  limits.work = work_.left();
  Displayed displayed = make_display(expression, {}, limits);
  work_.spend(displayed.work);
  if (!displayed.complete) return std::nullopt;
  return std::move(displayed.shown);
}

std::string Writer::operator()(Expr expression) {
  std::optional<Shown> shown = show(expression);
  std::string text = shown ? to_text(*shown) : std::string();
  return text.size() > longest_formula ? std::string() : text;
}

void Tries::fail(Expr formula) {
  ++failures_;
  least_ = std::min(least_, count_written(formula));
}

std::string write_if_short(Expr formula, double work) {
  constexpr double hopeless = 5000;  // nodes written out: no simplification makes that short
  if (count_written(formula) > hopeless) return {};
  CanonicalLimits limits;
  limits.work = work;
  const Displayed displayed = make_display(formula, {}, limits);
  const std::string text = displayed.complete ? to_text(open_brackets(displayed.shown)) : to_text(displayed.expression);
  return text.size() <= longest_formula ? text : std::string();
}

Shown put_in(Shown shown, const ShownNames& names) {
  if (shown.kind == Shown::Kind::name) {
    auto found = names.find(shown.text);
    return found == names.end() ? shown : found->second;
  }
  for (Shown& child : shown.children) child = put_in(std::move(child), names);
  return shown;
}

PositionWriter::PositionWriter(const Model& model, const Equations& equations, double work, double t)
    : model_(model),
      t_(t),
      write_(work),
      elimination_(model, equations, work / 2),
      square_(elimination_.rate_squared()),
      parameters_{{model.time, t}} {
  std::vector<double> values = parameter_values(model);
  for (std::size_t i = 0; i < values.size(); ++i) parameters_.push_back({model.parameters[i].symbol, values[i]});
}

PositionText PositionWriter::operator()(Expr quantity) {
  PositionText text;
  OfPosition found = elimination_.eliminate(quantity);
  text.remark = found.remark;
  if (!found.formula) return text;
  std::optional<Shown> general = write_.show(found.formula);
  if (!general) return {};
  text.general = to_text(*general);
  if (text.general.size() > longest_formula) return {};
  if (found.is_complete()) text.formula = fix_constants(std::move(*general), found);
  for (const IntegralConstant& constant : found.constants)
    text.constants.push_back({constant.symbol.name(), constant.integral, write_(constant.formula),
                              evaluate(constant.at_start, parameters_)});
  for (Expr rate : found.remaining) text.remaining.push_back(rate.name());
  if (found.is_complete()) add_range(found, text);
  return text;
}

/// The constants of integrals as their formulas, with the initial values in place of coordinates and rates: zeros
/// before it is brought into a readable form, others after: numbers like cos(7/10) in canonical form are unreadable.
std::string PositionWriter::fix_constants(Shown general, const OfPosition& found) {
  ShownNames start, constants;
  std::vector<Replacement> zeros{{model_.time, model_.graph->constant_from_double(t_)}};
  auto add = [&](Expr symbol, Expr value) {
    if (value.is_zero())
      zeros.push_back({symbol, value});
    else
      start[symbol.name()] = make_shown(value);
  };
  for (const Coordinate& coordinate : model_.coordinates) {
    add(coordinate.q, coordinate.value);
    add(coordinate.rate, coordinate.rate_value);
  }
  for (const IntegralConstant& constant : found.constants) {
    std::optional<Shown> formula = write_.show(substitute(constant.formula, zeros));
    if (!formula) return {};
    constants[constant.symbol.name()] = put_in(std::move(*formula), start);
  }
  return to_text(put_in(std::move(general), constants));
}

/// Only a function of the one coordinate whose range is known, and of nothing else that moves.
void PositionWriter::add_range(const OfPosition& found, PositionText& text) const {
  if (!square_) return;
  const Coordinate& coordinate = model_.coordinates[square_->coordinate];
  if (!depends_on(found.at_start, coordinate.q)) return;
  for (Expr formula : {found.at_start, square_->at_start})
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i)
      if (depends_on(formula, model_.time) ||
          (i != square_->coordinate && depends_on(formula, model_.coordinates[i].q)))
        return;
  text.over_range = find_over_range(square_->at_start, found.at_start, coordinate.q,
                                    evaluate(coordinate.value, parameters_), parameters_);
}

}  // namespace dalembert
