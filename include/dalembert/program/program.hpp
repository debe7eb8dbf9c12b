#pragma once
// Expressions -> straight-line program -> native code, interpreter, C source.
//
// What is guaranteed. The program fixes every rounding: each instruction is one IEEE 754 double operation, rounded to
// nearest (fma variants round once; subnormals are kept), or one call of a function below. So on one machine the
// interpreter, native scalar code and native code over lanes give the same bits for the same inputs, also for
// +-0, subnormals and infinities; where one gives NaN the others do, its sign and payload are not specified.
// Functions have an error below 1 ulp and the same bits in scalar code and in lanes: sin and cos, always evaluated
// together, are our own up to |x| = 2^18, all else is SLEEF's. A CPU without FMA uses SLEEF's functions for such CPUs,
// whose last bits differ. Lowering knows sin(x)^2 + cos(x)^2 = 1, whatever x is.
// At the edges: min and max are NaN if either argument is, and -0 < +0; sign(NaN) is NaN, sign(+-0) is +0;
// abs clears and negation flips the sign bit.

#include <dalembert/expr/expr.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

enum class Opcode : std::uint8_t {
  add,     ///< a + b
  sub,     ///< a - b
  mul,     ///< a * b
  div,     ///< a / b
  fma,     ///< a * b + c, rounded once
  fms,     ///< a * b - c
  fnma,    ///< -(a * b) + c
  fnms,    ///< -(a * b) - c
  sqrt,    ///< of a, as the following
  neg,     //
  abs,     //
  sign,    //
  min,     ///< of a and b
  max,     //
  sincos,  ///< sin(a); the instruction after it is `second`
  second,  ///< cos of the argument of the sincos before it
  tan,     ///< of a, as the following
  asin,    //
  acos,    //
  atan,    //
  sinh,    //
  cosh,    //
  tanh,    //
  exp,     //
  log,     //
  atan2,   ///< of a (y) and b (x)
  pow,     ///< a ^ b
};

std::string_view opcode_name(Opcode op);
/// How many of a, b, c an instruction reads.
constexpr int operand_count(Opcode op) {
  if (op >= Opcode::fma && op <= Opcode::fnms) return 3;
  if (op <= Opcode::div || op == Opcode::min || op == Opcode::max || op >= Opcode::atan2) return 2;
  return op == Opcode::second ? 0 : 1;
}
/// True where an instruction is a call of a function: sincos, tan .. pow.
constexpr bool is_call(Opcode op) { return op == Opcode::sincos || op >= Opcode::tan; }

/// One operation on values; its result is the next value.
struct Instruction {
  Opcode op;
  std::uint32_t a = 0, b = 0, c = 0;
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

/// Straight-line code in SSA form. Values are numbered: first the constants, then the held values, then the inputs,
/// then the results of the instructions in order.
struct Section {
  std::vector<double> constants;
  std::uint32_t held_count = 0;
  std::uint32_t input_count = 0;
  std::vector<Instruction> code;
  std::vector<std::uint32_t> results;  ///< the values that leave the section

  std::uint32_t first_held() const { return static_cast<std::uint32_t>(constants.size()); }
  std::uint32_t first_input() const { return first_held() + held_count; }
  std::uint32_t first_result() const { return first_input() + input_count; }
  std::uint32_t value_count() const { return first_result() + static_cast<std::uint32_t>(code.size()); }
};

/// What the outputs need, split by how often it must be done. The prologue's inputs are the parameters; the body holds
/// the parameters followed by the prologue's results.
struct Program {
  Section prologue;
  Section body;

