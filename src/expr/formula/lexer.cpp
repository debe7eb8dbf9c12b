#include "expr/formula/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.hpp"

namespace dalembert {
namespace {

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }

struct Range {
  char32_t low, high;
};

// Code points above ASCII that are no letters: signs, punctuation, spaces, superscripts, arrows, operators, pictures.
constexpr Range no_letters[] = {
    {0x80, 0xa9},     {0xab, 0xb4},     {0xb6, 0xb9},     {0xbb, 0xbf},       {0xd7, 0xd7},       {0xf7, 0xf7},
    {0x2000, 0x207f}, {0x20a0, 0x20cf}, {0x2190, 0x2bff}, {0x2e00, 0x2e7f},   {0x3000, 0x303f},   {0xe000, 0xf8ff},
    {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xfff0, 0xffff}, {0x1f000, 0x1faff}, {0xe0000, 0x10ffff}};

bool is_letter(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  return std::ranges::none_of(no_letters, [c](Range range) { return c >= range.low && c <= range.high; });
}

/// What to write instead of characters that people paste or carry over from other languages.
std::string remedy_for(char32_t c) {
  switch (c) {
    case 0x2212:
    case 0x2013: return "write - for minus";
    case 0xb7:
    case 0xd7:
    case 0x22c5: return "write * for a product";
    case 0xf7: return "write / for a quotient";
    case 0xb0: return "angles are in radians: write *pi/180 for degrees";
    case 0xb2: return "write ^2 for a square";
    case 0xb3: return "write ^3 for a cube";
    case 0x2018:
    case 0x2019:
    case 0x2032:
    case 0x2033:
    case '"': return "write ' for a time derivative";
    case 0x221a: return "write sqrt(...)";
    case 0x2265:
    case '>': return "write >=";
    case 0x2264:
    case '<': return "write <=";
    case '|': return "write abs(...)";
    case '}': return "a template's } needs its { before it";
    case ';':
    case ':': return "arguments and components are separated by ,";
    default: return "formulas are made of numbers, names, + - * / ^ ( ) [ ] , and '";
  }
}

}  // namespace

void fail_formula(Place place, std::string problem, std::string remedy) {
  throw FormulaError({"", place, "", std::move(problem), std::move(remedy)});
}

void fail_limit(Place place, std::string_view limit, std::size_t allowed, std::string_view what) {
  fail_formula(place, fmt::format("{} (limit `{}`: {})", what, limit, allowed), "split the formula into smaller ones");
}

std::string describe(const Token& token) {
  constexpr std::size_t longest = 40;
  switch (token.kind) {
    case Token::Kind::end: return "the end of the formula";
    case Token::Kind::number: return "a number";
    case Token::Kind::member: return "'." + token.text.substr(0, longest) + "'";
    default: return "'" + (token.text.size() > longest ? "a long name" : token.text) + "'";
  }
}

Lexer::Lexer(std::string_view text, const FormulaLimits& limits) : text_(text), limits_(limits) {
  if (text.size() > limits.characters)
    fail_limit({1, 1}, "characters", limits.characters, fmt::format("the formula has {} characters", text.size()));
  decode();
}

/// The code point at at_; text that is not UTF-8 is refused.
void Lexer::decode() {
  CodePoint point = at_ < text_.size() ? decode_utf8(text_, at_) : CodePoint{};
  code_ = point.code;
  bytes_ = point.bytes;
  if (at_ < text_.size() && code_ == 0) fail_formula(place_, "the text is not valid UTF-8", "save it as UTF-8");
}

void Lexer::advance() {
  if (code_ == '\n') {
    ++place_.line;
    place_.column = 1;
  } else {
    ++place_.column;
  }
  at_ += bytes_;
  decode();
}

void Lexer::skip_spaces() {
  while (code_ == ' ' || code_ == '\t' || code_ == '\n' || code_ == '\r' || code_ == 0xa0) advance();
}

Token Lexer::next() {
  skip_spaces();
  if (code_ == 0) return {Token::Kind::end, place_, "", 0, {}};
  bool point = code_ == '.';
  if (is_digit(code_) || (point && is_digit(static_cast<unsigned char>(look(1))))) return read_number();
  if (is_letter(code_) || code_ == '{') return read_name();
  if (point) return read_member();
  return read_symbol();
}

