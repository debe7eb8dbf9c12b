#include <algorithm>
#include <dalembert/expr/expr.hpp>

// Functions as nodes: what is folded when one is built, and a node built again from other arguments.

namespace dalembert {

/// The sign that sin(-x) = -sin(x) and the like turn outward. A sum that negation would not open has none: otherwise it
/// and its opposite both would.
bool Graph::leads_negative(NodeId id) const {
  const Node& node = nodes_[id];
  if (node.op == Op::constant) return sgn(values_[node.payload]) < 0;
  return is_opened(id) && sgn(value(parts_[node.begin].weight)) < 0;
}

Expr Graph::unary(Op op, Expr argument) {
  NodeId arguments[] = {id_of(argument)};
  if (Expr folded = fold_unary(op, argument)) return folded;
  return {*this, intern(op, 0, arguments, {})};
}

/// Values and symmetries that hold exactly; an empty handle where there is none.
Expr Graph::fold_unary(Op op, Expr argument) {
  switch (op) {
    case Op::sin:
    case Op::tan:
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh:
      if (argument.is_zero()) return argument;
      return leads_negative(argument.id()) ? -unary(op, -argument) : Expr();
    case Op::cos:
    case Op::cosh:
      if (argument.is_zero()) return constant(1);
      return leads_negative(argument.id()) ? unary(op, -argument) : Expr();
    case Op::acos: return argument.is_one() ? constant(0) : Expr();
    case Op::exp:
      if (argument.is_zero()) return constant(1);
      return argument.op() == Op::log ? (*this)[arguments(argument.id())[0]] : Expr();
    case Op::log:
      if (argument.is_one()) return constant(0);
      return argument.op() == Op::exp ? (*this)[arguments(argument.id())[0]] : Expr();
    case Op::abs:
      if (argument.is_constant()) return constant(mpq_class(::abs(argument.value())));
      if (argument.op() == Op::abs) return argument;
      if (argument.op() == Op::symbol && is_nonnegative(argument.id())) return argument;
      return leads_negative(argument.id()) ? unary(op, -argument) : Expr();
    case Op::sign:
      if (argument.is_constant()) return constant(sgn(argument.value()));
      if (argument.op() == Op::sign) return argument;
      return leads_negative(argument.id()) ? -unary(op, -argument) : Expr();
    default: return {};
  }
}

Expr Graph::atan2(Expr y, Expr x) {
  NodeId arguments[] = {id_of(y), id_of(x)};
  return {*this, intern(Op::atan2, 0, arguments, {})};
}

Expr Graph::extremum(Op op, std::span<const Expr> arguments) {
  std::vector<NodeId> ids;
  Expr best;  // of the constants among the arguments
  auto add = [&](Expr argument) {
    if (!argument.is_constant()) return ids.push_back(argument.id());
    if (!best || (op == Op::min ? argument.value() < best.value() : argument.value() > best.value())) best = argument;
  };
  for (const Expr& argument : arguments) {
    if (op != this->op(id_of(argument))) {
      add(argument);
    } else {
      for (NodeId inner : this->arguments(argument.id())) add((*this)[inner]);
    }
  }
  if (best) ids.push_back(best.id());
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  if (ids.size() == 1) return (*this)[ids[0]];
  return {*this, intern(op, 0, ids, {})};
}

Expr Graph::rebuild(NodeId like, std::span<const Expr> arguments) {
  Op operation = op(like);
  if (operation == Op::sum) {
    Builder sum(offset(like), sum_memory_);
    for (std::uint32_t i = 0; i < arguments.size(); ++i)
      add_term(sum, id_of(arguments[i]), parts_[nodes_[like].begin + i].weight);
    return {*this, finish_sum(sum)};
  }
  if (operation == Op::product) {
    Builder product(one_, product_memory_);
    for (std::uint32_t i = 0; i < arguments.size(); ++i)
      add_factor(product, id_of(arguments[i]), parts_[nodes_[like].begin + i].weight);
    return {*this, finish_product(product)};
  }
  if (is_unary(operation)) return unary(operation, arguments[0]);
  if (operation == Op::power) return power(arguments[0], arguments[1]);
  if (operation == Op::atan2) return atan2(arguments[0], arguments[1]);
  if (operation == Op::min || operation == Op::max) return extremum(operation, arguments);
  return (*this)[like];
}

}  // namespace dalembert
