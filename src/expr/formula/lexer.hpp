#pragma once
// Formula text to tokens, one at a time. Places count code points.

#include <dalembert/expr/formula.hpp>

namespace dalembert {

struct Token {
  enum class Kind : std::uint8_t {
    number,
    name,    ///< text, primes
    member,  ///< ".x": text is what follows the point
    symbol,  ///< one of + - * / ^ ( ) [ ] , = and, as text, >= <=
    end,
  };
  Kind kind = Kind::end;
  Place place;
  std::string text;
  std::uint16_t primes = 0;
  mpq_class value;

  bool is(std::string_view symbol_text) const { return kind == Kind::symbol && text == symbol_text; }
};

/// How a token is called in an error.
std::string describe(const Token& token);

[[noreturn]] void fail_formula(Place place, std::string problem, std::string remedy);
/// A limit is exceeded; `limit` is its name.
[[noreturn]] void fail_limit(Place place, std::string_view limit, std::size_t allowed, std::string_view what);

class Lexer {
 public:
  Lexer(std::string_view text, const FormulaLimits& limits);
  Token next();

 private:
  char32_t peek() const { return code_; }
  char look(std::size_t bytes) const { return at_ + bytes < text_.size() ? text_[at_ + bytes] : '\0'; }
  void advance();
  void decode();
  void skip_spaces();
  Token read_number();
  Token read_name();
  void read_template();
  Token read_member();
  Token read_symbol();
  std::string_view since(std::size_t begin) const { return text_.substr(begin, at_ - begin); }

  std::string_view text_;
  const FormulaLimits& limits_;
  std::size_t at_ = 0;     // byte
  std::size_t bytes_ = 0;  // of the code point at at_
  char32_t code_ = 0;      // 0 at the end
  Place place_{1, 1};
};

}  // namespace dalembert
