// Any text is either refused with a ModelError or loads as a model that, written and read again, has as many parts.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <dalembert/model/description.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const dalembert::Description description = dalembert::parse_description(text, "fuzz.toml");
    const dalembert::Model model = dalembert::make_model(description);
    const dalembert::Model again = dalembert::make_model(dalembert::parse_description(write_toml(description)));
    if (again.graph->size() != model.graph->size() || again.constraints.size() != model.constraints.size())
      std::abort();
  } catch (const dalembert::ModelError&) {
    return 0;
  }
  return 0;
}
