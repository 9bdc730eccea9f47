# The reader's door to the course. Plain `make` says what can be asked for.
# SPDX-License-Identifier: MIT

folder = $(wildcard lessons/$(1)_*)
NUMBERS := $(foreach folder,$(sort $(wildcard lessons/[0-9]*_*)),$(firstword $(subst _, ,$(notdir $(folder)))))

.PHONY: help lessons looks progress pictures stored test check bench mutants fuzz faults format clean web always

help:
	@echo 'make lesson1          run a lesson; flags go into ARGS: make lesson2 ARGS="--text my.txt"'
	@echo 'make lessons          run the whole course, lesson by lesson'
	@echo 'make exercise1        check your answers to the exercises of lesson 1; make exercise1.2: one of them'
	@echo 'make derive1.2        derive gradients line by line, judged at once; make derive1: those of a layer of your own'
	@echo 'make open1.2          exercise 1.2 in $$EDITOR; make watch1.2 checks it at every save'
	@echo 'make hint1.2          the next hint for exercise 1.2'
	@echo 'make solution1.2      our solution of exercise 1.2'
	@echo 'make reset1.2         the exercise as it was given; yours is kept beside it. make reset1: all of the lesson'
	@echo 'make progress         how far you are, one line a lesson; as JSON with ARGS=--json'
	@echo 'make test             does the course work here? only=lesson4: all tests of that name, those of make check, too'
	@echo 'make debug1           lesson 1 for a debugger, with sanitizers (a minute the first time); flags go into ARGS'
	@echo 'make bench            measure the speed'
	@echo 'make web              the lessons for a browser, with knobs that run there; needs Emscripten'
	@echo 'make clean            remove build/'
	@echo 'Lessons here: $(NUMBERS). Another compiler: make CXX=clang++ lesson1. V=1 shows the commands.'
	@echo 'For whoever changes the course (.github/CONTRIBUTING.md): make check seeds1 pictures stored mutants fuzz faults format'

# ------------------------------------------------------------------------------------------------ building

# -ffp-contract=fast lets a*b + c be one instruction, and -fno-math-errno lets square roots run several at a time; neither
# reorders a sum. -O2 with loops turned into vectors is as fast here as -O3, and compiles in four fifths of the time.
# -Wno-restrict: g++ 12 gives that warning wrongly for text + text (its bug 105651).
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
MAKEFLAGS := $(MAKEFLAGS) --no-builtin-rules $(if $(filter 0,$(MAKELEVEL)),$(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS)))

# What computes is optimized: product, softmax, models and training. The frame, the parts and the tests are compiled at
# -Og, in a third of the time, and a folder of small files at once, as one file, in a third of that. Both find headers that
# were read in advance. A lesson's whole.cpp is a program of its own.
objects = $(patsubst %.cpp,build/%.o,$(wildcard $(1)))
COMMON := $(patsubst %,build/common/%/all.o,formula lesson page plot) $(call objects,common/fast/product.cpp common/loss.cpp)
CHECK := $(call objects,common/exercise/[!d]*.cpp)
models = $(call objects,$(call folder,$(1))/models.cpp)
parts = $(patsubst %,build/$(call folder,$(1))%all.o,/ /parts/)
ALL := $(COMMON) $(CHECK) $(foreach n,$(NUMBERS),$(call models,$(n)) $(call parts,$(n)))
FAST := $(call objects,common/fast/product.cpp common/loss.cpp lessons/*/models.cpp)
OWN := common/fast/product.cpp common/loss.cpp %/models.cpp %/whole.cpp

quiet := $(if $(V),,@)
# Where answers are checked, only their verdict is of interest.
checks := $(filter exercise% progress,$(MAKECMDGOALS))
$(if $(checks),$(if $(wildcard $(firstword $(CHECK))),,$(info Building the checks; only the first time takes a minute.)))
say = @$(if $(checks),:,echo '  $@')
compile = $(quiet)sh common/beside.sh $@ $(CXX) @build/flags $(or $(depends),-MMD) -MP
# There the library checks its bounds: a reader's answer that leaves them is told so.
BRIEF := -Og -D_GLIBCXX_ASSERTIONS -include build/frame.hpp

.SECONDEXPANSION:
.SECONDARY:
# The source of an object: of what is compiled as one, a list of the folder's files, which is written only when it changes.
source = $(if $(filter all,$(notdir $(1))),build/)$(1).cpp
# A lesson's equations are compiled with its frame; the small folders of common/ that stand below `lesson` with that one.
beside = $(wildcard tests/equations/$(notdir $(1)).cpp)
build/common/lesson/all.cpp: beside = $(wildcard $(patsubst %,common/%/*.cpp,text fast terminal files data) common/exercise/desk.cpp)
build/%/all.cpp: always
	@mkdir -p $(@D) && printf '#include "%s"\n' $(filter-out $(OWN),$(sort $(call beside,$*)) $(sort $(wildcard $*/*.cpp))) >$@.$$$$ && $(renew)

