#include <algorithm>
#include <cmath>
#include <dalembert/base/error.hpp>
#include <dalembert/base/work_limit.hpp>
#include <dalembert/expr/expr.hpp>

#include "expr/node_table.hpp"
#include "expr/rational.hpp"

// Sums and products are kept sorted by node id with like parts collected, so that equal construction meets in one node.

namespace dalembert {
namespace {

// Sums and products with more parts than this stay nested: adding one part at a time to a long one must not copy it
// each time, as the derivative of sin(sin(sin(...))) would.
constexpr std::size_t largest_flattened = 64;

constexpr double work_of_a_node = 20;  // 100 to 300 ns, found or made

std::uint32_t hash_of_leaf(Op op, std::uint32_t hash) {
  hash = mix(static_cast<std::uint32_t>(op), hash);
  return hash ^ hash >> 15;
}

std::uint32_t hash_of_symbol(std::string_view name) {
  const std::size_t hash = std::hash<std::string_view>{}(name);
  return hash_of_leaf(Op::symbol, static_cast<std::uint32_t>(hash ^ hash >> 32));
}

}  // namespace

Graph::Graph() : sums_(memo_size), products_(memo_size) {
  zero_ = intern_constant(0);
  one_ = intern_constant(1);
  minus_one_ = intern_constant(-1);
}

void Expr::refuse_empty() {
  throw InputError({"", {}, "", "an empty expression is used in a formula", "give it a value first"});
}

void Graph::refuse_foreign(const Expr& expression) {
  if (!expression) Expr::refuse_empty();
  throw InputError({"",
                    {},
                    "",
                    "expressions of two graphs are used together",
                    "bring them into one graph first: rebind for a graph and its copy, copy_to for any other"});
}

// ---------------------------------------------------------------------------------------------- hash-consing

std::span<const NodeId> Graph::arguments(NodeId id) const {
  const Node& node = nodes_[id];
  if (node.op < Op::power) return {};
  return {arguments_.data() + node.begin, node.count};
}

std::span<const Part> Graph::parts(NodeId id) const {
  const Node& node = nodes_[id];
  if (node.op != Op::sum && node.op != Op::product) return {};
  return {parts_.data() + node.begin, node.count};
}

bool Graph::matches(NodeId id, Op op, std::uint32_t payload, std::span<const NodeId> arguments,
                    std::span<const Part> parts) const {
  const Node& node = nodes_[id];
  if (node.op != op || node.payload != payload) return false;
  if (op == Op::sum || op == Op::product) return std::ranges::equal(this->parts(id), parts);
  return std::ranges::equal(this->arguments(id), arguments);
}

NodeId Graph::intern(Op op, std::uint32_t payload, std::span<const NodeId> arguments, std::span<const Part> parts) {
  spend_work(work_of_a_node);
  std::uint32_t hash = mix(static_cast<std::uint32_t>(op), payload);
  NodeId latest = 0;
  for (NodeId argument : arguments) {
    hash = mix(hash, argument);
    latest = std::max(latest, argument);
  }
  for (const Part& part : parts) {
    hash = mix(mix(hash, part.node), part.weight);
    latest = std::max(latest, part.node);
  }
  hash ^= hash >> 15;

  const NodeTable::Place place =
      table_.find(hash, latest, [&](NodeId candidate) { return matches(candidate, op, payload, arguments, parts); });
  if (place.found) return place.slot->node - 1;
  bool has_parts = op == Op::sum || op == Op::product;
  Node node{op, static_cast<std::uint32_t>(has_parts ? parts_.size() : arguments_.size()),
            static_cast<std::uint32_t>(has_parts ? parts.size() : arguments.size()), payload};
  for (NodeId argument : arguments) arguments_.push_back(argument);
  for (const Part& part : parts) parts_.push_back(part);
  return enter(place, hash, node);
}

NodeId Graph::enter(NodeTable::Place place, std::uint32_t hash, const Node& node) {
  const auto id = static_cast<NodeId>(nodes_.size());
  nodes_.push_back(node);
  table_.enter(place, hash, id);
  return id;
}

void NodeTable::enter(Place place, std::uint32_t hash, NodeId node) {
  const bool is_far = place.slot >= far_.data() && place.slot < far_.data() + far_.size();
  const std::ptrdiff_t at = place.slot - (is_far ? far_.data() : near_.data());
  // The group of what will read it, before it can be found: where memory ends here, nothing has been entered.
  while (near_.size() <= node / nodes_to_a_group * group_size + group_size - 1) near_.push_back({});
  (is_far ? far_.data() : near_.data())[at] = {hash, node + 1};
  if (is_far && ++far_count_ * 4 > far_.size() * 3) grow_far();
}

void NodeTable::grow_far() {
  std::vector<Slot> grown(far_.size() * 2);
  const std::size_t mask = grown.size() - 1;
  for (const Slot& slot : far_) {
    if (slot.node == 0) continue;
    std::size_t i = slot.hash & mask;
    while (grown[i].node != 0) i = (i + 1) & mask;
    grown[i] = slot;
  }
  far_ = std::move(grown);
}

// ---------------------------------------------------------------------------------------------- constants and symbols

/// A leaf's payload is its index among the values or names, which is not known before it is found: the hash is of the
/// value or name itself. A new node has the payload given.
template <class Matches>
NodeId Graph::intern_leaf(Op op, std::uint32_t payload, std::uint32_t hash, const Matches& matches) {
  const NodeTable::Place place = table_.find(
      hash, 0, [&](NodeId candidate) { return nodes_[candidate].op == op && matches(nodes_[candidate].payload); });
  return place.found ? place.slot->node - 1 : enter(place, hash, {op, 0, 0, payload});
}

NodeId Graph::intern_constant(const mpq_class& value) {
  if (mpz_sizeinbase(value.get_num_mpz_t(), 2) > largest_constant_bits ||
      mpz_sizeinbase(value.get_den_mpz_t(), 2) > largest_constant_bits)
    throw FormulaError({"", {}, "", "a number has more than 39000 digits (limit `constant`)", "use smaller numbers"});
  const auto next = static_cast<std::uint32_t>(values_.size());
  const NodeId id = intern_leaf(Op::constant, next, hash_of_leaf(Op::constant, hash_of(value)),
                                [&](std::uint32_t payload) { return values_[payload] == value; });
  if (nodes_[id].payload == next) values_.push_back(value);
  return id;
}

Expr Graph::constant(const mpq_class& value) { return {*this, intern_constant(value)}; }

Expr Graph::constant(long value) {
  if (value == 0) return {*this, zero_};
  if (value == 1) return {*this, one_};
  return {*this, intern_constant(mpq_class(value))};
}

Expr Graph::constant_from_double(double value) {
  if (!std::isfinite(value))
    throw InputError({"",
                      {},
                      "",
                      "a constant was to be " + std::to_string(value) + ", which no exact number is",
                      "look for a quotient by zero or a number beyond 1e308 in what it comes from"});
  return constant(mpq_class(value));
}

Expr Graph::pi() { return {*this, intern(Op::pi, 0, {}, {})}; }

Expr Graph::symbol(std::string_view name) {
  const auto next = static_cast<std::uint32_t>(names_.size());
  const NodeId id = intern_leaf(Op::symbol, next, hash_of_symbol(name),
                                [&](std::uint32_t payload) { return names_[payload] == name; });
  if (nodes_[id].payload == next) names_.emplace_back(name);
  return {*this, id};
}

void Graph::assume_nonnegative(Expr symbol) {
  const std::uint32_t name = nodes_[id_of(symbol)].payload;
  if (nonnegative_.size() <= name) nonnegative_.resize(name + 1);
  nonnegative_[name] = true;
}

Expr Graph::find_symbol(std::string_view name) {
  const NodeTable::Place place = table_.find(hash_of_symbol(name), 0, [&](NodeId candidate) {
    return nodes_[candidate].op == Op::symbol && this->name(candidate) == name;
  });
  return place.found ? Expr(*this, place.slot->node - 1) : Expr();
}

NodeId Graph::add_constants(NodeId a, NodeId b) {
  if (a == zero_) return b;
  if (b == zero_) return a;
  Memo& memo = sums_[mix(a, b) % memo_size];
  if (memo.a != a || memo.b != b) memo = {a, b, intern_constant(value(a) + value(b))};
  return memo.result;
}

NodeId Graph::multiply_constants(NodeId a, NodeId b) {
  if (a == one_) return b;
  if (b == one_) return a;
  if (a == zero_ || b == zero_) return zero_;
  Memo& memo = products_[mix(a, b) % memo_size];
  if (memo.a != a || memo.b != b) memo = {a, b, intern_constant(value(a) * value(b))};
  return memo.result;
}

// ---------------------------------------------------------------------------------------------- sums

/// Sorts by node and adds up the weights of equal nodes; parts whose weight vanishes disappear.
void Graph::collect(std::vector<Part>& parts) {
  if (parts.size() == 1 && parts[0].weight != zero_) return;
  std::ranges::sort(parts, {}, &Part::node);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < parts.size();) {
    Part part = parts[i];
    for (++i; i < parts.size() && parts[i].node == part.node; ++i)
      part.weight = add_constants(part.weight, parts[i].weight);
    if (part.weight != zero_) parts[kept++] = part;
  }
  parts.resize(kept);
}

