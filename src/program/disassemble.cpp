#include <capstone/capstone.h>
#include <fmt/format.h>

#include <iterator>

#include "program/native.hpp"

namespace dalembert {

Disassembly disassemble(std::span<const std::uint8_t> code) {
  Disassembly result;
  csh handle;
  if (code.empty() || cs_open(CS_ARCH_X86, CS_MODE_64, &handle) != CS_ERR_OK) return result;
  cs_insn* instruction = cs_malloc(handle);
  const std::uint8_t* at = code.data();
  std::size_t left = code.size();
  std::uint64_t address = 0;
  while (cs_disasm_iter(handle, &at, &left, &address, instruction)) {
    fmt::format_to(std::back_inserter(result.text), "{:6x}  {} {}\n", instruction->address, &instruction->mnemonic[0],
                   &instruction->op_str[0]);
    ++result.count;
  }
  cs_free(instruction, 1);
  cs_close(&handle);
  return result;
}

}  // namespace dalembert
