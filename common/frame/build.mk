# How things are compiled, for the Makefile that includes this. What a reader asks for stands there.
# SPDX-License-Identifier: MIT

folder = $(wildcard lessons/$(1)_*)
NUMBERS := $(foreach folder,$(sort $(wildcard lessons/[0-9]*_*)),$(firstword $(subst _, ,$(notdir $(folder)))))
LESSONS := $(addprefix build/lesson,$(NUMBERS))

# What `sudo make` left behind belongs to root, and whatever is made next cannot take its place.
locked := $(if $(filter-out help clean,$(MAKECMDGOALS)),$(shell find build 2>/dev/null | while read -r file; do \
  [ -w "$$file" ] || { echo "$$file"; break; }; done))
$(if $(locked),$(error $(locked) is not yours to write, as after sudo make: say sudo make clean once, then make without sudo))

# ------------------------------------------------------------------------------------------ flags

# -ffp-contract=fast lets a*b + c be one instruction, and -fno-math-errno lets square roots run several at a time; neither
# reorders a sum. -O2 with loops turned into vectors is as fast here as -O3, and compiles in four fifths of the time.
# -Wno-restrict: g++ 12 gives that warning wrongly for text + text (its bug 105651). CMakeLists.txt reads these two lines.
OPTIMIZE ?= -O2 -ftree-vectorize -fvect-cost-model=dynamic -finline-functions -march=native -ffp-contract=fast -fno-math-errno
WARNINGS ?= -Wall -Wextra -Wno-restrict
# g++ looks for memory to free less often, in a tenth less time, with 40 MB more. Other compilers do not know this flag.
HASTE := --param=ggc-min-heapsize=300000
ASKED = $(CXX) $(OPTIMIZE) $(WARNINGS)

# As many jobs as there are processors, but no more than fit into memory, which a container may limit: the largest takes
# JOB_MB. Unless the caller says how many.
JOB_MB := 450
JOBS := $(shell { nproc || sysctl -n hw.ncpu || echo 2; cat $(or $(MEMORY_FILES),/proc/meminfo /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes) || \
    sysctl hw.memsize; } 2>/dev/null | awk 'NR == 1 { jobs = $$1; next } \
  /^MemTotal:/ { mb = $$2 / 1024 } /^hw.memsize/ { mb = $$2 / 1048576 } /^[0-9]+$$/ { mb = $$1 / 1048576 } \
  mb && jobs > mb / $(JOB_MB) { jobs = int(mb / $(JOB_MB)) } END { print jobs < 1 ? 1 : jobs }')
# In front of what make was called with: there a `--` ends the flags as soon as a variable is given. The first word may
# be letters alone.
dash := $(if $(filter-out -%,$(firstword $(MAKEFLAGS))),$(if $(findstring =,$(firstword $(MAKEFLAGS))),,-))
MAKEFLAGS := --no-builtin-rules $(if $(filter 0,$(MAKELEVEL)),$(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))) $(dash)$(MAKEFLAGS)