/// coefficient * node with a node that is no such thing itself.
bool Graph::is_scaled(NodeId id) const {
  const Node& node = nodes_[id];
  return node.op == Op::sum && node.count == 1 && node.payload == zero_;
}

/// A sum whose terms join those of a sum that it is added to.
bool Graph::is_opened(NodeId id) const {
  return nodes_[id].op == Op::sum && (is_scaled(id) || (flatten && nodes_[id].count <= largest_flattened));
}

void Graph::add_term(Builder& sum, NodeId node, NodeId weight) {
  if (weight == zero_) return;
  if (nodes_[node].op == Op::constant) {
    sum.constant = add_constants(sum.constant, multiply_constants(node, weight));
    return;
  }
  if (!is_opened(node)) {
    sum.parts.push_back({node, weight});
    return;
  }
  sum.constant = add_constants(sum.constant, multiply_constants(offset(node), weight));
  for (std::uint32_t i = 0; i < nodes_[node].count; ++i) {
    Part part = parts_[nodes_[node].begin + i];
    sum.parts.push_back({part.node, multiply_constants(part.weight, weight)});
  }
}

/// weight * node, without the way through a product.
NodeId Graph::scale(NodeId node, NodeId weight) {
  if (weight == one_) return node;
  if (weight != zero_ && nodes_[node].op != Op::constant && !is_opened(node)) {
    const Part alone{node, weight};
    return intern(Op::sum, zero_, {}, {&alone, 1});
  }
  Builder sum(zero_, sum_memory_);
  add_term(sum, node, weight);
  return finish_sum(sum);
}

