#include <fmt/format.h>

#include <algorithm>

#include "expr/render.hpp"

// Names as LaTeX: letters first, what follows is a subscript, primes are dots.

namespace dalembert {
namespace {

constexpr std::string_view greek[] = {"alpha", "beta",  "gamma",   "delta",    "epsilon",   "zeta",  "eta",     "theta",
                                      "iota",  "kappa", "lambda",  "mu",       "nu",        "xi",    "pi",      "rho",
                                      "sigma", "tau",   "upsilon", "phi",      "chi",       "psi",   "omega",   "Gamma",
                                      "Delta", "Theta", "Lambda",  "Xi",       "Pi",        "Sigma", "Upsilon", "Phi",
                                      "Psi",   "Omega", "varphi",  "vartheta", "varepsilon"};

struct GreekLetter {
  std::string_view letter, name;
};
constexpr GreekLetter greek_letters[] = {
    {"α", "alpha"},   {"β", "beta"},   {"γ", "gamma"},  {"δ", "delta"},    {"ε", "varepsilon"}, {"ζ", "zeta"},
    {"η", "eta"},     {"θ", "theta"},  {"ι", "iota"},   {"κ", "kappa"},    {"λ", "lambda"},     {"μ", "mu"},
    {"ν", "nu"},      {"ξ", "xi"},     {"π", "pi"},     {"ρ", "rho"},      {"σ", "sigma"},      {"τ", "tau"},
    {"υ", "upsilon"}, {"φ", "varphi"}, {"χ", "chi"},    {"ψ", "psi"},      {"ω", "omega"},      {"Γ", "Gamma"},
    {"Δ", "Delta"},   {"Θ", "Theta"},  {"Λ", "Lambda"}, {"Ξ", "Xi"},       {"Π", "Pi"},         {"Σ", "Sigma"},
    {"Φ", "Phi"},     {"Ψ", "Psi"},    {"Ω", "Omega"},  {"ϑ", "vartheta"}, {"ϕ", "phi"},        {"ϵ", "epsilon"}};

/// Between the parts of a name that dalembert gives, and all that ends the letters of a part.
constexpr char between = '\x1f';
constexpr std::string_view ends_letters = "_{0123456789\x1f";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t count_code_points(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80; }));
}

/// Letters that belong together.
std::string word(std::string_view letters) {
  if (std::ranges::find(greek, letters) != std::end(greek)) return fmt::format("\\{}", letters);
  auto letter = std::ranges::find(greek_letters, letters, &GreekLetter::letter);
  if (letter != std::end(greek_letters)) return fmt::format("\\{}", letter->name);
  if (count_code_points(letters) == 1) return std::string(letters);
  std::string text;
  for (char c : letters) text += c == ' ' ? "\\ " : std::string(1, c);
  return fmt::format("\\mathit{{{}}}", text);
}

std::string with_dots(const std::string& letters, std::size_t primes) {
  if (primes == 0) return letters;
  if (primes > 4) return fmt::format("{{{}}}^{{({})}}", letters, primes);
  return fmt::format("\\{}ot{{{}}}", std::string(primes, 'd'), letters);
}

/// Letters and the primes behind them, of a rate inside a name: xi(x', phi).
std::string word_with_dots(std::string_view letters) {
  const std::size_t end = letters.find_last_not_of('\'') + 1;
  if (end == 0) return std::string(letters);  // after digits
  return with_dots(word(letters.substr(0, end)), letters.size() - end);
}

/// What follows the first letters: digits, words and templates, separated by commas; words that a _ joins stay one
/// name, front_wheel. A _ that separates nothing is shown, so that a, a_ and a__ differ.
std::string subscript(std::string_view rest) {
  std::string text;
  bool after_word = false;
  while (!rest.empty()) {
    std::size_t size = 0;
    std::string part;
    if (rest[0] == '{') {
      size = std::min(rest.find('}'), rest.size() - 1) + 1;
      part = rest.substr(1, size - 2);
    } else if (is_digit(rest[0])) {
      while (size < rest.size() && is_digit(rest[size])) ++size;
      part = rest.substr(0, size);
    } else {
      size = std::min(rest.find_first_of(ends_letters, 1), rest.size());
      std::string_view letters = rest.substr(0, size);
      if (letters[0] == '_' || letters[0] == between) letters.remove_prefix(1);
      const bool is_word = !letters.empty() && word(letters).starts_with("\\mathit");
      if (after_word && is_word && rest[0] == '_') {
        text.insert(text.size() - 1, fmt::format("\\_{}", letters));
        rest.remove_prefix(size);
        continue;
      }
      after_word = is_word;
      const bool separates = rest[0] == between || (rest[0] == '_' && size < rest.size() && rest[size] != '_');
      if (!letters.empty())
        part = word_with_dots(letters);
      else if (!separates)
        part = "\\_";
    }
    if (rest[0] == '{' || is_digit(rest[0])) after_word = false;
    rest.remove_prefix(size);
    if (!text.empty() && !part.empty()) text += ",";
    text += part;
  }
  return text;
}