# What everything was compiled with: flags, compiler, and processor, which -march=native names. A change rebuilds, and
# nothing else does. build/flags holds those flags that this compiler knows.
build/asked: always
	@mkdir -p build && { echo '$(ASKED)'; \
	  LC_ALL=C $(CXX) -\#\#\# $(OPTIMIZE) -S -x c++ /dev/null -o /dev/null 2>&1 | grep -e version -e cc1; } >$@.$$$$; \
	if cmp -s $@.$$$$ $@; then rm $@.$$$$; exit; fi; \
	if head -n 1 $@ 2>/dev/null | grep -q -x -F '$(ASKED)'; then \
	  echo 'The compiler or the processor is another than that of build/: everything is compiled anew.' >&2; \
	fi; \
	for flag in $(OPTIMIZE) $(WARNINGS) $(HASTE); do \
	  echo | $(CXX) -Werror $$flag -fsyntax-only -x c++ - 2>/dev/null && echo "$$flag"; \
	done >build/flags.$$$$; echo '-std=c++20 -pthread -I.' >>build/flags.$$$$; \
	mv build/flags.$$$$ build/flags; mv $@.$$$$ $@
build/flags: build/asked ;

# ---------------------------------------------------------------------------------------- objects

# What computes is optimized: product, softmax, models and training. The frame, the parts and the tests are compiled at
# -Og, in a third of the time, and a folder of small files at once, as one file, in a third of that, with headers that were
# read in advance. There the library checks its bounds: a reader's answer that leaves them is told so.
ADVANCE := -Og -D_GLIBCXX_ASSERTIONS
BRIEF := $(ADVANCE) -include build/frame.hpp
objects = $(patsubst %.cpp,build/%.o,$(wildcard $(1)))
models = $(call objects,$(call folder,$(1))/models.cpp)
parts = $(patsubst %,build/$(call folder,$(1))%all.o,/ /parts/)
NUMERIC := $(call objects,common/fast/product.cpp common/loss.cpp)
COMMON := $(patsubst %,build/common/%/all.o,frame/formula derive frame/lesson frame/page frame/plot) $(NUMERIC)
CHECK := build/common/frame/exercise/all.o
ALL := $(COMMON) $(CHECK) $(call objects,lessons/exercises.cpp) $(foreach n,$(NUMBERS),$(call models,$(n)) $(call parts,$(n)))
FAST := $(NUMERIC) $(call objects,lessons/*/models.cpp)

quiet := $(if $(V),,@)
# Where answers are checked, only their verdict is of interest.
checks := $(filter exercise% grade% progress,$(MAKECMDGOALS))
$(if $(checks),$(if $(wildcard $(CHECK)),,$(shell echo 'Building the checks; only the first time takes a minute.' >&2)))
say = @$(if $(checks),:,echo '  $@')
beside := sh common/frame/beside.sh
compile = $(quiet)$(beside) $@ $(CXX) @build/flags -MMD -MP
# Models first: of a function that several files have compiled the linker takes the first, and theirs is optimized.
link = $(quiet)$(beside) $@ $(CXX) @build/flags $(filter %.o,$^)
# Puts what was written beside a file in its place, unless they are the same.
renew = if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi

.SECONDEXPANSION:
.SECONDARY:
# The source of an object: of a folder that is compiled as one, a list of its files, which is written only when it changes.
# The frame's small folders are compiled with `lesson`, a lesson's equations with its lesson.cpp.
source = $(if $(filter all,$(notdir $(1))),build/)$(1).cpp
beside_of = $(if $(filter %/parts,$(1)),,$(wildcard tests/equations/$(notdir $(1)).cpp))
build/common/frame/lesson/all.cpp: beside_of = $(wildcard $(patsubst %,common/%/*.cpp,fast data frame/text frame/terminal frame/files))
OWN := common/fast/product.cpp %/models.cpp %/whole.cpp
build/%/all.cpp: always
	@mkdir -p $(@D) && printf '#include "%s"\n' $(filter-out $(OWN),$(sort $(call beside_of,$*)) $(sort $(wildcard $*/*.cpp))) >$@.$$$$ && $(renew)

build/frame.hpp.gch: common/frame/lesson/frame.hpp build/flags
	$(say)
	@echo '#include "$<"' >build/frame.hpp.$$$$ && mv build/frame.hpp.$$$$ build/frame.hpp
	$(compile) $(ADVANCE) -x c++-header $<
$(FAST): build/%.o: %.cpp build/flags
	$(say)
	$(compile) -c $<
$(filter-out $(FAST),$(ALL)): build/%.o: $$(call source,%) build/frame.hpp.gch
	$(say)
	$(compile) $(BRIEF) -c $<

# The same objects for a debugger, in build/debug: nothing optimized, everything checked.
DEBUG_FLAGS := -std=c++20 -O0 -g -fsanitize=address,undefined -fno-sanitize-recover=all -D_GLIBCXX_ASSERTIONS -pthread -I.
debug = $(patsubst build/%,build/debug/%,$(1))
$(call debug,$(ALL)): build/debug/%.o: $$(call source,%)
	$(say)
	$(quiet)$(beside) $@ $(CXX) $(DEBUG_FLAGS) -MMD -MP -c $<

# -------------------------------------------------------------------------- lessons and exercises