NodeId Graph::finish_sum(Builder& sum) {
  collect(sum.parts);
  if (sum.parts.empty()) return sum.constant;
  if (sum.constant == zero_ && sum.parts.size() == 1 && sum.parts[0].weight == one_) return sum.parts[0].node;
  return intern(Op::sum, sum.constant, {}, sum.parts);
}

Expr Graph::sum(std::span<const Expr> terms) {
  Builder sum(zero_, sum_memory_);
  for (const Expr& term : terms) add_term(sum, id_of(term), one_);
  return {*this, finish_sum(sum)};
}

// ---------------------------------------------------------------------------------------------- products

/// Exact where the result is rational and of bearable size; otherwise the part stays, with an exponent in (0, 1).
void Graph::add_constant_factor(Builder& product, NodeId base, NodeId exponent) {
  if (base == one_) return;
  if (exponent == one_) {
    product.constant = multiply_constants(product.constant, base);
    return;
  }
  if (base == zero_ && sgn(value(exponent)) < 0)
    throw FormulaError({"", {}, "", "division by zero", "the divisor is exactly 0"});
  RationalPower result = rational_power(value(base), value(exponent));
  product.constant = multiply_constants(product.constant, intern_constant(result.outside));
  if (sgn(result.exponent) != 0) product.parts.push_back({base, intern_constant(result.exponent)});
}

