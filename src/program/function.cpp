#include <algorithm>
#include <cstdlib>
#include <functional>
#include <new>

#include "program/check.hpp"
#include "program/functions.hpp"
#include "program/interpret.hpp"
#include "program/native.hpp"

namespace dalembert {

namespace {

constexpr std::size_t lanes = Function::lane_count;
constexpr std::align_val_t alignment{64};

}  // namespace

void Scratch::Free::operator()(double* memory) const { ::operator delete[](memory, alignment); }

Scratch::Block Scratch::make_block(std::size_t count) {
  auto* memory = static_cast<double*>(::operator new[](count * sizeof(double), alignment));
  std::fill_n(memory, count, 0.0);
  return Block(memory);
}

struct Function::Impl {
  Program program;
  NativeCode scalar, lanes;

  std::size_t block_size(const NativeCode& code, std::size_t width) const {
    const Section& body = program.body;
    std::size_t values = code ? body.first_input() + code.scratch : body.value_count();
    return Masks::count + values * width;
  }
};

namespace {

[[noreturn, gnu::cold]] void refuse_empty() { refuse("an empty Function was asked", "compile a program first"); }

[[noreturn, gnu::cold]] void refuse_scratch(bool empty) {
  refuse(empty ? "the scratch is empty" : "the scratch was made by another function",
         "take it from make_scratch of the function that is evaluated");
}

/// Native code may write an output before it reads every input.
bool overlap(std::span<const double> inputs, std::span<const double> outputs) {
  std::less<const double*> before;
  return before(inputs.data(), outputs.data() + outputs.size()) &&
         before(outputs.data(), inputs.data() + inputs.size());
}

}  // namespace

const Function::Impl& Function::impl() const {
  if (impl_ == nullptr) [[unlikely]]
    refuse_empty();
  return *impl_;
}

const Function::Impl& Function::impl_of(const Scratch& scratch) const {
  const Impl& own = impl();
  if (scratch.owner_.get() != &own) [[unlikely]]
    refuse_scratch(scratch.owner_ == nullptr);
  return own;
}

const Program& Function::program() const { return impl().program; }
bool is_native_available() {
  const char* forced = std::getenv("DALEMBERT_INTERPRETER");
  return (forced == nullptr || *forced == '\0') && has_vector_functions();
}

Function compile(Program program, const CompileOptions& options) {
  check_program(program);
  auto impl = std::make_shared<Function::Impl>();
  impl->program = std::move(program);
  if (options.native && is_native_available()) {
    if (options.scalar) impl->scalar = compile_native(impl->program.body, 1);
    if (options.lanes) impl->lanes = compile_native(impl->program.body, lanes);
  }
  Function function;
  function.impl_ = std::move(impl);
  return function;
}

Scratch Function::make_scratch() const {
  const Section& body = program().body;
  const Section& prologue = program().prologue;
  Scratch scratch;
  scratch.owner_ = impl_;
  scratch.scalar_ = Scratch::make_block(impl_->block_size(impl_->scalar, 1));
  fill_masks(scratch.scalar_.get());
  fill_constants(body, scratch.scalar_.get() + Masks::count, 1);
  scratch.prologue_scalar_ = Scratch::make_block(prologue.value_count());
  fill_constants(prologue, scratch.prologue_scalar_.get(), 1);
  if (parameter_count() == 0) set_parameters(scratch, {});
  return scratch;
}

void Function::make_lanes(Scratch& scratch) const {
  const Program& program = impl().program;
  scratch.lanes_ = Scratch::make_block(impl_->block_size(impl_->lanes, lanes));
  fill_masks(scratch.lanes_.get());
  fill_constants(program.body, scratch.lanes_.get() + Masks::count, lanes);
  scratch.prologue_lanes_ = Scratch::make_block(program.prologue.value_count() * lanes);
  fill_constants(program.prologue, scratch.prologue_lanes_.get(), lanes);
  spread_held(scratch);
}

/// What the body holds, for every lane.
void Function::spread_held(Scratch& scratch) const {
  const Section& body = impl().program.body;
  const double* held = scratch.scalar_.get() + Masks::count + body.first_held();
  double* copies = scratch.lanes_.get() + Masks::count + body.first_held() * lanes;
  for (std::uint32_t i = 0; i < body.held_count; ++i) std::fill_n(copies + i * lanes, lanes, held[i]);
}

namespace {

/// Runs the prologue and puts the parameters and its results where the body holds them.
template <std::size_t width>
void run_prologue(const Program& program, std::span<const double> parameters, double* values, double* block) {
  const Section& prologue = program.prologue;
  std::copy(parameters.begin(), parameters.end(), values + prologue.first_input() * width);
  interpret<width>(prologue, values);
  double* held = block + Masks::count + program.body.first_held() * width;
  held = std::copy(parameters.begin(), parameters.end(), held);
  for (std::uint32_t value : prologue.results) held = std::copy_n(values + value * width, width, held);
}

template <std::size_t width>
[[gnu::noinline]] void run_body(const Section& body, const double* inputs, double* outputs, double* block) {
  double* values = block + Masks::count;
  std::copy_n(inputs, body.input_count * width, values + body.first_input() * width);
  interpret<width>(body, values);
  for (std::uint32_t value : body.results) outputs = std::copy_n(values + value * width, width, outputs);
}

}  // namespace

void Function::set_parameters(Scratch& scratch, std::span<const double> parameters) const {
  const Program& program = impl_of(scratch).program;
  check_length("parameters", parameters.size(), program.parameter_count());
  run_prologue<1>(program, parameters, scratch.prologue_scalar_.get(), scratch.scalar_.get());
  if (scratch.lanes_ != nullptr) spread_held(scratch);
}

void Function::set_lane_parameters(Scratch& scratch, std::span<const double> parameters) const {
  const Program& program = impl_of(scratch).program;
  check_length("parameters of lanes", parameters.size(), program.parameter_count() * lanes);
  if (scratch.lanes_ == nullptr) make_lanes(scratch);
  run_prologue<lanes>(program, parameters, scratch.prologue_lanes_.get(), scratch.lanes_.get());
}

/// One test for all that can be wrong with a call, so that evaluate itself needs no frame.
template <std::size_t width>
[[gnu::always_inline]] inline bool Function::fits(const Scratch& scratch, std::span<const double> inputs,
                                                  std::span<double> outputs) const {
  return impl_ != nullptr && scratch.owner_.get() == impl_.get() &&
         inputs.size() == impl_->program.input_count() * width &&
         outputs.size() == impl_->program.output_count() * width && !overlap(inputs, outputs);
}

[[noreturn, gnu::cold, gnu::noinline]] void Function::refuse_call(const Scratch& scratch,
                                                                  std::span<const double> inputs,
                                                                  std::span<double> outputs, std::size_t width) const {
  const Program& own = impl_of(scratch).program;
  const std::string of = width == 1 ? "" : " of lanes";
  check_length("inputs" + of, inputs.size(), own.input_count() * width);
  check_length("outputs" + of, outputs.size(), own.output_count() * width);
  refuse("the outputs overlap the inputs", "give them memory of their own");
}

void Function::evaluate(Scratch& scratch, std::span<const double> inputs, std::span<double> outputs) const {
  if (!fits<1>(scratch, inputs, outputs)) [[unlikely]]
    refuse_call(scratch, inputs, outputs, 1);
  double* block = scratch.scalar_.get();
  if (impl_->scalar) return impl_->scalar.entry()(inputs.data(), outputs.data(), block);
  run_body<1>(impl_->program.body, inputs.data(), outputs.data(), block);
}

void Function::evaluate_lanes(Scratch& scratch, std::span<const double> inputs, std::span<double> outputs) const {
  if (!fits<lanes>(scratch, inputs, outputs)) [[unlikely]]
    refuse_call(scratch, inputs, outputs, lanes);
  if (scratch.lanes_ == nullptr) [[unlikely]]
    make_lanes(scratch);
  double* block = scratch.lanes_.get();
  if (impl_->lanes) return impl_->lanes.entry()(inputs.data(), outputs.data(), block);
  run_body<lanes>(impl_->program.body, inputs.data(), outputs.data(), block);
}

bool Function::is_native() const { return static_cast<bool>(impl().scalar); }
bool Function::is_native_lanes() const { return static_cast<bool>(impl().lanes); }

std::size_t Function::code_size() const {
  return impl().scalar.memory.code().size() + impl().lanes.memory.code().size();
}

std::size_t Function::machine_instruction_count() const { return disassemble(impl().scalar.memory.code()).count; }

std::string Function::disassembly(bool of_lanes) const {
  return disassemble((of_lanes ? impl().lanes : impl().scalar).memory.code()).text;
}

}  // namespace dalembert