# Puts what was written beside a file in its place, unless they are the same.
renew = if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi

# What everything was compiled with: flags, compiler, and processor, which -march=native names; and those of the compiler's
# headers that were read in advance, by date and size. A change rebuilds, and nothing else does. build/flags holds those
# flags that this compiler knows.
headers = sed -n 's,^\(/.*\):$$,\1,p' build/frame.hpp.d | \
  { xargs stat -L -c '%Y %s %n' 2>/dev/null || xargs stat -L -f '%m %z %N' 2>/dev/null; }
build/asked: always
	@mkdir -p build && { echo '$(ASKED)'; \
	  LC_ALL=C $(CXX) -\#\#\# $(OPTIMIZE) -S -x c++ /dev/null -o /dev/null 2>&1 | grep -e version -e cc1; } >$@.$$$$; \
	if [ -f build/headers ] && ! { $(headers); } | cmp -s - build/headers; then rm -f build/headers; mv $@ $@.old; fi; \
	if cmp -s $@.$$$$ $@; then rm $@.$$$$; exit; fi; \
	if [ "$$(head -n 1 $@ $@.old 2>/dev/null | grep -c -x -F '$(ASKED)')" -gt 0 ]; then \
	  echo 'The compiler or the processor is another than that of build/: everything is compiled anew.'; \
	fi; \
	for flag in $(OPTIMIZE) $(WARNINGS) $(HASTE); do \
	  echo | $(CXX) -Werror $$flag -fsyntax-only -x c++ - 2>/dev/null && echo "$$flag"; \
	done >build/flags.$$$$; echo '-std=c++20 -pthread -I.' >>build/flags.$$$$; \
	mv build/flags.$$$$ build/flags; mv $@.$$$$ $@; rm -f $@.old
build/flags: build/asked ;

build/frame.hpp.gch: level = -Og -D_GLIBCXX_ASSERTIONS
build/frame.hpp.gch: depends = -MD
build/frame.hpp.gch build/numbers.hpp.gch: build/%.gch: common/lesson/% build/flags
	$(say)
	@echo '#include "$<"' >build/$*.$$$$ && mv build/$*.$$$$ build/$*
	$(compile) $(level) -x c++-header $<
	$(if $(findstring frame,$@),@{ $(headers); } >build/headers.$$$$; mv build/headers.$$$$ build/headers)

$(FAST): build/%.o: %.cpp build/numbers.hpp.gch
	$(say)
	$(compile) -include build/numbers.hpp -c $<

# The style and the script of the pages as literals of C++, line by line, without what stands above their first empty line.
looks: build/looks.inc
build/looks.inc: common/page/page.css common/page/page.js common/page/touch.js
	@mkdir -p $(@D) && for name in style:page.css script:page.js touch:touch.js; do \
	  echo "const std::string_view $${name%:*} ="; \
	  sed -e '1,/^$$/d' -e '/^ *\/\//d' -e 's/^ *//' -e 's/[\"?]/\\&/g' -e 's/.*/"&\\n"/' common/page/$${name#*:} && echo ';' || exit; \
	done >$@.$$$$ && mv $@.$$$$ $@
$(addsuffix /common/page/all.o,build build/debug build/wasm build/fuzz): | build/looks.inc

$(filter-out $(FAST),$(ALL)): build/%.o: $$(call source,%) build/frame.hpp.gch
	$(say)
	$(compile) $(BRIEF) -c $<

# The reader's answers are compiled one by one: of lessons/1_.../answers/ex1_4_dropout.cpp an object in build/exercises/1_...
answers = $(patsubst lessons/%.cpp,%.o,$(subst /answers/,/,$(wildcard $(call folder,$(1))/answers/*.cpp)))
strict := -Werror=return-type -Wno-unused -Wno-unused-parameter -Wno-misleading-indentation
# The reader's header, in a namespace of its own. It is compared at each call with what was read: it may be older, or gone.
build_exercise := common/exercise/build_exercise.sh
given = lessons/$(*D)/exercises/$(*F).hpp
build/exercises/%.hpp: always
	@[ $@ -nt $(build_exercise) ] && cmp -s $(given) $@.read || { mkdir -p $(@D) && sh $(build_exercise) header $(given) >$@.$$$$ && \
	  $(renew) && { cp $(given) $@.given.$$$$ 2>/dev/null || : >$@.given.$$$$; } && mv $@.given.$$$$ $@.read; }
build/exercises/%.o: lessons/$$(*D)/answers/$$(*F).cpp build/exercises/%.hpp build/solutions/%.hpp build/frame.hpp.gch
	$(say)
	$(quiet)sh $(build_exercise) object $@ $< $(CXX) @build/flags $(strict) $(BRIEF)
# What `make solution` prints is checked as well, in one file a lesson.
build/solutions/%.hpp: lessons/$$(*D)/answers/$$(*F).cpp common/exercise/exercise.sh
	@mkdir -p $(@D) && sh common/exercise/exercise.sh text $< >$@.$$$$ && mv $@.$$$$ $@
# Those of lesson 2 train for seconds, in which -O1 wins more than it costs to compile.
build/exercises/2_% build/solutions/2_%: BRIEF = -O1 -D_GLIBCXX_ASSERTIONS
together = $(patsubst %,build/solutions/%/together.o,$(notdir $(call folder,$(1))))
$(foreach n,$(NUMBERS),$(call together,$(n))): build/solutions/%/together.o: build/frame.hpp.gch \
  $$(addprefix build/solutions/$$*/,$$(addsuffix .hpp,$$(basename $$(notdir $$(wildcard lessons/$$*/answers/ex*.cpp)))))
	$(say)
	@sh $(build_exercise) together lessons/$*/answers/ex*.cpp >$(@D)/together.cpp
	$(compile) $(strict) $(BRIEF) -I$(@D) -c $(@D)/together.cpp
# Models first: of a function that several files have compiled the linker takes the first, and theirs is optimized.
link = $(quiet)sh common/beside.sh $@ $(CXX) @build/flags $(filter %.o,$^)

# The same objects for a debugger, in build/debug.
DEBUG_FLAGS := -std=c++20 -O0 -g -fsanitize=address,undefined -fno-sanitize-recover=all -D_GLIBCXX_ASSERTIONS -pthread -I.
debug = $(patsubst build/%,build/debug/%,$(1))
$(call debug,$(ALL)): build/debug/%.o: $$(call source,%)
	$(say)
	$(quiet)sh common/beside.sh $@ $(CXX) $(DEBUG_FLAGS) -MMD -MP -c $<
-include $(wildcard $(addsuffix .d,$(basename $(call debug,$(ALL)))))

# $(1): number of a lesson; $(2): that of the lesson before.
define lesson
.PHONY: lesson$(1) run$(1) debug$(1) exercise$(1) derive$(1)
build/lesson$(1): $(call models,$(1)) $(COMMON) $(call parts,$(1))
	$$(say)
	$$(link)
build/exercise$(1): $(addprefix build/exercises/,$(call answers,$(1)))
build/solution$(1): $(call together,$(1))
build/exercise$(1) build/solution$(1): $(call models,$(1)) $(COMMON) $(CHECK)
build/exercise$(1):
	$$(say)
	$$(quiet)sh $(build_exercise) program $$@ $(call folder,$(1)) '$$(CXX) @build/flags' $$(filter %.o,$$^)
build/solution$(1):
	$$(say)
	$$(link)

lesson$(1): build/lesson$(1)
	@build/lesson$(1) $$(ARGS)
# For a debugger: nothing optimized, everything checked.
debug$(1): build/debug/lesson$(1)
	@build/debug/lesson$(1) $$(ARGS)
build/debug/lesson$(1): $(call debug,$(call models,$(1)) $(COMMON) $(call parts,$(1)))
	$$(say)
	$$(quiet)sh common/beside.sh $$@ $$(CXX) $$(DEBUG_FLAGS) $$^
# For `make lessons`, where nothing is asked. The lesson before comes first, to the screen and to the compiler; what is then built goes unannounced.
run$(1): $(addprefix run,$(2)) build/lesson$(1)
	@build/lesson$(1) $$(ARGS) </dev/null && echo
derive$(1).%: build/lesson$(1)
	@build/lesson$(1) --derive '$$*' || [ $$$$? -eq 1 ]
derive$(1): build/lesson$(1)
	@build/lesson$(1) --derive 0 || [ $$$$? -eq 1 ]
exercise$(1): build/exercise$(1)
	@build/exercise$(1) || [ $$$$? -eq 1 ]
exercise$(1).%: build/exercise$(1)
	@build/exercise$(1) --only '$(1).$$*' || [ $$$$? -eq 1 ]
ifneq ($(filter lessons,$(MAKECMDGOALS))$(2),$(2))
$(if $(2),$(call models,$(1)) $(call parts,$(1)): | build/lesson$(2))
$(if $(2),run$(1): say = @:)
endif
endef
$(foreach n,$(NUMBERS),$(eval $(call lesson,$(n),$(last)))$(eval last := $(n)))

lessons: $(addprefix run,$(NUMBERS))

# Of the tests, a folder is one program, which runs those that are named, and a file test_X.cpp is one; that of a lesson
# looks at its models. What is checked where: tests/run.sh.
GROUPS := $(filter-out equations fuzz,$(patsubst tests/%/,%,$(sort $(dir $(wildcard tests/*/*.cpp)))))
$(foreach g,$(GROUPS),build/tests/$(g)/all.o) build/tests/main.o: build/%.o: $$(call source,%) build/frame.hpp.gch
	$(say)
	$(compile) $(BRIEF) -c $<
$(addprefix build/tests/test_,$(GROUPS)): build/tests/test_%: build/tests/%/all.o build/tests/main.o
$(addprefix build/tests/test_,$(GROUPS)): $(COMMON) $(filter %/exercise.o,$(CHECK))
	$(say)
	$(link)
define test_program
build/tests/$(1): tests/$(1).cpp build/frame.hpp.gch $(COMMON) $(filter %/exercise.o,$(CHECK)) $(foreach n,$(patsubst lesson%,%,$(filter lesson%,$(subst _, ,$(1)))),$(call models,$(n)))
	$$(say)
	$$(compile) $(BRIEF) $$(filter tests/%.cpp %.o,$$^)
endef
$(foreach t,$(patsubst tests/%.cpp,%,$(wildcard tests/test_*.cpp)),$(eval $(call test_program,$(t))))

# The machine's limit is a loop that must be unrolled, which -O2 leaves.
build/tests/bench: tests/bench.cpp build/flags $(COMMON) $(foreach n,$(NUMBERS),$(call models,$(n)))
	$(say)
	$(compile) -O3 $(filter %.cpp %.o,$^)

-include $(wildcard $(addsuffix .d,$(basename $(ALL)) build/frame.hpp build/numbers.hpp) build/exercises/*/*.d build/solutions/*/*.d build/tests/*.d build/tests/*/*.d)

# ------------------------------------------------------------------------------------------------- reading

reset% hint% solution% open%:
	@sh common/exercise/exercise.sh '$(patsubst %$*,%,$@)' '$*'
# The plus hands its jobs to the make that it calls.
watch%:
	+@MAKE='$(MAKE)' sh common/exercise/exercise.sh watch '$*'

progress: $(addprefix build/exercise,$(NUMBERS))
	@for n in $(NUMBERS); do build/exercise$$n $(or $(ARGS),--summary) || [ $$? -eq 1 ] || exit; done

# Makes the runs in tests/stored anew, which take minutes; ARGS=6 those of lesson 6. Tables of READMEs are compared with them.
stored: $(foreach n,$(NUMBERS),build/lesson$(n))
	@python3 tests/test_tables.py build --store $(ARGS)

# Those that the READMEs show, from whole runs at the standard seed. What such a run does not draw comes from the part of
# the section that shows it.
pictures: $(foreach n,$(NUMBERS),build/lesson$(n))
	@for n in $(NUMBERS); do \
	  folder=$$(echo lessons/$${n}_*) from=build/pictures/lesson$$n; \
	  rm -rf "$$folder/pictures" $$from; mkdir -p "$$folder/pictures" $$from; \
	  build/lesson$$n --out $$from > $$from/printed || exit; \
	  for name in $$(sed -n 's,^!\[.*\](pictures/\(.*\.svg\))$$,\1,p' "$$folder/README.md"); do \
	    part=$$(sed -n -e '/^## /h' -e "/](pictures\/$$name)\$$/{g;s/^## \([0-9]*\).*/\1/p;}" "$$folder/README.md"); \
	    [ -f $$from/$$name ] || build/lesson$$n --part "$$part" --out $$from >> $$from/printed || exit; \
	    cp $$from/$$name "$$folder/pictures/" || exit; \
	  done; \
	done

# The same programs as WebAssembly, inside their pages: build/web, a folder that opens from disk or from any server.
EMXX ?= em++
WASM_FLAGS := -std=c++20 -msimd128 -fwasm-exceptions -ffp-contract=off -I. -include common/web/missing.hpp
WASM_LINK := -sMODULARIZE=1 -sEXPORT_NAME=course -sENVIRONMENT=web,worker,node -sEXIT_RUNTIME=1 -sEXPORTED_RUNTIME_METHODS=FS \
  -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=256MB -sTOTAL_STACK=1MB --embed-file common/data/play.txt
texts = $(foreach file,$(call folder,$(1))/README.md $(wildcard $(call folder,$(1))/derive.txt),--embed-file $(file))
wasm = $(patsubst build/%,build/wasm/%,$(1))
$(call wasm,$(FAST)): level = -O3
build/wasm/%.o: level = -O2
build/wasm/%.o: $$(call source,%)
	$(say)
	$(quiet)sh common/beside.sh $@ $(EMXX) $(WASM_FLAGS) $(level) -MMD -MP -c $<
-include $(wildcard $(addsuffix .d,$(basename $(call wasm,$(ALL)))))
define web_lesson
build/wasm/lesson$(1).js: $(call wasm,$(call models,$(1)) $(call parts,$(1)) $(COMMON))
	$$(say)
	$$(quiet)NODE_PATH="$$$$NODE_PATH:/usr/share/nodejs" $$(EMXX) $(WASM_FLAGS) -O2 $(WASM_LINK) $(call texts,$(1)) $$^ -o $$@
build/web/lesson$(1)/index.html: build/lesson$(1) build/wasm/lesson$(1).js $$(wildcard common/web/*.js) common/web/page.sh
	$$(say)
	@sh common/web/page.sh $(1)
endef
$(foreach n,$(NUMBERS),$(eval $(call web_lesson,$(n))))
web:
	@command -v $(EMXX) >/dev/null || { echo 'make web needs em++, the compiler of Emscripten, and it is not here.' >&2; exit 2; }
	@$(MAKE) --no-print-directory $(foreach n,$(NUMBERS),build/web/lesson$(n)/index.html)
	@sh common/web/page.sh

# ------------------------------------------------------------------------------------------------- testing

# tests/run.sh says what is tested where, and with which programs; `make test only=lesson4` takes all whose name holds it.
kind := $(firstword $(filter test check,$(MAKECMDGOALS)))
NEEDED := $(if $(kind),$(shell sh tests/run.sh needs $(lastword $(CXX)) $(kind) '$(only)'))
test check: $(NEEDED)
	@sh tests/run.sh $(lastword $(CXX)) $@ '$(only)'

# Each claim's figures at a range of seeds, and how far its bound is away: make seeds3 ARGS="101 160".
seeds%: build/lesson%
	@python3 tests/seeds.py build $* $(or $(ARGS),101 160)

bench: build/tests/bench
	@build/tests/bench

# For editors: how each file is compiled, the answers with the folder of the exercises.
SOURCES = $(wildcard common/*.cpp common/*/*.cpp lessons/*/*.cpp lessons/*/parts/*.cpp lessons/*/answers/*.cpp tests/*.cpp tests/equations/*.cpp)
compile_commands.json: always
	@{ echo '['; for file in $(SOURCES); do \
	  case $$file in */answers/*) exercises=" -I$${file%/answers/*}/exercises" ;; *) exercises= ;; esac; \
	  printf '{"directory": "%s", "file": "%s", "command": "%s"},\n' \
	    '$(CURDIR)' "$$file" "$(CXX) -std=c++20 -I.$$exercises -c $$file"; \
	done | sed '$$s/,$$//'; echo ']'; } > $@

mutants: $(COMMON) $(CHECK)
	@CXX='$(CXX)' python3 tests/mutants.py $(ARGS)

# Each reader of tests/fuzz/fuzz.cpp runs for SECONDS. What it tries is compiled anew, with sanitizers and counters of
# branches, as an archive, of which the program takes what it calls.
FUZZ_CXX ?= clang++
FUZZ_FLAGS := -std=c++20 -O1 -g -fno-omit-frame-pointer -pthread -I. -fno-sanitize-recover=all
FUZZED := $(patsubst build/%,build/fuzz/%,$(COMMON) $(foreach n,$(NUMBERS),$(call models,$(n))))

$(FUZZED): build/fuzz/%.o: $$(call source,%)
	$(say)
	$(quiet)sh common/beside.sh $@ $(FUZZ_CXX) $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link,address,undefined -MMD -MP -c $<

build/fuzz/fuzz: tests/fuzz/fuzz.cpp $(FUZZED)
	$(say)
	$(quiet)rm -f $@.a && ar crs $@.a $(FUZZED)
	$(quiet)$(FUZZ_CXX) $(FUZZ_FLAGS) -fsanitize=fuzzer,address,undefined -MMD -MP $< $@.a -o $@
-include $(wildcard $(FUZZED:.o=.d) build/fuzz/fuzz.d)

fuzz:
	@sh tests/fuzz/run.sh '$(or $(SECONDS),20)' '$(FUZZ_CXX)' '$(MAKE)'

faults: $(foreach n,$(NUMBERS),build/lesson$(n))
	@sh tests/faults.sh build

format:
	clang-format -i $$(git ls-files '*.hpp' '*.cpp')

clean:
	rm -rf build

# A blank in the middle, as in `make hint 1.2`.
cut := $(firstword $(filter lesson exercise hint solution reset open watch,$(MAKECMDGOALS)))
$(if $(cut),$(error Write it in one word: make $(cut)$(or $(lastword $(filter-out $(cut),$(MAKECMDGOALS))),1)))

# Anything else that is asked for.
.DEFAULT:
	@echo 'There is no $@ here. Lessons: $(NUMBERS). Plain make lists what can be said.' >&2; exit 2
