# The reader's door to the course. Plain `make` lists what can be said here.
# SPDX-License-Identifier: MIT

# Flags that this compiler does not know are left out. -ffp-contract=fast lets a*b + c be one instruction, and
# -fno-math-errno lets square roots run several at a time; neither reorders a sum.
OPTIMIZE ?= -O3 -march=native -ffp-contract=fast -fno-math-errno
# -Wno-restrict: g++ 12 gives that warning wrongly for text + text (its bug 105651).
WARNINGS ?= -Wall -Wextra -Wno-restrict
knows = $(shell echo | $(CXX) -Werror $(1) -fsyntax-only -x c++ - 2>/dev/null && echo '$(1)')
FLAGS := -std=c++20 $(foreach flag,$(OPTIMIZE) $(WARNINGS),$(call knows,$(flag))) -pthread -I.

NUMBERS := $(foreach folder,$(sort $(wildcard lessons/[0-9]*_*)),$(firstword $(subst _, ,$(notdir $(folder)))))
folder = $(wildcard lessons/$(1)_*)
checks = $(foreach n,$(NUMBERS),$(if $(wildcard $(call folder,$(n))/exercises/check.cpp),$(n)))

.PHONY: help lessons progress test bench mutants format clean
.SECONDARY:
MAKEFLAGS += --no-builtin-rules  # `make hint` must not end up at hint%, by way of hint.o

help:
	@echo 'make lesson1          run a lesson; flags go into ARGS: make lesson2 ARGS="--text my.txt"'
	@echo 'make lessons          run the whole course, lesson by lesson'
	@echo 'make exercise1        check your answers to the exercises of lesson 1'
	@echo 'make hint1.2          the next hint for exercise 1.2'
	@echo 'make solution1.2      our solution of exercise 1.2'
	@echo 'make progress         how far you are, one line a lesson'
	@echo 'make test             test the course itself'
	@echo 'make mutants          spoil each line that computes a gradient and see a test notice'
	@echo 'make bench            measure the speed; writes build/bench.json'
	@echo 'make clean            remove build/'
	@echo 'Lessons here: $(NUMBERS). Another compiler: make CXX=clang++ lesson1'

# ------------------------------------------------------------------------------------------------ building

# Holds the compiler and its flags; touched only when they change, so that a change rebuilds and nothing else does.
build/flags: always
	@mkdir -p build
	@echo '$(CXX) $(FLAGS)' | cmp -s - $@ || echo '$(CXX) $(FLAGS)' > $@
.PHONY: always

# $(1): program, $(2): source, $(3): further flags. -MMD notes the headers that were read, so that a change in one rebuilds.
# The notes have an empty recipe, or make would try to remake build/solution1.d by the rule for solution%.
define program
$(1): $(2) build/flags
	@mkdir -p $$(dir $$@)
	$(CXX) $(FLAGS) $(3) $(2) -o $$@ -MMD -MP -MF $$@.d
$(1).d: ;
-include $(1).d
endef

$(foreach n,$(NUMBERS),$(eval $(call program,build/lesson$(n),$(call folder,$(n))/main.cpp,)))
# Exercises are compiled again and again and compute little: -O1 takes half the time to compile.
$(foreach n,$(checks),$(eval $(call program,build/exercise$(n),$(call folder,$(n))/exercises/check.cpp,-O1 -I$(call folder,$(n))/exercises)))
$(foreach n,$(checks),$(eval $(call program,build/solution$(n),$(call folder,$(n))/exercises/check.cpp,-O1 -I$(call folder,$(n))/solutions)))
TESTS := $(patsubst tests/%.cpp,%,$(wildcard tests/test_*.cpp))
$(foreach t,$(TESTS) bench mutants,$(eval $(call program,build/tests/$(t),tests/$(t).cpp,)))

# ------------------------------------------------------------------------------------------------- reading

define lesson
.PHONY: lesson$(1)
lesson$(1): build/lesson$(1)
	@build/lesson$(1) $$(ARGS)
endef
$(foreach n,$(NUMBERS),$(eval $(call lesson,$(n))))

lessons: $(foreach n,$(NUMBERS),build/lesson$(n))
	@for n in $(NUMBERS); do build/lesson$$n $(ARGS) || exit; echo; done

define exercise
.PHONY: exercise$(1)
exercise$(1): build/exercise$(1)
	@build/exercise$(1)
endef
$(foreach n,$(checks),$(eval $(call exercise,$(n))))

hint%:
	@sh common/support/exercise.sh hint '$*'

solution%:
	@sh common/support/exercise.sh solution '$*'

progress: $(foreach n,$(checks),build/exercise$(n))
	@for n in $(checks); do build/exercise$$n --summary || [ $$? -eq 1 ] || exit; done

# ------------------------------------------------------------------------------------------------- testing

# A folder for each compiler, since CMake keeps the one it was configured with. CMAKE=none is as if cmake were missing.
CMAKE = cmake
CMAKE_BUILD = build/cmake-$(notdir $(lastword $(CXX)))
test:
	@if command -v '$(CMAKE)' >/dev/null; then \
	  CXX='$(CXX)' $(CMAKE) -S . -B $(CMAKE_BUILD) $(CMAKE_ARGS) && $(CMAKE) --build $(CMAKE_BUILD) -j 2 && \
	  ctest --test-dir $(CMAKE_BUILD) --output-on-failure -j 2; \
	else \
	  echo 'cmake is not here, so make builds and runs the same programs itself.'; \
	  $(MAKE) --no-print-directory -j 2 test-without-cmake; \
	fi

TEST_PROGRAMS = $(foreach t,$(TESTS) bench,build/tests/$(t)) $(foreach n,$(NUMBERS),build/lesson$(n)) \
  $(foreach n,$(checks),build/exercise$(n) build/solution$(n))
.PHONY: test-without-cmake
test-without-cmake: $(TEST_PROGRAMS)
	@sh tests/run_without_cmake.sh $(lastword $(CXX))

bench: build/tests/bench
	@build/tests/bench build/bench.json

mutants: build/tests/mutants
	@build/tests/mutants '$(CXX)'

format:
	clang-format -i $$(git ls-files '*.hpp' '*.cpp')

clean:
	rm -rf build

# Anything else that is asked for.
.DEFAULT:
	@echo 'There is no $@ here. Lessons: $(NUMBERS). Plain make lists what can be said.' >&2; exit 2
