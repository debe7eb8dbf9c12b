# The project's few commands. Each first installs what is missing of packages.txt (as root or through sudo), then calls
# CMake's presets; nothing is built here that CMake does not know.
.DEFAULT_GOAL := help
.PHONY: help packages configure run build test bench format docs fuzz fuzz-targets clean asan tsan nehalem tidy check-format check-layers

JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60

help:
	@echo "make run     build what the tour needs, and run the tour"
	@echo "make build   build everything (build/dalembert is the command)"
	@echo "make test    build everything and run all tests"
	@echo "make bench   run all benchmarks"
	@echo "make fuzz    fuzz each target for FUZZ_SECONDS=$(FUZZ_SECONDS), then run the long random agreements"
	@echo "make asan    build and run the tests under the address and undefined behaviour sanitizers"
	@echo "make tsan    build the threads' own test and run it under ThreadSanitizer"
	@echo "make nehalem run the programs' tests as on a processor without AVX and FMA (qemu)"
	@echo "make tidy    clang-tidy over the library and the command"
	@echo "make format  clang-format all tracked sources (check-format only looks)"
	@echo "make docs    run the documentation's examples, check its links and quoted files"
	@echo "make clean   remove all build folders"

packages:
	@tools/install_packages

configure: packages
	@cmake --preset release

run: configure
	@cmake --build --preset release -j $(JOBS) --target dalembert
	@examples/tour.sh build

build: configure
	@cmake --build --preset release -j $(JOBS)

test: build
	@ctest --preset release -j $(JOBS)

bench: build
	@for program in build/bench_*; do [ -x "$$program" ] || continue; echo "== $$program"; "$$program" || exit 1; done
	@/usr/bin/python3 -c "import scipy" 2>/dev/null || { echo "== bench/evaluations.py wants python3-scipy"; exit 0; }; \
	  echo "== bench/evaluations.py"; bench/evaluations.py build/dalembert

fuzz-targets: packages
	@cmake --preset fuzz
	@cmake --build --preset fuzz -j $(JOBS) --target fuzzers
	@tools/fuzz build-fuzz $(FUZZ_SECONDS)

fuzz: fuzz-targets build
	@for program in build/long_*; do [ -x "$$program" ] || continue; echo "== $$program"; "$$program" || exit 1; done

asan: packages
	@cmake --preset asan
	@cmake --build --preset asan -j $(JOBS)
	@ctest --preset asan -j $(JOBS)

tsan: packages
	@cmake --preset tsan
	@cmake --build --preset tsan -j $(JOBS)
	@build-tsan/test_threads

nehalem: build
	@qemu-x86_64 -cpu Nehalem build/test_program

tidy: packages
	@cmake --preset tidy
	@cmake --build --preset tidy -j $(JOBS)

format: packages
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format-14 -i

check-format: packages
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format-14 --dry-run -Werror

check-layers: packages
	@python3 tools/check_layers.py

docs: build
	@python3 tools/check_docs.py

clean:
	rm -rf build build-*
