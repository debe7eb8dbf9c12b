#include "program/native.hpp"

#if defined(__x86_64__)

#include <new>
#include <stdexcept>

#include "program/functions.hpp"
#include "program/registers.hpp"

namespace dalembert {
namespace {

namespace x86 = asmjit::x86;
using Id = x86::Inst::Id;

struct Ids {
  std::uint32_t scalar, packed;
};

/// Code for this machine, with the first error met.
struct Code : asmjit::CodeHolder, asmjit::ErrorHandler {
  std::string error;

  Code() {
    if (init(asmjit::Environment::host()) != asmjit::kErrorOk) throw std::bad_alloc();
    setErrorHandler(this);
  }
  void handleError(asmjit::Error, const char* text, asmjit::BaseEmitter*) override {
    if (error.empty()) error = text;
  }
};

/// The three orders of a fused instruction: 132 is x1 * x3 + x2, 213 is x2 * x1 + x3, 231 is x2 * x3 + x1; x1 is
/// overwritten and only x3 may be in memory.
struct FusedIds {
  Ids f132, f213, f231;
};

FusedIds fused_ids(Opcode op) {
  switch (op) {
    case Opcode::fma:
      return {{Id::kIdVfmadd132sd, Id::kIdVfmadd132pd},
              {Id::kIdVfmadd213sd, Id::kIdVfmadd213pd},
              {Id::kIdVfmadd231sd, Id::kIdVfmadd231pd}};
    case Opcode::fms:
      return {{Id::kIdVfmsub132sd, Id::kIdVfmsub132pd},
              {Id::kIdVfmsub213sd, Id::kIdVfmsub213pd},
              {Id::kIdVfmsub231sd, Id::kIdVfmsub231pd}};
    case Opcode::fnma:
      return {{Id::kIdVfnmadd132sd, Id::kIdVfnmadd132pd},
              {Id::kIdVfnmadd213sd, Id::kIdVfnmadd213pd},
              {Id::kIdVfnmadd231sd, Id::kIdVfnmadd231pd}};
    default:
      return {{Id::kIdVfnmsub132sd, Id::kIdVfnmsub132pd},
              {Id::kIdVfnmsub213sd, Id::kIdVfnmsub213pd},
              {Id::kIdVfnmsub231sd, Id::kIdVfnmsub231pd}};
  }
}

class Emission {
 public:
  Emission(const Section& section, std::size_t width)
      : section_(section), width_(width), assembler_(&code_), registers_(section, assembler_, width) {}

  NativeCode run();

 private:
  using Mask = Registers::Mask;
  static Mask bit(int reg) { return Mask{1} << reg; }

  std::uint32_t id(Ids ids) const { return width_ == 1 ? ids.scalar : ids.packed; }
  x86::Vec vector(int reg) const { return registers_.vector(reg); }
  template <class... Operands>
  void emit(Ids ids, const Operands&... operands) {
    assembler_.emit(id(ids), operands...);
  }

  void enter();
  void start_bases();
  void leave();
  std::uint32_t instruction(std::uint32_t i);
  void binary(std::uint32_t i, Ids ids, bool commutes);
  void fused(std::uint32_t i);
  void square_root(std::uint32_t i);
  void masked(std::uint32_t i, std::uint32_t id, std::size_t mask);
  void extremum(std::uint32_t i);
  void sign(std::uint32_t i);
  std::uint32_t batch(std::uint32_t i);
  void gather(std::span<const std::uint32_t> values, std::uint32_t slot);
  void copy(std::uint32_t value, const x86::Mem& to);
  void join(int reg, std::uint32_t low, std::uint32_t high);
  void finish(std::uint32_t i, int reg) {
    registers_.define(i, reg);
    registers_.end_instruction();
  }

