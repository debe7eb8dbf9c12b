#include "expr/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <dalembert/base/error.hpp>

namespace dalembert {

Piece piece(std::string_view text) { return {.text = std::string(text)}; }
Piece piece(NodeId node, Level level, const mpq_class& exponent) {
  return {.node = node, .is_text = false, .level = level, .exponent = exponent};
}

std::string Renderer::write(NodeId root) {
  root_ = root;
  std::string text;
  Pieces pending{piece(root, Level::sum)};
  Pieces parts;
  while (!pending.empty()) {
    Piece next = std::move(pending.back());
    pending.pop_back();
    if (next.is_text) {
      text += next.text;
      if (text.size() > limits_.characters)
        throw InputError({"",
                          {},
                          "",
                          fmt::format("an expression written out has more than {} characters", limits_.characters),
                          "write it as a listing, with its shared parts named"});
      continue;
    }
    parts.clear();
    lay_out(next, parts);
    std::move(parts.rbegin(), parts.rend(), std::back_inserter(pending));
  }
  return text;
}

bool Renderer::is_plain_sum(NodeId node) const {
  if (graph_.op(node) != Op::sum || is_named(node)) return false;
  return graph_.parts(node).size() > 1 || graph_.offset(node) != graph_.zero();
}

Fraction Renderer::fraction_of(const mpq_class& coefficient, NodeId term) const {
  Fraction fraction;
  fraction.negative = sgn(coefficient) < 0;
  fraction.numerator = abs(coefficient.get_num());
  fraction.denominator = coefficient.get_den();
  if (graph_.op(term) != Op::product || is_named(term)) {
    fraction.above.push_back({term, 1});
    return fraction;
  }
  for (const Part& part : graph_.parts(term)) {
    const mpq_class& exponent = graph_.value(part.weight);
    auto& side = sgn(exponent) < 0 ? fraction.below : fraction.above;
    side.push_back({part.node, abs(exponent)});
  }
  return fraction;
}

Fraction Renderer::fraction_of(NodeId node) const {
  if (graph_.op(node) != Op::sum || is_plain_sum(node) || is_named(node)) return fraction_of(mpq_class(1), node);
  const Part& part = graph_.parts(node)[0];
  return fraction_of(graph_.value(part.weight), part.node);
}

std::vector<Fraction> Renderer::summands_of(NodeId sum) const {
  std::vector<Fraction> summands;
  for (const Part& part : graph_.parts(sum)) summands.push_back(fraction_of(graph_.value(part.weight), part.node));
  const mpq_class& offset = graph_.value(graph_.offset(sum));
  if (sgn(offset) != 0) {
    Fraction number;
    number.negative = sgn(offset) < 0;
    number.numerator = abs(offset.get_num());
    number.denominator = offset.get_den();
    summands.push_back(number);
  }
  auto positive = std::ranges::find(summands, false, &Fraction::negative);
  if (positive != summands.end()) std::rotate(summands.begin(), positive, positive + 1);
  return summands;
}

}  // namespace dalembert
