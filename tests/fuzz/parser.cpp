// Any text is either refused with an error or parses to an expression whose text parses back to the same node.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <dalembert/formula.hpp>
#include <dalembert/print.hpp>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  dalembert::Graph graph;
  try {
    const dalembert::Expr expression = parse_expression(graph, text);
    if (parse_expression(graph, to_text(expression)) != expression) std::abort();
  } catch (const dalembert::InputError&) {
    return 0;
  }
  return 0;
}