  const Section& section_;
  std::size_t width_;
  Code code_;
  x86::Assembler assembler_;
  Registers registers_;
  bool calls_ = false;
};

/// Arguments arrive in rdi, rsi, rdx (System V); across calls they live in registers that callees keep. Three pushes
/// leave the stack aligned to 16 at every call.
void Emission::enter() {
  calls_ = std::ranges::any_of(section_.code, [](const Instruction& one) { return is_call(one.op); });
  registers_.pointers = {x86::rdi, x86::rsi, x86::rdx};
  if (!calls_) return start_bases();
  registers_.pointers = {x86::rbx, x86::r12, x86::r13};
  for (x86::Gp kept : {x86::rbx, x86::r12, x86::r13}) assembler_.push(kept);
  assembler_.mov(x86::rbx, x86::rdi);
  assembler_.mov(x86::r12, x86::rsi);
  assembler_.mov(x86::r13, x86::rdx);
  start_bases();
}

/// Registers that callees do not keep, but the pointers. Values of four lanes are too few in a window.
void Emission::start_bases() {
  if (width_ != 1) return;
  constexpr x86::Gp spare[] = {x86::rax, x86::rcx, x86::r8, x86::r9, x86::r10, x86::r11, x86::rdx, x86::rsi, x86::rdi};
  registers_.bases.start(std::span(spare).first(calls_ ? 9 : 6));
}

/// Outputs that are constants, held values or inputs are copied at the end.
void Emission::leave() {
  for (std::uint32_t i = 0; i < section_.results.size(); ++i) {
    if (section_.results[i] >= section_.first_result()) continue;
    int reg = registers_.load(section_.results[i], 0);
    registers_.write(registers_.output(i), reg);
  }
  if (width_ != 1) assembler_.vzeroupper();
  if (calls_)
    for (x86::Gp kept : {x86::r13, x86::r12, x86::rbx}) assembler_.pop(kept);
  assembler_.ret();
}

NativeCode Emission::run() {
  constexpr std::size_t bytes = 10;  // an instruction, or a little more
  code_.reserveBuffer(&code_.textSection()->buffer(), section_.code.size() * bytes + 256);
  enter();
  for (std::uint32_t i = 0; i < section_.code.size();) i = instruction(i);
  leave();
  if (!code_.error.empty()) throw std::runtime_error("native code: " + code_.error);
  const asmjit::CodeBuffer& buffer = code_.textSection()->buffer();
  NativeCode native;
  native.memory = ExecutableMemory({buffer.data(), buffer.size()});
  native.scratch = registers_.slot_count();
  return native;
}

/// Emits instruction i, or the batch of calls that begins there; returns what comes next.
std::uint32_t Emission::instruction(std::uint32_t i) {
  switch (section_.code[i].op) {
    case Opcode::add: binary(i, {Id::kIdVaddsd, Id::kIdVaddpd}, true); break;
    case Opcode::sub: binary(i, {Id::kIdVsubsd, Id::kIdVsubpd}, false); break;
    case Opcode::mul: binary(i, {Id::kIdVmulsd, Id::kIdVmulpd}, true); break;
    case Opcode::div: binary(i, {Id::kIdVdivsd, Id::kIdVdivpd}, false); break;
    case Opcode::fma:
    case Opcode::fms:
    case Opcode::fnma:
    case Opcode::fnms: fused(i); break;
    case Opcode::sqrt: square_root(i); break;
    case Opcode::neg: masked(i, Id::kIdVxorpd, Masks::sign_bit); break;
    case Opcode::abs: masked(i, Id::kIdVandpd, Masks::magnitude); break;
    case Opcode::sign: sign(i); break;
    case Opcode::min:
    case Opcode::max: extremum(i); break;
    default: return batch(i);
  }
  return i + 1;
}

void Emission::binary(std::uint32_t i, Ids ids, bool commutes) {
  auto [op, a, b, c] = section_.code[i];
  std::uint32_t after = registers_.next().after(i, 1);
  if (commutes && !registers_.has(a) &&
      (registers_.has(b) || registers_.next().after(i, 1) < registers_.next().after(i, 0))) {
    std::swap(a, b);
    after = registers_.next().after(i, 0);
  }
  int first = registers_.load(a, 0);
  asmjit::Operand second = registers_.source(b, after, bit(first));
  registers_.consume(i);
  int result = registers_.acquire(0);
  emit(ids, vector(result), vector(first), second);
  finish(i, result);
}

/// One operand's register is overwritten: one whose value dies, or a copy.
void Emission::fused(std::uint32_t i) {
  NextUse& next = registers_.next();
  struct Side {
    std::uint32_t value, after;
  };
  const Instruction& one = section_.code[i];
  Side a{one.a, next.after(i, 0)}, b{one.b, next.after(i, 1)}, c{one.c, next.after(i, 2)};
  auto has = [&](const Side& side) { return registers_.has(side.value); };
  auto dies = [&](const Side& side) { return has(side) && side.after == NextUse::never; };
  FusedIds ids = fused_ids(one.op);

  bool onto_addend = true;
  int result = -1;
  if (dies(c)) {
    result = registers_.of(c.value);
  } else if (dies(a) || dies(b)) {
    if (!dies(a)) std::swap(a, b);
    onto_addend = false;
    result = registers_.of(a.value);
  } else if (has(c) && !(has(a) && has(b))) {
    if (has(a)) std::swap(a, b);
    onto_addend = false;
  }
  Mask locked = result >= 0 ? bit(result) : 0;
  // x2 must be in a register, x3 may be in memory.
  Side x2 = b, x3 = onto_addend ? a : c;
  if (!has(x2) && (has(x3) || x3.after < x2.after)) std::swap(x2, x3);
  Ids form = onto_addend ? ids.f231 : x3.value == c.value && x2.value == b.value ? ids.f213 : ids.f132;
  int second = registers_.load(x2.value, locked);
  locked |= bit(second);
  asmjit::Operand third = registers_.source(x3.value, x3.after, locked);
  if (third.isReg()) locked |= bit(static_cast<int>(third.as<x86::Vec>().id()));
  if (result < 0) {
    const Side& copied = onto_addend ? c : a;
    if (has(copied)) locked |= bit(registers_.of(copied.value));
    result = registers_.acquire(locked);
    if (has(copied)) {
      assembler_.vmovapd(vector(result), vector(registers_.of(copied.value)));
    } else {
      registers_.read(result, registers_.home(copied.value));
    }
  }
  registers_.consume(i);
  emit(form, vector(result), vector(second), third);
  finish(i, result);
}

void Emission::square_root(std::uint32_t i) {
  asmjit::Operand from = registers_.source(section_.code[i].a, registers_.next().after(i, 0), 0);
  registers_.consume(i);
  int result = registers_.acquire(0);
  if (width_ == 1) {
    assembler_.emit(Id::kIdVsqrtsd, vector(result), from.isReg() ? from.as<x86::Vec>() : vector(result), from);
  } else {
    assembler_.emit(Id::kIdVsqrtpd, vector(result), from);
  }
  finish(i, result);
}

void Emission::masked(std::uint32_t i, std::uint32_t id, std::size_t mask) {
  int from = registers_.load(section_.code[i].a, 0);
  registers_.consume(i);
  int result = registers_.acquire(0);
  assembler_.emit(id, vector(result), vector(from), registers_.mask(mask));
  finish(i, result);
}

/// The machine's min(a, b) is b where they tie or one is NaN: taken both ways round, the two results are joined. An or
/// keeps the sign bit of -0 and makes NaN of NaN and a number; max keeps +0 by an and, which needs the NaNs put back.
void Emission::extremum(std::uint32_t i) {
  const Instruction& one = section_.code[i];
  bool least = one.op == Opcode::min;
  Ids ids = least ? Ids{Id::kIdVminsd, Id::kIdVminpd} : Ids{Id::kIdVmaxsd, Id::kIdVmaxpd};
  int a = registers_.load(one.a, 0);
  int b = registers_.load(one.b, bit(a));
  int result = registers_.acquire(bit(a) | bit(b));
  int other = registers_.acquire(bit(a) | bit(b) | bit(result));
  emit(ids, vector(result), vector(a), vector(b));
  emit(ids, vector(other), vector(b), vector(a));
  if (!least) {
    assembler_.emit(Id::kIdVandpd, vector(result), vector(result), vector(other));
    emit({Id::kIdVcmpsd, Id::kIdVcmppd}, vector(other), vector(a), vector(b), asmjit::imm(3));  // unordered
  }
  assembler_.emit(Id::kIdVorpd, vector(result), vector(result), vector(other));
  registers_.consume(i);
  finish(i, result);
}

/// (a > 0 ? 1 : 0) - (a < 0 ? 1 : 0), with NaN put back.
void Emission::sign(std::uint32_t i) {
  constexpr Ids compare{Id::kIdVcmpsd, Id::kIdVcmppd};
  int a = registers_.load(section_.code[i].a, 0);
  int result = registers_.acquire(bit(a));
  int other = registers_.acquire(bit(a) | bit(result));
  x86::Vec positive = vector(result), negative = vector(other);
  assembler_.emit(Id::kIdVxorpd, negative, negative, negative);
  emit(compare, positive, vector(a), negative, asmjit::imm(30));  // greater, quiet
  emit(compare, negative, vector(a), negative, asmjit::imm(17));  // less, quiet
  assembler_.emit(Id::kIdVandpd, positive, positive, registers_.mask(Masks::one));
  assembler_.emit(Id::kIdVandpd, negative, negative, registers_.mask(Masks::one));
  emit({Id::kIdVsubsd, Id::kIdVsubpd}, positive, positive, negative);
  emit(compare, negative, vector(a), vector(a), asmjit::imm(3));  // unordered
  assembler_.emit(Id::kIdVorpd, positive, positive, negative);
  registers_.consume(i);
  finish(i, result);
}

// ---------------------------------------------------------------------------------------------- calls

void Emission::copy(std::uint32_t value, const x86::Mem& to) {
  int reg = registers_.has(value) ? registers_.of(value) : registers_.acquire(0);
  if (!registers_.has(value)) registers_.read(reg, registers_.home(value));
  registers_.write(to, reg);
}

/// Two scalars side by side in a register that holds no value.
void Emission::join(int reg, std::uint32_t low, std::uint32_t high) {
  x86::Vec pair = vector(reg), first = registers_.has(low) ? vector(registers_.of(low)) : pair;
  if (!registers_.has(low)) registers_.read(reg, registers_.home(low));
  if (low == high) {
    assembler_.emit(Id::kIdVmovddup, pair, first);
  } else if (registers_.has(high)) {
    assembler_.emit(Id::kIdVunpcklpd, pair, first, vector(registers_.of(high)));
  } else {
    assembler_.emit(Id::kIdVmovhpd, pair, first, registers_.home(high));
  }
}

/// Values into neighbouring slots, as functions read them: scalars are joined to whole vectors first, one that is left
/// over stays alone. The last vector is filled up with values that are there, so that nothing but the arguments
/// themselves decides which way a function takes.
void Emission::gather(std::span<const std::uint32_t> values, std::uint32_t slot) {
  const std::size_t most = width_ == 1 ? vector_width : 1;
  for (std::size_t k = 0; k < values.size(); k += most) {
    std::span<const std::uint32_t> part = values.subspan(k, std::min(most, values.size() - k));
    x86::Mem to = registers_.scratch(slot + static_cast<std::uint32_t>(k));
    if (part.size() == 1) {
      copy(part[0], to);
      continue;
    }
    int low = registers_.acquire(0), high = low;
    join(low, part[0], part[1]);
    if (part.size() > 2) {
      high = registers_.acquire(bit(low));
      join(high, part[2], part.back());
    }
    x86::Ymm whole = x86::ymm(static_cast<std::uint32_t>(low));
    assembler_.vinsertf128(whole, whole, x86::xmm(static_cast<std::uint32_t>(high)), 1);
    to.setSize(vector_width * sizeof(double));
    assembler_.vmovupd(to, whole);
  }
}

/// Calls of one function that follow each other are made as one, on arguments gathered in neighbouring slots; the
/// results replace them there. The functions use vectors themselves and leave the upper halves of registers clear.
std::uint32_t Emission::batch(std::uint32_t i) {
  Opcode op = section_.code[i].op;
  std::uint32_t step = op == Opcode::sincos ? 2 : 1;
  auto joins = [&](const Instruction& one) {  // the batch, as it needs nothing that the batch gives
    std::uint32_t own = section_.first_result() + i;
    return one.op == op && one.a < own && (operand_count(op) < 2 || one.b < own);
  };
  std::uint32_t end = i;
  while (end < section_.code.size() && joins(section_.code[end])) end += step;
  std::uint32_t count = (end - i) / step;
  bool two = op == Opcode::sincos || operand_count(op) == 2;
  std::uint32_t first = registers_.allocate_vectors(count);
  std::uint32_t second = two ? registers_.allocate_vectors(count) : first;
  std::vector<std::uint32_t> a, b;
  for (std::uint32_t k = 0; k < count; ++k) {
    a.push_back(section_.code[i + k * step].a);
    b.push_back(section_.code[i + k * step].b);
  }
  gather(a, first);
  if (operand_count(op) == 2) gather(b, second);
  for (std::uint32_t k = 0; k < count; ++k) registers_.consume(i + k * step);
  registers_.save_all();
  assembler_.lea(x86::rdi, registers_.scratch(first));
  assembler_.lea(x86::rsi, registers_.scratch(second));
  assembler_.mov(x86::edx, static_cast<std::uint32_t>(count * width_));
  assembler_.mov(x86::rax, reinterpret_cast<std::uintptr_t>(batch_function(op)));
  assembler_.call(x86::rax);
  start_bases();
  for (std::uint32_t k = 0; k < count; ++k) {
    registers_.define_in_memory(i + k * step, first + k);
    if (op == Opcode::sincos) registers_.define_in_memory(i + k * step + 1, second + k);
  }
  registers_.end_instruction();
  return end;
}

}  // namespace

NativeCode compile_native(const Section& section, std::size_t width) {
  if (width != 1) return Emission(section, width).run();
  const Section scheduled = schedule(section);
  return Emission(scheduled, width).run();
}

}  // namespace dalembert

#else

namespace dalembert {

NativeCode compile_native(const Section&, std::size_t) { return {}; }

}  // namespace dalembert

#endif