/// (b^e)^f = b^(ef) holds for integer f; else for single factors b^e with e odd or broken: where both sides are real.
void Graph::add_factor(Builder& product, NodeId node, NodeId exponent) {
  if (exponent == zero_) return;
  if (nodes_[node].op == Op::constant) return add_constant_factor(product, node, exponent);
  bool whole = exponent == one_ || is_integer(value(exponent));
  if (is_scaled(node)) {
    Part part = parts_[nodes_[node].begin];
    if (whole || sgn(value(part.weight)) > 0) {
      add_constant_factor(product, part.weight, exponent);
      node = part.node;
    }
  }
  std::uint32_t count = nodes_[node].count;
  if (nodes_[node].op != Op::product || !flatten || count > largest_flattened) {
    product.parts.push_back({node, exponent});
    return;
  }
  if (!whole && (count > 1 || is_even_integer(value(parts_[nodes_[node].begin].weight)))) {
    product.parts.push_back({node, exponent});
    return;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    Part part = parts_[nodes_[node].begin + i];
    product.parts.push_back({part.node, multiply_constants(part.weight, exponent)});
  }
}

/// False where collecting exponents has made a factor that add_factor would open further, as sqrt(x*y) * sqrt(x*y).
bool Graph::is_settled(const Part& factor) const {
  const mpq_class& exponent = value(factor.weight);
  switch (nodes_[factor.node].op) {
    case Op::constant: return !rational_power_changes(value(factor.node), exponent);
    case Op::product: return !flatten || !is_integer(exponent) || nodes_[factor.node].count > largest_flattened;
    case Op::sum: return !is_scaled(factor.node) || !is_integer(exponent);
    default: return true;
  }
}

NodeId Graph::finish_product(Builder& product) {
  for (bool settled = false; !settled;) {
    collect(product.parts);
    settled = std::ranges::all_of(product.parts, [&](const Part& part) { return is_settled(part); });
    if (settled) break;
    std::vector<Part> factors = std::move(product.parts);
    product.parts.clear();
    for (const Part& factor : factors) add_factor(product, factor.node, factor.weight);
  }
  if (product.constant == zero_) return zero_;
  if (product.parts.empty()) return product.constant;
  bool bare = product.parts.size() == 1 && product.parts[0].weight == one_;
  NodeId node = bare ? product.parts[0].node : intern(Op::product, 0, {}, product.parts);
  return scale(node, product.constant);
}

Expr Graph::product(std::span<const Expr> factors) {
  if (factors.size() == 2) {
    const NodeId a = id_of(factors[0]), b = id_of(factors[1]);
    if (nodes_[a].op == Op::constant) return {*this, scale(b, a)};
    if (nodes_[b].op == Op::constant) return {*this, scale(a, b)};
  }
  Builder product(one_, product_memory_);
  for (const Expr& factor : factors) add_factor(product, id_of(factor), one_);
  return {*this, finish_product(product)};
}

Expr Graph::partial_of_product(NodeId of, std::size_t k) {
  const Part part = parts(of)[k];
  Builder product(part.weight, product_memory_);
  product.parts.assign(parts(of).begin(), parts(of).end());
  add_factor(product, part.node, minus_one_);
  return {*this, finish_product(product)};
}

Expr Graph::power(Expr base, const mpq_class& exponent) {
  Builder product(one_, product_memory_);
  add_factor(product, id_of(base), intern_constant(exponent));
  return {*this, finish_product(product)};
}

Expr Graph::power(Expr base, Expr exponent) {
  NodeId arguments[] = {id_of(base), id_of(exponent)};
  if (exponent.is_constant()) return power(base, mpq_class(exponent.value()));
  if (base.is_one()) return base;
  if (base.op() == Op::exp) return unary(Op::exp, Expr(*this, this->arguments(base.id())[0]) * exponent);
  return {*this, intern(Op::power, 0, arguments, {})};
}

}  // namespace dalembert
