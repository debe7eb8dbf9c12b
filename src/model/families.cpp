#include "model/families.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/limits.hpp"

namespace dalembert {
namespace {

using Kind = SyntaxNode::Kind;

[[noreturn]] void fail(Place place, std::string problem, std::string remedy) {
  throw FormulaError({"", place, "", std::move(problem), std::move(remedy)});
}

void check_size(Place place, const mpq_class& value) {
  if (abs(value.get_num()) > limits::index || value.get_den() > limits::index)
    fail(place, fmt::format("an index beyond {} (limit `index`)", limits::index), "use smaller integers");
}

mpq_class power(const SyntaxNode& node, const mpq_class& base, const mpq_class& exponent) {
  if (exponent.get_den() != 1 || exponent < 0 || exponent > 64)
    fail(node.place, "an exponent of an index that is not one of 0..64", "write a small integer");
  mpq_class result(1);
  for (long i = 0; i < exponent.get_num().get_si(); ++i) {
    result *= base;
    check_size(node.place, result);
  }
  return result;
}

}  // namespace

namespace {

const FamilyIndex* find_index(const SyntaxNode& name, const Indices& indices) {
  if (name.primes != 0) return nullptr;
  auto found =
      std::find_if(indices.rbegin(), indices.rend(), [&](const FamilyIndex& i) { return i.name == name.text; });
  return found == indices.rend() ? nullptr : &*found;
}

/// k, k-1, 2*k+1: sums and products of indices and small integers, which all members of large families ask for.
/// Nothing where there is more to it, or something wrong.
std::optional<long> quick_integer(const Formula& formula, std::uint32_t root, const Indices& indices) {
  constexpr std::size_t most = 8;
  constexpr long small = 1'000'000;  // products of two and sums of eight are far from the limit
  long stack[most];
  std::size_t size = 0;
  for (std::uint32_t i = formula.nodes[root].first; i <= root; ++i) {
    const SyntaxNode& node = formula.nodes[i];
    const bool leaf = node.kind == Kind::number || node.kind == Kind::name;
    if (leaf ? size == most : node.children > size) return std::nullopt;
    const std::size_t below = size - (leaf ? 0 : node.children);
    long value = node.kind == Kind::product ? 1 : 0;
    if (node.kind == Kind::number) {
      if (node.value.get_den() != 1 || !node.value.get_num().fits_slong_p()) return std::nullopt;
      value = node.value.get_num().get_si();
    } else if (node.kind == Kind::name) {
      const FamilyIndex* index = find_index(node, indices);
      if (index == nullptr) return std::nullopt;
      value = index->value;
    } else if (node.kind == Kind::sum) {
      for (std::size_t k = below; k < size; ++k) value += stack[k];
    } else if (node.kind == Kind::product && node.children <= 2) {
      for (std::size_t k = below; k < size; ++k) value *= stack[k];
    } else if (node.kind == Kind::negative) {
      value = -stack[below];
    } else {
      return std::nullopt;
    }
    if (value > small || value < -small) return std::nullopt;
    size = below;
    stack[size++] = value;
  }
  return stack[0];
}

}  // namespace

std::string to_text(const Indices& indices) {
  if (indices.empty()) return {};
  std::vector<std::string> words;
  for (const FamilyIndex& index : indices) words.push_back(fmt::format("{} = {}", index.name, index.value));
  return fmt::format("({})", fmt::join(words, ", "));
}

Families::Families(const Description& description, const Overrides& overrides) : description_(description) {
  for (const Named<Text>& entry : description.parameters) parameters_.emplace(entry.name.text, &entry.what);
  overridden_.reserve(overrides.size());
  for (const Override& change : overrides) {
    auto found = parameters_.find(change.name);
    if (found == parameters_.end()) continue;
    found->second = &overridden_.emplace_back(change.value);
  }
  read_ranges();
}

void Families::read_ranges() {
  for (const Named<RangeText>& entry : description_.repeats) {
    std::string key = "repeat." + entry.name.text;
    auto complain = [&](Place place, std::string problem, std::string remedy) {
      throw ModelError({description_.file, place, key, std::move(problem), std::move(remedy)});
    };
    if (is_index(entry.name.text)) complain(entry.name.place, "this index is repeated twice", "use another name");
    Range range{bound(entry.what.first, key), bound(entry.what.last, key)};
    if (range.last < range.first - 1)
      complain(entry.what.first.place, fmt::format("the range {}..{} runs backwards", range.first, range.last),
               "write the smaller integer first");
    if (range.size() > limits::family_size)
      complain(entry.what.first.place,
               fmt::format("a family of {}, more than {} (limit `family_size`)", range.size(), limits::family_size),
               "use fewer members");
    ranges_.emplace_back(entry.name.text, range);
  }
}

long Families::bound(const Text& text, const std::string& key) {
  try {
    Formula formula = parse_syntax(text.text);
    return integer(formula, formula.left, {});
  } catch (const FormulaError& error) {
    Place place = text.place;
    if (error.complaint().place.line == 1 && place.line != 0) place.column += error.complaint().place.column - 1;
    throw ModelError({description_.file, place, key, error.complaint().problem, error.complaint().remedy});
  }
}

const Families::Range* Families::find_range(const std::string& index) const {
  auto found = std::ranges::find(ranges_, index, [](const auto& entry) { return entry.first; });
  return found == ranges_.end() ? nullptr : &found->second;
}

const Families::Template& Families::parse_template(const std::string& text) {
  auto [found, is_new] = templates_.try_emplace(text);
  Template& result = found->second;
  if (!is_new) return result;
  try {
    std::size_t at = 0;
    for (std::size_t open; (open = text.find('{', at)) != std::string::npos;) {
      std::size_t close = text.find('}', open);
      if (close == std::string::npos) fail({}, "a { without its }", "write an index as in x{k} or x{k-1}");
      result.literals.push_back(text.substr(at, open - at));
      result.holes.push_back(parse_syntax(std::string_view(text).substr(open + 1, close - open - 1)));
      at = close + 1;
    }
    result.literals.push_back(text.substr(at));
  } catch (const FormulaError& error) {
    templates_.erase(found);
    fail({}, fmt::format("in '{}': {}", text, error.complaint().problem), error.complaint().remedy);
  }
  return result;
}

std::string Families::expand(const std::string& text, const Indices& indices) {
  if (text.find('{') == std::string::npos) return text;
  const Template& parsed = parse_template(text);
  std::string result = parsed.literals[0];
  for (std::size_t i = 0; i < parsed.holes.size(); ++i) {
    const Formula& hole = parsed.holes[i];
    try {
      result += std::to_string(integer(hole, hole.left, indices));
    } catch (const FormulaError& error) {
      fail({}, fmt::format("in '{}': {}", text, error.complaint().problem), error.complaint().remedy);
    }
    result += parsed.literals[i + 1];
  }
  return result;
}

std::optional<long> Families::number(const std::string& text, const Indices& indices) {
  if (!text.starts_with('{') || text.find('}') != text.size() - 1) return std::nullopt;
  return std::stol(expand(text, indices));
}

long Families::integer(const Formula& formula, std::uint32_t root, const Indices& indices) {
  if (const std::optional<long> quick = quick_integer(formula, root, indices)) return *quick;
  mpq_class value = evaluate(formula, root, indices);
  if (value.get_den() != 1)
    fail(formula.nodes[root].place, fmt::format("{} is not an integer", value.get_str()), "indices are integers");
  return value.get_num().get_si();
}

mpq_class Families::evaluate(const Formula& formula, std::uint32_t root, const Indices& indices) {
  std::vector<mpq_class> stack;
  for (std::uint32_t i = formula.nodes[root].first; i <= root; ++i) {
    const SyntaxNode& node = formula.nodes[i];
    mpq_class value;
    std::size_t below = stack.size() - (node.kind == Kind::call ? 0 : node.children);
    switch (node.kind) {
      case Kind::number: value = node.value; break;
      case Kind::name: {
        if (const FamilyIndex* index = find_index(node, indices)) {
          value = index->value;
        } else if (std::optional<long> whole = number(node.text, indices)) {
          value = *whole;
        } else {
          value = parameter(node);
        }
        break;
      }
      case Kind::sum:
        for (std::size_t k = below; k < stack.size(); ++k) value += stack[k];
        break;
      case Kind::product:
        value = 1;
        for (std::size_t k = below; k < stack.size(); ++k) value *= stack[k];
        break;
      case Kind::negative: value = -stack[below]; break;
      case Kind::inverse:
        if (stack[below] == 0) fail(node.place, "division by zero", "the divisor is exactly 0");
        value = 1 / stack[below];
        break;
      case Kind::power: value = power(node, stack[below], stack[below + 1]); break;
      default:
        fail(node.place, "more than + - * / ^ where an integer is expected",
             "write an integer formula such as 2*k - 1");
    }
    check_size(node.place, value);
    stack.resize(below);
    stack.push_back(std::move(value));
  }
  return stack.back();
}

mpq_class Families::parameter(const SyntaxNode& name) {
  auto known = values_.find(name.text);
  if (known != values_.end() && name.primes == 0) return known->second;
  auto found = parameters_.find(name.text);
  if (found == parameters_.end() || name.primes != 0 || name.text.find('{') != std::string::npos) {
    std::vector<std::string> names;
    for (const auto& entry : parameters_) names.push_back(entry.first);
    for (const auto& range : ranges_) names.push_back(range.first);
    std::ranges::sort(names);
    std::string nearest = nearest_name(name.text, names);
    fail(name.place, fmt::format("'{}' is neither an index nor an integer parameter", name.text),
         nearest.empty() ? "indices come from [repeat] or sum(...)" : fmt::format("did you mean '{}'?", nearest));
  }
  if (std::ranges::find(busy_, name.text) != busy_.end() || busy_.size() >= limits::reference_depth)
    fail(name.place, fmt::format("the parameter '{}' is defined by itself, or too deeply", name.text),
         "indices need integer parameters");
  busy_.push_back(name.text);
  mpq_class value;
  try {
    Formula formula = parse_syntax(found->second->text);
    value = evaluate(formula, formula.left, {});
  } catch (const FormulaError& error) {
    busy_.pop_back();
    fail(name.place, fmt::format("the parameter '{}' has no integer value: {}", name.text, error.complaint().problem),
         error.complaint().remedy);
  }
  busy_.pop_back();
  return values_[name.text] = value;
}

std::vector<std::string> Families::indices_in(const std::string& name) {
  std::vector<std::string> result;
  if (name.find('{') == std::string::npos) return result;
  for (const Formula& hole : parse_template(name).holes)
    for (const SyntaxNode& node : hole.nodes)
      if (node.kind == Kind::name && is_index(node.text) && std::ranges::find(result, node.text) == result.end())
        result.push_back(node.text);
  return result;
}

std::vector<Indices> Families::combinations(const std::vector<std::string>& indices) const {
  std::vector<Indices> result{{}};
  for (const std::string& index : indices) {
    const Range& range = *find_range(index);
    if (result.size() * range.size() > limits::family_size)
      fail({},
           fmt::format("a family of {}, more than {} (limit `family_size`)", result.size() * range.size(),
                       limits::family_size),
           "use fewer members");
    std::vector<Indices> longer;
    longer.reserve(result.size() * range.size());
    for (const Indices& outer : result)
      for (long value = range.first; value <= range.last; ++value) {
        longer.push_back(outer);
        longer.back().push_back({index, value});
      }
    result = std::move(longer);
  }
  return result;
}

}  // namespace dalembert
