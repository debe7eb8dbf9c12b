#include <algorithm>

#include "memory.hpp"
#include "output.hpp"
#include "run.hpp"
#include "stop.hpp"

int main(int count, char** values) {
  open_streams();
  end_on_stops();
  make_room_on_the_stack();
  end_where_memory_ends();
  return run_dalembert(std::vector<std::string>(values + std::min(count, 1), values + count));
}