/// A capital and one small letter that are no Greek letter: people read the second as an index.
bool begins_with_index(std::string_view letters) {
  return letters.size() == 2 && letters[0] >= 'A' && letters[0] <= 'Z' && letters[1] >= 'a' && letters[1] <= 'z' &&
         std::ranges::find(greek, letters) == std::end(greek);
}

}  // namespace

namespace {

/// Names that dalembert gives, as names with subscripts: omega_B.x, position(P).x; reaction(c) is a multiplier.
std::string with_subscripts(std::string_view name) {
  constexpr std::string_view reaction = "reaction(";
  std::string text;
  if (name.starts_with(reaction)) {
    text = "lambda_";
    name.remove_prefix(reaction.size());
  }
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool separates = name[i] == '(' || name[i] == '.' || (name[i] == ',' && i + 1 < name.size());
    if (name[i] == ')' || (name[i] == ' ' && i > 0 && name[i - 1] == ',')) continue;
    text += separates ? between : name[i];
  }
  return text;
}

}  // namespace

namespace {

thread_local LatexNames* current = nullptr;

/// A name letter by letter: what tells it from all others.
std::string spelled(std::string_view name) {
  std::string text;
  for (char c : name) {
    const bool is_special = std::string_view("_{} #$%&").find(c) != std::string_view::npos;
    text += is_special ? std::string("\\") + c : std::string(1, c);
  }
  return fmt::format("\\mathit{{{}}}", text);
}

}  // namespace

LatexNames::LatexNames() : outer_(current) {
  if (outer_ == nullptr) current = this;
}

LatexNames::~LatexNames() { current = outer_; }

std::string LatexNames::show(const std::string& name, std::string usual) {
  if (current == nullptr) return usual;
  const std::string shown = current->spelled_.contains(name) ? spelled(name) : std::move(usual);
  current->names_[shown].insert(name);
  return shown;
}

bool LatexNames::settle() {
  if (outer_ != nullptr) return true;  // which writes all of it again
  bool differ = true;
  for (const auto& [shown, alike] : names_) {
    const std::string& keeps = *std::ranges::min_element(
        alike, {}, [](const std::string& name) { return std::pair(count_code_points(name), name); });
    for (const std::string& name : alike)
      if (name != keeps && spelled_.insert(name).second) differ = false;
  }
  names_.clear();
  return differ;
}

namespace {

/// Letters with their dots, and what stands below them.
struct LatexName {
  std::string letters, below;

  std::string write(std::size_t primes) const {
    const std::string text = with_dots(letters, primes);
    return below.empty() ? text : fmt::format("{}_{{{}}}", text, below);
  }
};

LatexName split_name(std::string_view name) {
  const std::size_t first = std::min(name.find_first_of(ends_letters), name.size());
  const bool has_index = begins_with_index(name.substr(0, first));  // Ia, Js: of an axis, of a body
  LatexName parts{first == 0 ? "{}" : word(name.substr(0, has_index ? 1 : first)),
                  has_index ? word(name.substr(1, first - 1)) : ""};
  const std::string rest = subscript(name.substr(first));
  if (!parts.below.empty() && !rest.empty()) parts.below += ",";
  parts.below += rest;
  return parts;
}

}  // namespace

std::string latex_name(std::string_view given) {
  const std::size_t end = given.find_last_not_of('\'') + 1;
  const std::string name(given.substr(0, end));
  const LatexName parts = split_name(with_subscripts(name));
  const std::string usual = parts.write(0), shown = LatexNames::show(name, usual);
  return (shown == usual ? parts : LatexName{shown, ""}).write(given.size() - end);
}

void LatexNames::mention(std::span<const std::string> names) {
  for (const std::string& name : names) latex_name(name);
}

}  // namespace dalembert
