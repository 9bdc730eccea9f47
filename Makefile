# The reader's door to the course. Plain `make` says what can be asked for. How things are compiled:
# common/frame/build.mk.
# SPDX-License-Identifier: MIT

.PHONY: help lessons sheets archive progress test check bench web stored pictures mutants fuzz faults format clean always

help:
	@echo 'make lesson1          run a lesson; flags go into ARGS: make lesson2 ARGS="--text my.txt"'
	@echo 'make lessons          run the whole course, lesson by lesson'
	@echo 'make exercise1        check your answers to the exercises of lesson 1; make exercise1.5: one of them'
	@echo 'make grade1           the same for who marks: an error unless all are right; as JSON with ARGS=--json; grade1.5: one'
	@echo 'make derive1.5        derive gradients line by line, judged at once; make derive1: those of a layer of your own'
	@echo 'make open1.5          exercise 1.5 in $$EDITOR or $$VISUAL; make watch1.5 checks it at every save'
	@echo 'make hint1.5          the next hint for exercise 1.5'
	@echo 'make solution1.5      our solution of exercise 1.5'
	@echo 'make reset1.5         the exercise as it was given; yours is kept beside it. make reset1: all of the lesson'
	@echo 'make progress         how far you are, one line a lesson; as JSON with ARGS=--json'
	@echo 'make test             does the course work here? only=lesson4: all tests of that name, those of make check, too'
	@echo 'make sheets           the questions of all lessons on paper, with the answers on pages of their own'
	@echo 'make debug1           lesson 1 for a debugger, with sanitizers (a minute the first time); flags go into ARGS'
	@echo 'make bench            measure the speed'
	@echo 'make web              the lessons for a browser, with knobs that run there; needs Emscripten'
	@echo 'make archive          the course with its pages in one file, build/course-....tar.gz, for a room without a network'
	@echo 'make clean            remove build/'
	@echo 'Lessons here: $(NUMBERS). Another compiler: make CXX=clang++ lesson1. V=1 shows the commands.'
	@echo 'For whoever changes the course (.github/CONTRIBUTING.md): make check seeds1 pictures stored mutants fuzz faults format'

include common/frame/build.mk

# ---------------------------------------------------------------------------------------- reading

# A lesson's program, for a debugger as well, and what it asks: one that is not yet right is no error.
lesson%: build/lesson% always
	@build/lesson$* $(ARGS)
debug%: build/debug/lesson% always
	@build/debug/lesson$* $(ARGS)
derive%: build/lesson$$(call lesson_of,$$*) always
	@build/lesson$(call lesson_of,$*) --derive '$(if $(findstring .,$*),$*,0)' || [ $$? -eq 1 ]
exercise%: build/exercise$$(call lesson_of,$$*) always
	@build/exercise$(call lesson_of,$*) $(if $(findstring .,$*),--only '$*') || [ $$? -eq 1 ]
grade%: build/exercise$$(call lesson_of,$$*) always
	@sh common/frame/exercise/exercise.sh grade '$*' $(patsubst --json,--marks,$(ARGS))
lesson_of = $(firstword $(subst ., ,$(1)))

# The solution of a derivation is printed by its lesson, which may have to be compiled.
reset% hint% solution% open%: always
	+@MAKE='$(MAKE)' sh common/frame/exercise/exercise.sh '$(patsubst %$*,%,$@)' '$*'
# The plus hands its jobs to the make that it calls.
watch%: always
	+@MAKE='$(MAKE)' sh common/frame/exercise/exercise.sh watch '$*'
progress: $(addprefix build/exercise,$(NUMBERS))
	@for n in $(NUMBERS); do build/exercise$$n $(or $(ARGS),--summary) || [ $$? -eq 1 ] || exit; done

# The whole course, a lesson at a time. What the next needs is compiled meanwhile, unannounced.
lessons: $(addprefix run,$(NUMBERS))
run%: build/lesson% always
	@build/lesson$* $(ARGS) </dev/null && echo

# Each run writes its lesson's questions beside its page; the answers to predictions are those of the last whole run.
sheets: $(LESSONS)
	@for n in $(NUMBERS); do build/lesson$$n </dev/null >/dev/null || [ $$? -eq 1 ] || exit; echo build/out/lesson$$n/sheet.html; done

# The course and its pages in one file; where there is Emscripten, with knobs that turn in the browser.
archive: sheets
	@! command -v $(EMXX) >/dev/null || $(MAKE) --no-print-directory web
	@sh .github/archive.sh

# The same programs as WebAssembly, inside their pages: a folder that opens from disk.
web:
	@command -v $(EMXX) >/dev/null || { echo 'make web needs em++, the compiler of Emscripten, and it is not here.' >&2; exit 2; }
	@$(MAKE) --no-print-directory $(foreach n,$(NUMBERS),build/web/lesson$(n)/index.html)
	@sh common/frame/web/page.sh

# ---------------------------------------------------------------------------------------- testing

# tests/run.sh says what is tested where, and with which programs; `make test only=lesson4` takes all
# whose name holds it.
kind := $(firstword $(filter test check,$(MAKECMDGOALS)))
NEEDED := $(if $(kind),$(shell sh tests/run.sh needs $(lastword $(CXX)) $(kind) '$(only)'))
test check: $(NEEDED)
	@sh tests/run.sh $(lastword $(CXX)) $@ '$(only)'

bench: build/tests/bench
	@build/tests/bench

# Each claim's figures at a range of seeds, and how far its bound is away: make seeds3 ARGS="101 160".
seeds%: build/lesson% always
	@python3 tests/seeds.py build $* $(or $(ARGS),101 160)

# Makes the runs in tests/stored anew, which take minutes; ARGS=6 those of lesson 6.
stored: $(LESSONS)
	@python3 tests/test_tables.py build --store $(ARGS)
# Those that the READMEs show.
pictures: $(LESSONS)
	@python3 tests/test_pictures.py build --store $(ARGS)

mutants: $(COMMON) $(CHECK)
	@CXX='$(CXX)' python3 tests/mutants.py $(ARGS)
# Each reader of tests/fuzz/fuzz.cpp runs for SECONDS.
fuzz:
	@sh tests/fuzz/run.sh '$(or $(SECONDS),20)' '$(FUZZ_CXX)' '$(MAKE)'
faults: $(LESSONS)
	@sh tests/faults.sh build

format:
	clang-format -i $$(git ls-files '*.hpp' '*.cpp')

clean:
	rm -rf build

# A blank in the middle, as in `make hint 1.5`.
cut := $(firstword $(filter lesson exercise hint solution reset open watch,$(MAKECMDGOALS)))
$(if $(cut),$(error Write it in one word: make $(cut)$(or $(lastword $(filter-out $(cut),$(MAKECMDGOALS))),1)))

# Anything else that is asked for.
.DEFAULT:
	@echo 'There is no $@ here. Lessons: $(NUMBERS). Plain make lists what can be said.' >&2; exit 2
