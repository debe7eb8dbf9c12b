#include <algorithm>
#include <cmath>
#include <dalembert/base/error.hpp>
#include <dalembert/base/work_limit.hpp>
#include <dalembert/expr/expr.hpp>

#include "expr/rational.hpp"

// Sums and products are kept sorted by node id with like parts collected, so that equal construction meets in one node.

namespace dalembert {
namespace {

// Sums and products with more parts than this stay nested: adding one part at a time to a long one must not copy it
// each time, as the derivative of sin(sin(sin(...))) would.
constexpr std::size_t largest_flattened = 64;

constexpr double work_of_a_node = 20;  // 100 to 300 ns, found or made

std::uint32_t mix(std::uint32_t hash, std::uint32_t value) {
  hash ^= value + 0x9e3779b9u + (hash << 6) + (hash >> 2);
  return hash * 0x85ebca6bu;
}

// The table has pairs of a hash and a node, in groups of a line of the processor's cache. A node is in the group of the
// latest of its children, as long as there is room: what is built of nodes made lately is looked for where those were
// looked for, and not somewhere in a table that no cache holds. What finds no room is where its hash says.
constexpr std::size_t group_size = 16;  // numbers: 8 pairs

struct TablePlace {
  std::size_t slot;  // of the hash; the node is beside it
  bool found;
};

template <class Matches>
TablePlace find_place(const std::vector<NodeId>& table, std::uint32_t hash, NodeId latest, const Matches& matches) {
  const std::size_t mask = table.size() / group_size - 1, step = hash >> 16 | 1;  // odd: it comes to every group
  std::size_t group = latest == 0 ? hash : latest / 4;  // there are at most two nodes to a group
  for (bool by_hash = latest == 0;; group = by_hash ? group + step : hash, by_hash = true) {
    const std::size_t begin = (group & mask) * group_size;
    for (std::size_t slot = begin; slot < begin + group_size; slot += 2) {
      const NodeId entry = table[slot + 1];
      if (entry == 0) return {slot, false};
      if (table[slot] == hash && matches(entry - 1)) return {slot, true};
    }
  }
}

}  // namespace

Graph::Graph() : table_(1024, 0), sums_(memo_size), products_(memo_size) {
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

  const TablePlace place = find_place(
      table_, hash, latest, [&](NodeId candidate) { return matches(candidate, op, payload, arguments, parts); });
  if (place.found) return table_[place.slot + 1] - 1;
  NodeId id = static_cast<NodeId>(nodes_.size());
  bool has_parts = op == Op::sum || op == Op::product;
  Node node{op, static_cast<std::uint32_t>(has_parts ? parts_.size() : arguments_.size()),
            static_cast<std::uint32_t>(has_parts ? parts.size() : arguments.size()), payload, hash};
  arguments_.insert(arguments_.end(), arguments.begin(), arguments.end());
  parts_.insert(parts_.end(), parts.begin(), parts.end());
  nodes_.push_back(node);
  table_[place.slot] = hash;
  table_[place.slot + 1] = id + 1;
  if (nodes_.size() * 4 > table_.size()) grow_table();
  return id;
}

void Graph::grow_table() {
  table_.assign(table_.size() * 4, 0);
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    NodeId latest = 0;
    for_each_child(id, [&](NodeId child) { latest = std::max(latest, child); });
    const TablePlace place = find_place(table_, nodes_[id].hash, latest, [](NodeId) { return false; });
    table_[place.slot] = nodes_[id].hash;
    table_[place.slot + 1] = id + 1;
  }
}

// ---------------------------------------------------------------------------------------------- constants and symbols

NodeId Graph::intern_constant(const mpq_class& value) {
  // A constant's payload is its index among the values, which is not known before it is found: hash the value itself.
  std::uint32_t hash = mix(static_cast<std::uint32_t>(Op::constant), hash_of(value));
  hash ^= hash >> 15;
  const TablePlace place = find_place(table_, hash, 0, [&](NodeId candidate) {
    return nodes_[candidate].op == Op::constant && values_[nodes_[candidate].payload] == value;
  });
  if (place.found) return table_[place.slot + 1] - 1;
  if (mpz_sizeinbase(value.get_num_mpz_t(), 2) > largest_constant_bits ||
      mpz_sizeinbase(value.get_den_mpz_t(), 2) > largest_constant_bits)
    throw FormulaError({"", {}, "", "a number has more than 39000 digits (limit `constant`)", "use smaller numbers"});
  NodeId id = static_cast<NodeId>(nodes_.size());
  nodes_.push_back({Op::constant, 0, 0, static_cast<std::uint32_t>(values_.size()), hash});
  values_.push_back(value);
  table_[place.slot] = hash;
  table_[place.slot + 1] = id + 1;
  if (nodes_.size() * 4 > table_.size()) grow_table();
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
  auto [entry, is_new] = symbols_.try_emplace(std::string(name), 0);
  if (is_new) {
    names_.emplace_back(name);
    entry->second = intern(Op::symbol, static_cast<std::uint32_t>(names_.size() - 1), {}, {});
  }
  return {*this, entry->second};
}

void Graph::assume_nonnegative(Expr symbol) {
  const std::uint32_t name = nodes_[id_of(symbol)].payload;
  if (nonnegative_.size() <= name) nonnegative_.resize(name + 1);
  nonnegative_[name] = true;
}

Expr Graph::find_symbol(std::string_view name) {
  auto entry = symbols_.find(std::string(name));
  return entry == symbols_.end() ? Expr() : Expr(*this, entry->second);
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

NodeId Graph::finish_sum(Builder& sum) {
  collect(sum.parts);
  if (sum.parts.empty()) return sum.constant;
  if (sum.constant == zero_ && sum.parts.size() == 1 && sum.parts[0].weight == one_) return sum.parts[0].node;
  return intern(Op::sum, sum.constant, {}, sum.parts);
}

Expr Graph::sum(std::span<const Expr> terms) {
  Builder sum{zero_, {}};
  sum.parts.reserve(terms.size());
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
  if (product.constant == one_) return node;
  Builder sum{zero_, {}};
  add_term(sum, node, product.constant);
  return finish_sum(sum);
}

Expr Graph::product(std::span<const Expr> factors) {
  Builder product{one_, {}};
  product.parts.reserve(factors.size());
  for (const Expr& factor : factors) add_factor(product, id_of(factor), one_);
  return {*this, finish_product(product)};
}

Expr Graph::power(Expr base, const mpq_class& exponent) {
  Builder product{one_, {}};
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
