#pragma once
// Infix notation: that of formulas, and with other leaves that of C.

#include "expr/render.hpp"

namespace dalembert {

/// The notation of formulas. Care is taken that the parser builds the very node again: a constant must not be
/// multiplied into a sum, for the graph would distribute it.
class TextRenderer : public Renderer {
 public:
  using Renderer::Renderer;

 protected:
  virtual std::string integer(const mpz_class& value) const { return value.get_str(); }
  virtual std::string symbol(std::string_view name) const { return std::string(name); }
  virtual std::string pi() const { return "pi"; }
  virtual void lay_out_call(Op op, std::span<const NodeId> arguments, Pieces& out) const;
  /// node.exponent is not 1.
  virtual void lay_out_root_or_power(const Piece& node, Pieces& out) const;
  virtual void lay_out_power(std::span<const NodeId> arguments, Level level, Pieces& out) const;

  template <class Inside>
  static void bracket(Level own, Level wanted, Pieces& out, Inside&& inside) {
    if (own < wanted) out.push_back(piece("("));
    inside();
    if (own < wanted) out.push_back(piece(")"));
  }

 private:
  void lay_out(const Piece& node, Pieces& out) const override;
  void lay_out_node(NodeId id, Level level, Pieces& out) const;
  void lay_out_number(const mpq_class& value, Level level, Pieces& out) const;
  void lay_out_sum(NodeId id, Level level, Pieces& out) const;
  void lay_out_fraction(const Fraction& fraction, Level level, Pieces& out) const;
  void lay_out_unsigned(const Fraction& fraction, Pieces& out) const;
};

}  // namespace dalembert
