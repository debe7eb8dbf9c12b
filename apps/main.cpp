#include <cstdio>

int main() {
  std::puts("dalembert");
  return 0;
}
