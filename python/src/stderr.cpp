// What asmjit prints its own faults to (python/CMakeLists.txt).

#include <cstdio>

extern "C" {
extern FILE* dalembert_python_stderr;
FILE* dalembert_python_stderr = stderr;
}