Token Lexer::read_number() {
  Token token{Token::Kind::number, place_, "", 0, {}};
  std::string digits;
  long scale = 0;  // decimal digits after the point
  for (bool after_point = false; is_digit(code_) || (code_ == '.' && !after_point); advance()) {
    if (code_ == '.') {
      after_point = true;
      continue;
    }
    digits += static_cast<char>(code_);
    if (after_point) ++scale;
  }
  long exponent = 0;
  auto digit_at = [&](std::size_t bytes) { return is_digit(static_cast<unsigned char>(look(bytes))); };
  bool signed_exponent = (look(1) == '+' || look(1) == '-') && digit_at(2);
  if ((code_ == 'e' || code_ == 'E') && (digit_at(1) || signed_exponent)) {
    advance();
    bool negative = code_ == '-';
    if (signed_exponent) advance();
    constexpr long enough = 1'000'000'000;  // beyond any limit
    for (; is_digit(code_); advance()) exponent = std::min(enough, exponent * 10 + static_cast<long>(code_ - '0'));
    if (negative) exponent = -exponent;
  }
  std::size_t written = digits.size() + static_cast<std::size_t>(std::abs(exponent));
  if (written > limits_.digits) fail_limit(token.place, "digits", limits_.digits, "the number has too many digits");
  mpz_class whole(digits, 10);
  mpz_class power;
  long shift = exponent - scale;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(shift)));
  if (shift >= 0) {
    token.value = whole * power;
  } else {
    token.value = mpq_class(whole, power);
    token.value.canonicalize();
  }
  return token;
}

/// "{...}": kept as it is; the model gives it its meaning.
void Lexer::read_template() {
  Place open = place_;
  advance();
  bool empty = true;
  for (; code_ != '}'; advance()) {
    if (code_ == 0 || code_ == '{' || code_ == '\n')
      fail_formula(open, "this { has no matching }", "write an index as in x{k} or x{k-1}");
    empty &= code_ == ' ';
  }
  if (empty) fail_formula(open, "nothing stands between { and }", "write an index as in x{k} or x{k-1}");
  advance();
}

Token Lexer::read_name() {
  Token token{Token::Kind::name, place_, "", 0, {}};
  std::size_t begin = at_;
  while (is_letter(code_) || is_digit(code_) || code_ == '{') {
    if (code_ == '{') {
      read_template();
    } else {
      advance();
    }
  }
  token.text = since(begin);
  for (; code_ == '\''; advance())
    if (++token.primes > 1000) fail_limit(place_, "primes", 1000, "the name has too many primes");
  return token;
}

Token Lexer::read_member() {
  Token token{Token::Kind::member, place_, "", 0, {}};
  advance();
  std::size_t begin = at_;
  while (is_letter(code_) || is_digit(code_)) advance();
  token.text = since(begin);
  if (token.text != "x" && token.text != "y" && token.text != "z")
    fail_formula(token.place, fmt::format("unknown component {}", describe(token)),
                 "components of a vector are .x, .y and .z; numbers need a digit beside their point");
  return token;
}

Token Lexer::read_symbol() {
  Token token{Token::Kind::symbol, place_, "", 0, {}};
  std::size_t begin = at_;
  char32_t first = code_;
  std::size_t bytes = bytes_;
  advance();
  if ((first == '>' || first == '<') && code_ == '=') advance();
  token.text = since(begin);
  if (token.text == "*" && code_ == '*') fail_formula(token.place, "unknown operator '**'", "write ^ for a power");
  if (token.text == "=" && code_ == '=') fail_formula(token.place, "unknown operator '=='", "write = for an equation");
  if (first == '\'')
    fail_formula(token.place, "a prime that does not follow a name",
                 "write it directly after the name, as in q' or v'.x");
  bool known = bytes == 1 &&
               (token.text.size() == 2 || std::string_view("+-*/^()[],=").find(token.text) != std::string_view::npos);
  if (!known) {
    std::string shown =
        first < 0x20 || first == 0x7f ? fmt::format("\\x{:02x}", static_cast<unsigned>(first)) : token.text;
    fail_formula(token.place, fmt::format("unexpected character '{}'", shown), remedy_for(first));
  }
  return token;
}

}  // namespace dalembert