  std::size_t input_count() const { return body.input_count; }
  std::size_t parameter_count() const { return prologue.input_count; }
  std::size_t output_count() const { return body.results.size(); }
  std::size_t instruction_count() const { return prologue.code.size() + body.code.size(); }
};

/// Inputs vary from call to call, parameters are set once in a while; both are symbols. A symbol that is neither is an
/// InputError that names it, as is one listed twice. All expressions are of one graph (copy_to brings them there), else
/// an InputError; the program does not refer to it afterwards. No outputs are no work.
Program make_program(std::span<const Expr> inputs, std::span<const Expr> parameters, std::span<const Expr> outputs);

/// The program as text, one instruction a line.
std::string write_listing(const Program& program);

/// C source that needs only <math.h>; a name that is none in C, or that C uses itself, is an InputError:
///   enum { NAME_inputs = .., NAME_parameters = .., NAME_outputs = .., NAME_held = .. };
///   void NAME_prologue(const double *parameters, double *held);
///   void NAME(const double *inputs, const double *held, double *outputs);
/// Arrays do not overlap. Functions stay small (a few hundred statements), since compilers take more than linear time.
/// Compiled with -ffp-contract=off (and not -ffast-math) it gives the interpreter's bits as long as the program calls
/// no function; with functions it differs by what the C library's functions differ from SLEEF's, each within 1 ulp or
/// so.
std::string write_c(const Program& program, std::string_view name);

/// What a thread owns to evaluate one function: parameters, prologue results, room for values. From
/// Function::make_scratch. Room for lanes is made when they are first asked for: it is four times as much.
class Scratch {
 public:
  Scratch() = default;

 private:
  friend class Function;
  struct Free {
    void operator()(double* memory) const;
  };
  using Block = std::unique_ptr<double[], Free>;
  static Block make_block(std::size_t count);

  Block scalar_, lanes_;                    // the body's: masks, constants, held values, scratch
  Block prologue_scalar_, prologue_lanes_;  // the prologue's
  std::shared_ptr<const void> owner_;  // of the function it was made for, and kept so that no other takes its place
};

struct CompileOptions {
  bool native = true;  ///< false: interpret
  bool scalar = true;  ///< native code for evaluate; else it is interpreted
  bool lanes = true;   ///< native code for evaluate_lanes; else it is interpreted
};

/// A program ready to evaluate: an ordinary value, cheap to copy, safe to share between threads that each own a
/// scratch. Its functions throw an InputError where the function is empty, a list is not of the length asked for, the
/// scratch is empty or was made by another function (copies are the same one), or outputs overlap inputs.
class Function {
 public:
  static constexpr std::size_t lane_count = 4;

  Function() = default;
  explicit operator bool() const { return impl_ != nullptr; }
  const Program& program() const;
  std::size_t input_count() const { return program().input_count(); }
  std::size_t parameter_count() const { return program().parameter_count(); }
  std::size_t output_count() const { return program().output_count(); }

  Scratch make_scratch() const;
  /// Sets the parameters of evaluate and of every lane; runs the prologue.
  void set_parameters(Scratch& scratch, std::span<const double> parameters) const;
  /// Sets the lanes' parameters, parameter i of lane l at [4 * i + l]; runs the prologue.
  void set_lane_parameters(Scratch& scratch, std::span<const double> parameters) const;
  void evaluate(Scratch& scratch, std::span<const double> inputs, std::span<double> outputs) const;
  /// Four systems at once: input i of lane l at inputs[4 * i + l], likewise outputs.
  void evaluate_lanes(Scratch& scratch, std::span<const double> inputs, std::span<double> outputs) const;

  /// True where evaluate (evaluate_lanes) runs native code.
  bool is_native() const;
  bool is_native_lanes() const;
  /// Machine instructions of the native code for evaluate (0 if interpreted).
  std::size_t machine_instruction_count() const;
  /// Native code in bytes, both kinds.
  std::size_t code_size() const;
  /// The native code for evaluate (or evaluate_lanes) in assembly; empty if interpreted.
  std::string disassembly(bool lanes = false) const;

 private:
  friend Function compile(Program program, const CompileOptions& options);
  struct Impl;
  const Impl& impl() const;
  const Impl& impl_of(const Scratch& scratch) const;
  void make_lanes(Scratch& scratch) const;
  void spread_held(Scratch& scratch) const;
  template <std::size_t width>
  bool fits(const Scratch& scratch, std::span<const double> inputs, std::span<double> outputs) const;
  [[noreturn]] void refuse_call(const Scratch&, std::span<const double> inputs, std::span<double> outputs,
                                std::size_t width) const;
  std::shared_ptr<const Impl> impl_;
};

/// True where native code can run: x86-64 with AVX2 and FMA, and the environment variable DALEMBERT_INTERPRETER is
/// unset or empty. Elsewhere compile falls back to the interpreter, as it does where the system forbids making memory
/// executable (Function::is_native tells).
bool is_native_available();
/// A program that make_program did not make is checked.
Function compile(Program program, const CompileOptions& options = {});

}  // namespace dalembert
