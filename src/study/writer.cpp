#include "study/writer.hpp"

#include <dalembert/canonical.hpp>

namespace dalembert {

using Clock = std::chrono::steady_clock;

Writer::Writer(double seconds)
    : deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {}

double Writer::seconds_left() const { return std::chrono::duration<double>(deadline_ - Clock::now()).count(); }

std::string Writer::operator()(Expr expression) const {
  constexpr std::size_t longest = 4000;  // characters; beyond that nobody reads
  CanonicalLimits limits;
  limits.seconds = seconds_left();
  if (limits.seconds <= 0) return {};
  Displayed shown = make_display(expression, {}, limits);
  if (!shown.complete) return {};
  std::string text = to_text(shown.shown);
  return text.size() > longest ? std::string() : text;
}

PositionWriter::PositionWriter(const Model& model, const Equations& equations, double seconds)
    : model_(model),
      write_(seconds),
      elimination_(model, equations, seconds / 2),
      square_(elimination_.rate_squared()),
      parameters_{{model.time, 0.0}} {
  std::vector<double> values = parameter_values(model);
  for (std::size_t i = 0; i < values.size(); ++i) parameters_.push_back({model.parameters[i].symbol, values[i]});
}

PositionText PositionWriter::operator()(Expr quantity) {
  PositionText text;
  OfPosition found = elimination_.eliminate(quantity);
  text.remark = found.remark;
  if (!found.formula) return text;
  text.general = write_(found.formula);
  if (text.general.empty()) return {};
  if (found.is_complete()) text.formula = write_(found.at_start);
  for (const IntegralConstant& constant : found.constants)
    text.constants.push_back({constant.symbol.name(), constant.integral, write_(constant.formula),
                              evaluate(constant.at_start, parameters_)});
  for (Expr rate : found.remaining) text.remaining.push_back(rate.name());
  if (found.is_complete()) add_range(found, text);
  return text;
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
                                    initial_state(model_).q[square_->coordinate], parameters_);
}

}  // namespace dalembert
