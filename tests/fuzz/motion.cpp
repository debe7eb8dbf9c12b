// Any text that is a model moves, or is refused with a reason: no column is short, no number is missing in a run that
// says it finished.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <dalembert/dalembert.hpp>

using namespace dalembert;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const WorkLimit limit(2e6);  // about 20 ms without the sanitizers
    const Model model = make_model(parse_description({reinterpret_cast<const char*>(data), size}, "fuzz.toml"));
    const System system(derive_multipliers(model));
    const Trajectory run = system.simulate({.until = 0.5, .every = 0.1});
    const std::size_t rows = run["t"].size();
    for (const Coordinate& coordinate : model.coordinates) {
      const std::span<const double> column = run[coordinate.name];
      if (column.size() != rows) std::abort();
      for (double value : column)
        if (run && !std::isfinite(value)) std::abort();
    }
  } catch (const InputError&) {
  } catch (const ComputationError&) {
  }
  return 0;
}
