# The project's few commands. Each first installs what is missing of packages.txt (as root or through sudo), then calls
# CMake's presets; nothing is built here that CMake does not know.
.DEFAULT_GOAL := help
.PHONY: help packages configure run build test bench bench-packages bench-quick format docs fuzz fuzz-targets fuzz-texts clean asan tsan nehalem tidy check-format check-layers viewer viewer-packages gallery python check-python notebooks

JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60

help:
	@echo "make run     build what the tour needs, and run the tour"
	@echo "make build   build everything (build/dalembert is the command)"
	@echo "make test    build everything and run all tests"
	@echo "make bench   run all benchmarks, beside other engines (installs MuJoCo, Simbody, DART and SymPy); bench-quick: two minutes, without"
	@echo "make fuzz    fuzz each target for FUZZ_SECONDS=$(FUZZ_SECONDS), then run the long random agreements"
	@echo "make asan    build and run the tests under the address and undefined behaviour sanitizers"
	@echo "make tsan    build the threads' own test and run it under ThreadSanitizer"
	@echo "make nehalem run the programs' tests as on a processor without AVX and FMA (qemu)"
	@echo "make tidy    clang-tidy over the library and the command"
	@echo "make format  clang-format all tracked sources (check-format only looks)"
	@echo "make docs    run the documentation's examples, check its links and quoted files"
	@echo "make viewer  build the page's script and style anew, compare them with viewer/dist, test them and the pages"
	@echo "make gallery a page of every bundled model in build/gallery/"
	@echo "make python  build the Python package in build/python"
	@echo "make check-python  its tests with all extras: wheel, types, SymPy, plots"
	@echo "make notebooks  execute docs/notebooks, into build/notebooks/*.html"
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

# Only here are other engines needed: those that the benchmarks stand beside.
bench-packages:
	@tools/install_packages libmujoco-dev libsimbody-dev libdart-dev libdart-external-ikfast-dev python3-sympy

bench: bench-packages build
	@cmake --build --preset release -j $(JOBS) --target bench_peers
	@for program in build/bench_*; do [ -x "$$program" ] && [ "$$program" != build/bench_quick ] || continue; \
	  echo "== $$program"; "$$program" || exit 1; done
	@build/bench_quick bench/recorded.txt
	@echo "== bench/peers/derivation.py"; bench/peers/derivation.py build/dalembert
	@/usr/bin/python3 -c "import scipy" 2>/dev/null || { echo "== bench/evaluations.py wants python3-scipy"; exit 0; }; \
	  echo "== bench/evaluations.py"; bench/evaluations.py build/dalembert

bench-quick: configure
	@cmake --build --preset release -j $(JOBS) --target bench_quick --target bench_ensemble
	@build/bench_ensemble
	@build/bench_quick bench/recorded.txt

fuzz-texts fuzz-targets: packages
	@cmake --preset fuzz
	@cmake --build --preset fuzz -j $(JOBS) --target $(if $(filter fuzz-texts,$@),fuzzers_of_texts,fuzzers)
	@tools/fuzz build-fuzz $(FUZZ_SECONDS) $(if $(filter fuzz-texts,$@),canonical formula model)

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

# Only here are Node.js and a browser needed: viewer/dist is committed. Whoever has the commands needs no packages.
viewer-packages:
	@missing=""; for each in node:nodejs npm:npm chromium:chromium; do \
	  command -v $${each%%:*} >/dev/null || missing="$$missing $${each#*:}"; done; \
	  [ -z "$$missing" ] || tools/install_packages $$missing

viewer: configure viewer-packages
	@cmake --build --preset release -j $(JOBS) --target dalembert
	@cd viewer && npm ci --no-audit --no-fund --silent && npm run --silent check && npm run --silent compare && \
	  npm run --silent test && npm run --silent browser

gallery: configure
	@cmake --build --preset release -j $(JOBS) --target dalembert
	@build/dalembert gallery -o build/gallery

python: configure
	@cmake --build --preset release -j $(JOBS) --target dalembert_python
	@PYTHONPATH=build/python /usr/bin/python3 -c "import dalembert; print('dalembert', dalembert.__version__, 'is in build/python: PYTHONPATH=build/python python3')"

# Only here are the extras needed.
check-python: python
	@tools/install_packages python3-pip python3-venv mypy python3-sympy python3-matplotlib python3-pandas
	@cd python/tests && PYTHONPATH=$(CURDIR)/build/python PYTHONDONTWRITEBYTECODE=1 DALEMBERT_ALL_EXTRAS=1 \
	  /usr/bin/python3 -m pytest -q -p no:cacheprovider

notebooks: python
	@tools/install_packages python3-nbconvert python3-ipykernel python3-matplotlib python3-sympy
	@PATH=/usr/bin:$$PATH PYTHONPATH=$(CURDIR)/build/python PYTHONDONTWRITEBYTECODE=1 PYDEVD_DISABLE_FILE_VALIDATION=1 \
	  /usr/bin/python3 -m nbconvert --execute --to html --log-level WARN --output-dir build/notebooks docs/notebooks/*.ipynb

clean:
	rm -rf build build-*