# The reader's answers are compiled one by one: of lessons/1_.../answers/ex1_7_dropout.cpp an object in build/exercises/1_...
answers = $(patsubst lessons/%.cpp,%.o,$(subst /answers/,/,$(wildcard $(call folder,$(1))/answers/*.cpp)))
strict := -Werror=return-type -Wno-unused -Wno-unused-parameter -Wno-misleading-indentation
# The reader's header, in a namespace of its own: looked at at each call, as it may have any date, or be gone. Where files
# have whole seconds, one that changed waits until it is newer than the object of the last text.
build_exercise := common/frame/exercise/build_exercise.sh
build/exercises/%.hpp: always
	@mkdir -p $(@D) && sh $(build_exercise) header lessons/$(*D)/exercises/$(*F).hpp >$@.$$$$ || exit; \
	if cmp -s $@.$$$$ $@; then rm $@.$$$$; exit; fi; mv $@.$$$$ $@; \
	for wait in 1 2 3; do [ $(@:.hpp=.o) -ot $@ ] || [ ! -e $(@:.hpp=.o) ] || { sleep 1; touch $@; }; done
build/exercises/%.o: lessons/$$(*D)/answers/$$(*F).cpp build/exercises/%.hpp build/solutions/%.hpp build/frame.hpp.gch
	$(say)
	$(quiet)sh $(build_exercise) object $@ $< $(CXX) @build/flags $(strict) $(BRIEF)
# What `make solution` prints is checked as well, in one file a lesson.
build/solutions/%.hpp: lessons/$$(*D)/answers/$$(*F).cpp common/frame/exercise/exercise.sh
	@mkdir -p $(@D) && sh common/frame/exercise/exercise.sh text $< >$@.$$$$ && mv $@.$$$$ $@
# Those of lesson 2 train for seconds, in which -O1 wins more than it costs to compile.
build/exercises/2_% build/solutions/2_%: BRIEF = -O1 -D_GLIBCXX_ASSERTIONS
together = $(patsubst %,build/solutions/%/together.o,$(notdir $(call folder,$(1))))
$(foreach n,$(NUMBERS),$(call together,$(n))): build/solutions/%/together.o: build/frame.hpp.gch \
  $$(addprefix build/solutions/$$*/,$$(addsuffix .hpp,$$(basename $$(notdir $$(wildcard lessons/$$*/answers/ex*.cpp)))))
	$(say)
	@sh $(build_exercise) together lessons/$*/answers/ex*.cpp >$(@D)/together.cpp
	$(compile) $(strict) $(BRIEF) -I$(@D) -c $(@D)/together.cpp

# $(1): number of a lesson; $(2): that of the lesson before. Of `make lessons` the first is on the screen before the second
# is compiled.
define programs
build/lesson$(1): $(call models,$(1)) $(COMMON) $(call parts,$(1))
	$$(say)
	$$(link)
build/debug/lesson$(1): $(call debug,$(call models,$(1)) $(COMMON) $(call parts,$(1)))
	$$(say)
	$$(quiet)$(beside) $$@ $$(CXX) $$(DEBUG_FLAGS) $$^
build/exercise$(1): $(addprefix build/exercises/,$(call answers,$(1)))
build/solution$(1): $(call together,$(1))
build/exercise$(1) build/solution$(1): $(call models,$(1)) $(COMMON) $(CHECK) $(call objects,lessons/exercises.cpp)
build/exercise$(1):
	$$(say)
	$$(quiet)sh $(build_exercise) program $$@ $(call folder,$(1)) '$$(CXX) @build/flags' $$(filter %.o,$$^)
build/solution$(1):
	$$(say)
	$$(link)
$(if $(2),run$(1): run$(2))
$(if $(and $(2),$(filter lessons,$(MAKECMDGOALS))),run$(1): say = @:)
$(if $(and $(2),$(filter lessons,$(MAKECMDGOALS))),$(call models,$(1)) $(call parts,$(1)): | build/lesson$(2))
endef
$(foreach n,$(NUMBERS),$(eval $(call programs,$(n),$(last)))$(eval last := $(n)))

# ------------------------------------------------------------------------------------------ tests

# A folder is one program, which runs those that are named, and a file test_X.cpp is one; that of a lesson looks at its
# models.
GROUPS := $(filter-out equations fuzz,$(patsubst tests/%/,%,$(sort $(dir $(wildcard tests/*/*.cpp)))))
$(foreach g,$(GROUPS),build/tests/$(g)/all.o) build/tests/main.o: build/%.o: $$(call source,%) build/frame.hpp.gch
	$(say)
	$(compile) $(BRIEF) -c $<
$(addprefix build/tests/test_,$(GROUPS)): build/tests/test_%: build/tests/%/all.o build/tests/main.o $(COMMON) $(CHECK)
	$(say)
	$(link)
define test_program
build/tests/$(1): tests/$(1).cpp build/frame.hpp.gch $(COMMON) $(CHECK) $(foreach n,$(patsubst lesson%,%,$(filter lesson%,$(subst _, ,$(1)))),$(call models,$(n)))
	$$(say)
	$$(compile) $(BRIEF) $$(filter tests/%.cpp %.o,$$^)
endef
$(foreach t,$(patsubst tests/%.cpp,%,$(wildcard tests/test_*.cpp)),$(eval $(call test_program,$(t))))

# The machine's limit is a loop that must be unrolled, which -O2 leaves.
build/tests/bench: tests/bench.cpp build/flags $(COMMON) $(foreach n,$(NUMBERS),$(call models,$(n)))
	$(say)
	$(compile) -O3 $(filter %.cpp %.o,$^)

# For the fuzzer everything is compiled anew, with sanitizers and counters of branches, as an archive, of which the program
# takes what it calls.
FUZZ_CXX ?= clang++
FUZZ_FLAGS := -std=c++20 -O1 -g -fno-omit-frame-pointer -pthread -I. -fno-sanitize-recover=all
FUZZED := $(patsubst build/%,build/fuzz/%,$(COMMON) $(foreach n,$(NUMBERS),$(call models,$(n))))
$(FUZZED): build/fuzz/%.o: $$(call source,%)
	$(say)
	$(quiet)$(beside) $@ $(FUZZ_CXX) $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link,address,undefined -MMD -MP -c $<
build/fuzz/fuzz: tests/fuzz/fuzz.cpp $(FUZZED)
	$(say)
	$(quiet)rm -f $@.a && ar crs $@.a $(FUZZED)
	$(quiet)$(FUZZ_CXX) $(FUZZ_FLAGS) -fsanitize=fuzzer,address,undefined -MMD -MP $< $@.a -o $@

# -------------------------------------------------------------------------------- the web, editors

EMXX ?= em++
WASM_FLAGS := -std=c++20 -msimd128 -fwasm-exceptions -ffp-contract=off -I. -include common/frame/web/missing.hpp
WASM_LINK := -sMODULARIZE=1 -sEXPORT_NAME=course -sENVIRONMENT=web,worker,node -sEXIT_RUNTIME=1 -sEXPORTED_RUNTIME_METHODS=FS \
  -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=256MB -sTOTAL_STACK=1MB
# What a lesson's program reads. It knows the course by its last page; the play is for language models.
texts = lessons/CLOSING.md $(call folder,$(1))/README.md $(wildcard $(call folder,$(1))/derive.txt) \
  $(if $(filter 2 6,$(1)),common/data/play.txt)
wasm = $(patsubst build/%,build/wasm/%,$(1))
$(call wasm,$(FAST)): level = -O3
# What computes little is compiled small, which takes a fifth off a program.
$(call wasm,$(filter-out $(NUMERIC),$(COMMON))): level = -Oz
build/wasm/%.o: level = -O2
# A tenth less of a program, for what mostly prints; what trains is compiled with the models.
build/wasm/lessons/%/parts/all.o: level = -Os
build/wasm/%.o: $$(call source,%)
	$(say)
	$(quiet)$(beside) $@ $(EMXX) $(WASM_FLAGS) $(level) -MMD -MP -c $<
build/wasm/lesson%.js: $$(call wasm,$$(call models,$$*) $$(call parts,$$*) $(COMMON)) $$(call texts,$$*)
	$(say)
	$(quiet)NODE_PATH="$$NODE_PATH:/usr/share/nodejs" $(EMXX) $(WASM_FLAGS) -O2 $(WASM_LINK) $(patsubst %,--embed-file %,$(call texts,$*)) $(filter %.o,$^) -o $@
# Its style and scripts are read when a page is written.
build/web/lesson%/index.html: build/lesson% build/wasm/lesson%.js $(wildcard common/frame/web/* common/frame/page/*.css common/frame/page/*.js)
	$(say)
	@sh common/frame/web/page.sh $*

# A source that is gone, or has moved, but that notes of an older state in build/ name: what was made of it is made anew.
common/% lessons/% tests/%: ;

every := $(ALL) $(call debug,$(ALL)) $(call wasm,$(ALL)) $(FUZZED) build/fuzz/fuzz.o build/frame.hpp.o
-include $(wildcard $(every:.o=.d) build/exercises/*/*.d build/solutions/*/*.d build/tests/*.d build/tests/*/*.d)
