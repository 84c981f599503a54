# strsim: see README.md.  The targets people use: demo, check, all, bench, validate, lint, install.
#
#	make SAN=address,undefined check	the same under sanitizers
#	make BUILD=dir				build elsewhere
#	make KMODS="machine genunix" T=mblk unit	only these kernel modules, only these unit tests

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DEFAULT_GOAL = all

# V=1 shows whole commands
Q = $(if $(V),,@)
say = $(if $(V),,@printf '%-6s %s\n' '$(1)' '$@')

SAN ?=
BUILD ?= build$(if $(SAN),-$(subst $(comma),-,$(SAN)))
comma := ,
CC = gcc
OPT ?= -O2
T ?=
# Empty: a kernel without any probe, to be measured beside (bench).
PROBES ?= y

WARN = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wundef -Werror
INC = -iquote kernelmodel -iquote kernelmodel/dtrace -iquote sim -iquote $(BUILD)
# Criterion cannot start under ThreadSanitizer: it maps an arena at an address that the sanitizer's shadow memory leaves
# no room for ("could not initialize inheritable arena").  There its place is taken by the few of its macros that the
# tests use; as a system header, so that they may be as pedantic as its own.
TSAN := $(filter thread,$(subst $(comma), ,$(SAN)))
TSANCRIT = sim/tests/tsan
CRITERION = $(if $(TSAN),$(BUILD)/$(TSANCRIT)/criterion.o,-lcriterion)
SANFLAGS = $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all)
BASE = -std=gnu11 $(OPT) -g -fno-pie -fno-omit-frame-pointer -mno-red-zone $(SANFLAGS) $(WARN) $(INC) \
	$(if $(TSAN),-isystem $(TSANCRIT)) -D_GNU_SOURCE -MMD -MP

# Every function of the model keeps its own frame and its 5-byte NOPs at entry and return: what the source
# calls is what a stack shows, and fbt can arm any of them.  And a call in the source is one call site: none is doubled
# (jump threading, copied loop headers) and no two are merged (tail merging), since stacks tell them apart.
NOPS = -pg -mfentry -mnop-mcount -mrecord-mcount -minstrument-return=nop5 -mrecord-return
FBT = $(if $(PROBES),$(NOPS)) \
	-fno-optimize-sibling-calls -fno-inline -fno-partial-inlining -fno-ipa-cp -fno-ipa-sra -fno-ipa-icf \
	-fno-ipa-ra -fno-ipa-pure-const -fno-ipa-reference -fno-ipa-modref -fno-reorder-blocks-and-partition \
	-fno-thread-jumps -fno-split-paths -fno-tree-ch -fno-crossjumping -fno-tree-tail-merge
MODEL = $(if $(PROBES),,-iquote bench/noprobes) $(BASE) $(FBT)
# The machine and the tracer are not part of the modelled kernel.
PLAIN_MODS = machine dtrace

KMODS ?= $(filter-out sys tests,$(notdir $(patsubst %/,%,$(wildcard kernelmodel/*/))))
KSRC := $(sort $(wildcard $(KMODS:%=kernelmodel/%/*.c)))
KASM := $(sort $(wildcard $(KMODS:%=kernelmodel/%/*.S)))
KOBJ := $(KSRC:%.c=$(BUILD)/%.o) $(KASM:%.S=$(BUILD)/%.o)
SIMDIRS := $(filter-out sim/tests/,$(wildcard sim/ sim/*/))
SSRC := $(sort $(wildcard $(SIMDIRS:%=%*.c)))
SGEN := $(BUILD)/sim/d/lex.o $(BUILD)/sim/d/gram.o
SOBJ := $(SSRC:%.c=$(BUILD)/%.o) $(SGEN)
UNIT := $(foreach t,$(sort $(wildcard kernelmodel/tests/test_*.c)),$(if $(T),$(if $(filter $(T:%=test_%),$(basename $(notdir $t))),$t),$t))
UNITBIN := $(UNIT:%.c=$(BUILD)/%)
LIBS = -lpcap -levent_core -ldw -lelf -llua5.4 -lm -lpthread

all: $(BUILD)/strsim

$(BUILD)/kernelmodel/%.o: kernelmodel/%.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(if $(filter $(PLAIN_MODS),$(firstword $(subst /, ,$*))),$(BASE),$(MODEL)) -c -o $@ $<
$(BUILD)/kernelmodel/tests/%.o: kernelmodel/tests/%.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(BASE) -c -o $@ $<
$(BUILD)/%.o: %.S Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(BASE) -c -o $@ $<
$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(BASE) -c -o $@ $<
# COV=1: the tracer, the compiler and the consumer tell dfuzz which blocks they execute; nothing else links then.
ifdef COV
TRACED := $(filter-out %/mkindex.o,$(filter $(BUILD)/kernelmodel/dtrace/% $(BUILD)/sim/d/% $(BUILD)/sim/consumer/%,$(KOBJ) \
	$(SOBJ)))
$(TRACED): BASE += -fsanitize-coverage=trace-pc
endif
$(BUILD)/sim/d/gram.c $(BUILD)/sim/d/gram.h &: sim/d/gram.y
	@mkdir -p $(@D)
	$(call say,BISON)
	$(Q)bison -Werror -o $(BUILD)/sim/d/gram.c --defines=$(BUILD)/sim/d/gram.h $<
$(BUILD)/sim/d/lex.c: sim/d/lex.l
	@mkdir -p $(@D)
	$(call say,FLEX)
	$(Q)flex -o $@ $<
$(BUILD)/sim/d/lib.o: $(wildcard sim/d/lib/*.d)
$(BUILD)/sim/scenario/lib.o: $(wildcard sim/scenario/lib/*.lua)
$(BUILD)/sim/d/lex.o $(BUILD)/sim/d/gram.o: $(BUILD)/sim/d/%.o: $(BUILD)/sim/d/%.c $(BUILD)/sim/d/gram.h Makefile
	$(call say,CC)
	$(Q)$(CC) $(BASE) -iquote sim/d -Wno-unused-function -Wno-sign-compare -c -o $@ $<
$(SSRC:%.c=$(BUILD)/%.o): | $(BUILD)/sim/d/gram.h

# A program with the model in it carries an index of its own symbols and debug information (kernelmodel/dtrace/symindex.h
# says what for); a program that lacks it makes it at every start.
MKINDEX := $(BUILD)/kernelmodel/dtrace/mkindex/mkindex
$(MKINDEX): $(MKINDEX).o $(BUILD)/kernelmodel/dtrace/mkindex.o
	$(call say,LINK)
	$(Q)$(CC) $(OPT) $(SANFLAGS) -no-pie -o $@ $^ -ldw -lelf
# $(call link,libraries)
link = $(Q)$(CC) $(OPT) $(SANFLAGS) -no-pie -Wl,--build-id -o $@.new $^ $(1) && $(MKINDEX) $@.new $@.index && \
	objcopy --update-section .strsim_index=$@.index $@.new && \
	rm $@.index && mv $@.new $@

$(BUILD)/strsim: $(KOBJ) $(SOBJ) | $(MKINDEX)
	$(call say,LINK)
	$(call link,$(LIBS))

$(BUILD)/kernelmodel/tests/test_%: $(BUILD)/kernelmodel/tests/test_%.o $(KOBJ) | $(MKINDEX)
	$(call say,LINK)
	$(call link,$(CRITERION) $(LIBS))

# Unit tests of the program's parts link everything but main().
SUNIT := $(foreach t,$(sort $(wildcard sim/tests/unit/test_*.c)),$(if $(T),$(if $(filter $(T:%=test_%),$(basename $(notdir $t))),$t),$t))
SUNITBIN := $(SUNIT:%.c=$(BUILD)/%)
$(SUNITBIN): $(BUILD)/sim/tests/unit/%: $(BUILD)/sim/tests/unit/%.o $(KOBJ) $(filter-out $(BUILD)/sim/main.o,$(SOBJ)) | $(MKINDEX)
	$(call say,LINK)
	$(call link,$(CRITERION) $(LIBS))

# The harness's own statistics.
BUNIT := $(foreach t,$(sort $(wildcard bench/tests/test_*.c)),$(if $(T),$(if $(filter $(T:%=test_%),$(basename $(notdir $t))),$t),$t))
BUNITBIN := $(BUNIT:%.c=$(BUILD)/%)
$(BUNITBIN): $(BUILD)/bench/tests/%: $(BUILD)/bench/tests/%.o $(BUILD)/bench/stats.o $(BUILD)/bench/jsonl.o \
	$(BUILD)/bench/compare.o $(BUILD)/bench/goals.o
	$(call say,LINK)
	$(Q)$(CC) $(OPT) $(SANFLAGS) -no-pie -o $@ $^ $(CRITERION) -lm
$(BUILD)/bench/tests/test_series: $(BUILD)/bench/series.o

$(if $(TSAN),$(UNITBIN) $(SUNITBIN) $(BUNITBIN): | $(CRITERION))
unit: $(UNITBIN) $(SUNITBIN) $(BUNITBIN)
	@fail=0; for t in $^; do echo "== $$(basename $$t)"; $$t || fail=1; done; exit $$fail

# Scripts, inputs and expected outputs.
cases: $(BUILD)/strsim
	sim/tests/run -b $(BUILD)
	sim/tests/run -b $(BUILD) -x jit=off action aggregation fault probe speculation scripts

# Captures with tables of what they contain, when they are there.
CAPTURES ?= ../shared/pcap
captures: $(BUILD)/strsim
	$(BUILD)/strsim validate -r fixtures/captures/office.pcap
	$(BUILD)/strsim validate -r fixtures/captures/pings.pcap
	sim/tests/wire $(BUILD)/strsim fixtures/captures/office.pcap fixtures/captures/pings.pcap
	sim/tests/totals $(BUILD)/strsim fixtures/captures/office.pcap fixtures/captures/pings.pcap
	sim/tests/frames $(BUILD)/strsim fixtures/captures/office.pcap
	sim/tests/same $(BUILD)/strsim fixtures/captures/office.pcap
	sim/tests/cpus $(BUILD)/strsim fixtures/captures/office.pcap
	$(if $(SAN),,sim/tests/witness $(BUILD)/strsim fixtures/captures/office.pcap)
ifneq ($(wildcard $(CAPTURES)/TRUTH.tsv),)
	sim/tests/truth $(BUILD)/strsim $(CAPTURES)
	sim/tests/wire $(BUILD)/strsim $(wildcard $(CAPTURES)/*.pcap*)
	sim/tests/totals $(BUILD)/strsim $(wildcard $(CAPTURES)/*.pcap*)
else
	@echo 'no $(CAPTURES): the tables of known captures are skipped'
endif

# Scenarios against what was worked out for them beforehand.
scenarios: $(BUILD)/strsim
	sim/tests/scenarios $(BUILD)/strsim
	sim/tests/laptop $(BUILD)/strsim

# Bent captures: no crash, no leak, no frame lost from the account (sim/tests/fuzz/fuzz.c says how).
FUZZTIME ?= 60
FUZZSEED ?= 1
FUZZ := $(BUILD)/sim/tests/fuzz/fuzz
$(FUZZ): $(FUZZ).o
	$(call say,LINK)
	$(Q)$(CC) $(OPT) $(SANFLAGS) -no-pie -o $@ $^ -lpcap
# D programs and bytecode (sim/tests/fuzz/dfuzz.c says how).
DFUZZ := $(BUILD)/sim/tests/fuzz/dfuzz
DFUZZOBJ := $(patsubst %,$(BUILD)/sim/tests/fuzz/%.o,dfuzz dgen dbend dcode)
$(DFUZZ): $(DFUZZOBJ) $(KOBJ) $(filter-out $(BUILD)/sim/main.o,$(SOBJ)) | $(MKINDEX)
	$(call say,LINK)
	$(call link,$(LIBS))
# What it has found worth keeping: programs that failed once, and some that together reach what the compiler, the consumer
# and the tracer do.
DCORPUS := $(sort $(wildcard sim/tests/fuzz/corpus/*.d))
DFLAGS := -k $(BUILD) -w fixtures/captures/pings.pcap
dcorpus: $(DFUZZ)
	$(DFUZZ) $(DFLAGS) -r $(DCORPUS)
	$(if $(SAN),,$(DFUZZ) $(DFLAGS) -d -r $(DCORPUS))
dfuzz: $(DFUZZ)
	$(DFUZZ) $(DFLAGS) -b -t $(FUZZTIME) -s $(FUZZSEED)
	$(DFUZZ) $(DFLAGS) -t $(FUZZTIME) -s $(FUZZSEED) $(DCORPUS) \
		$(wildcard sim/tests/cases/*/*/prog sim/tests/cases/*/*/prog.d fixtures/d/*.d)
	$(if $(SAN),,$(DFUZZ) $(DFLAGS) -d -b -t $(FUZZTIME) -s $(FUZZSEED))
	$(if $(SAN),,$(DFUZZ) $(DFLAGS) -d -g -t $(FUZZTIME) -s $(FUZZSEED))
# Scenarios at random and without memory (sim/tests/fuzz/sfuzz.c says how).
SFUZZ := $(BUILD)/sim/tests/fuzz/sfuzz
$(SFUZZ): $(SFUZZ).o $(KOBJ) $(filter-out $(BUILD)/sim/main.o,$(SOBJ)) | $(MKINDEX)
	$(call say,LINK)
	$(call link,$(LIBS))
sfuzz: $(SFUZZ)
	$(SFUZZ) -t $(FUZZTIME) -s $(FUZZSEED) sim/tests/fuzz/scenario.lua
	$(SFUZZ) -m -t $(FUZZTIME) -s $(FUZZSEED) sim/tests/fuzz/scenario.lua $(wildcard fixtures/scenarios/*.lua)
fuzz: $(BUILD)/strsim $(FUZZ)
	$(FUZZ) -t $(FUZZTIME) -s $(FUZZSEED) $(BUILD)/strsim fixtures/captures/office.pcap $(wildcard $(CAPTURES)/*.pcap*)

# The terminal modules against a pseudo-terminal of this host (sim/tests/pty/case.h says how).
PTY := $(BUILD)/sim/tests/pty/pty
PTYOBJ := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard sim/tests/pty/*.c)))
$(PTY): $(PTYOBJ) $(KOBJ)
	$(call say,LINK)
	$(Q)$(CC) $(OPT) $(SANFLAGS) -no-pie -o $@ $^ $(LIBS)
pty: $(PTY)
	@$(PTY) -k >$(PTY).known; sed -n '/^| difference/,$$p' docs/terminals.md | diff - $(PTY).known
	$(PTY) || [ $$? -eq 77 ]
	$(PTY) -b -n 150 || [ $$? -eq 77 ]

# What continuous integration runs.  Each step does its own set-up.
check: deps-test
	$(MAKE) -j$(NPROC) all
	$(MAKE) -j$(NPROC) unit
	$(MAKE) cases
	$(MAKE) dcorpus
	$(MAKE) captures
	$(MAKE) scenarios
	$(MAKE) pty
	$(if $(SAN),,$(MAKE) -j$(NPROC) lint)

demo: deps-build
	$(MAKE) -j$(NPROC) all
	@echo '== putnexts.d: who calls putnext to whom, while fixtures/captures/office.pcap is replayed'
	$(BUILD)/strsim -r fixtures/captures/office.pcap -s fixtures/d/putnexts.d
	@echo '== tcpwdist.d: sizes of TCP writes by process, over the same capture'
	$(BUILD)/strsim -r fixtures/captures/office.pcap -s fixtures/d/tcpwdist.d
	@echo '== putnexts.d on a laptop, an evening: fixtures/scenarios/laptop.lua'
	$(BUILD)/strsim -W fixtures/scenarios/laptop.lua -s fixtures/d/putnexts.d

# The model against expectations computed from the captures by separate code.
validate: $(BUILD)/strsim
	$(BUILD)/strsim validate -r fixtures/captures/office.pcap

NPROC := $(shell nproc 2>/dev/null || echo 2)
deps: deps-test
deps-build:
	@.ci/deps build
deps-test:
	@.ci/deps build test

# What tracing costs, beside its limit and its peers (bench/bench.h says how it is measured).  Tables of libraries that
# are not installed are left out, and said to be absent.
BENCHPROG := mktraffic readpcap
BENCHBIN := $(BENCHPROG:%=$(BUILD)/bench/%)
BENCHCHAIN := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard bench/kernelmodel/*/*.c)))
have = $(shell pkg-config --exists $1 2>/dev/null && echo y)
HAVE_GLIB := $(if $(wildcard /usr/include/xxhash.h),$(call have,glib-2.0))
HAVE_CK := $(if $(wildcard /usr/include/xxhash.h),$(call have,ck))
HAVE_ABSL := $(if $(shell command -v g++),$(call have,absl_flat_hash_map))
HAVE_LTTNG := $(call have,lttng-ust)
BENCHOMIT := $(BENCHPROG) $(if $(wildcard /usr/include/uthash.h),,table_uthash) $(if $(HAVE_GLIB),,table_glib) \
	$(if $(HAVE_CK),,table_ck)
BENCHSRC := $(filter-out $(BENCHOMIT:%=bench/%.c),$(sort $(wildcard bench/*.c)))
BENCHOBJ := $(BENCHSRC:%.c=$(BUILD)/%.o) $(BUILD)/bench/limit_tramp.o $(if $(HAVE_ABSL),$(BUILD)/bench/table_absl.o) $(BENCHCHAIN)
BENCHINC := -iquote . -iquote bench -isystem /usr/include/glib-2.0 -isystem /usr/lib/$(shell $(CC) -print-multiarch)/glib-2.0/include
BENCHLIBS := $(LIBS) $(if $(HAVE_GLIB),-lglib-2.0) $(if $(HAVE_CK),-lck) \
	$(if $(HAVE_ABSL),$(shell pkg-config --libs absl_flat_hash_map 2>/dev/null) -lstdc++)

$(BENCHBIN): $(BUILD)/bench/%: $(BUILD)/bench/%.o
	$(call say,LINK)
	$(Q)$(CC) $(OPT) $(SANFLAGS) -no-pie -o $@ $^ $(LIBS)
$(BUILD)/bench/kernelmodel/%.o: bench/kernelmodel/%.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(BASE) -iquote . $(FBT) -c -o $@ $<
$(BUILD)/bench/%.o: bench/%.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(BASE) $(BENCHINC) -c -o $@ $<
# The vector registers that carry arguments are left alone (bench/limit_vec.c).
$(BUILD)/bench/limit_vec.o: BENCHINC += -mavx512f -mavx512bw -mavx512dq -mavx512vl -maes -mvaes -mno-vzeroupper \
	$(foreach r,0 1 2 3 4 5 6 7,-ffixed-xmm$r)
$(BUILD)/bench/%.o: bench/%.cc Makefile
	@mkdir -p $(@D)
	$(call say,CXX)
	$(Q)g++ -std=c++17 $(OPT) -g -fno-pie -fno-omit-frame-pointer $(SANFLAGS) -Wall -Wextra -Werror $(BENCHINC) -MMD -MP -c -o $@ $<
$(BUILD)/strbench: $(KOBJ) $(filter-out $(BUILD)/sim/main.o,$(SOBJ)) $(BENCHOBJ) | $(MKINDEX)
	$(call say,LINK)
	$(call link,$(BENCHLIBS))

# LTTng-UST's part of the target, loaded by it alone.
BENCHLTTNG := $(if $(HAVE_LTTNG),$(BUILD)/bench/lttng/put.so)
$(BUILD)/bench/lttng/put.so: bench/lttng/put.c bench/lttng/put.h Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -std=gnu11 $(OPT) -g -fPIC -shared -Wall -Wextra -Werror -I. -o $@ $< $(shell pkg-config --cflags --libs lttng-ust 2>/dev/null)

# BENCHFLAGS=--quick: under two minutes.  The figures go to RESULTS; bench/plot makes the pictures of docs/ from them.
BENCHFLAGS ?=
RESULTS ?= $(BUILD)/bench.jsonl
bench: deps-build
	$(MAKE) -j$(NPROC) all $(BENCHBIN) $(BENCHLTTNG) $(BUILD)/strbench
	$(MAKE) -j$(NPROC) BUILD=$(BUILD)/noprobes PROBES= all
	$(BUILD)/strbench --build $(BUILD) --out $(RESULTS) $(BENCHFLAGS)
plots:
	bench/plot results docs

# Format and static analysis.  The analyzer proper looks at the program in its shallow mode and not at the
# tests, whose Criterion macros cost it more time than all the rest; DEEP=1 looks at everything in full depth.
CFILES := $(sort $(wildcard kernelmodel/*/*.[ch] kernelmodel/dtrace/*/*.[ch] sim/*.[ch] sim/*/*.[ch] sim/tests/*/*.[ch] bench/*.[ch] bench/tests/*.[ch] \
	bench/*/*/*.[ch]))
TIDY := $(filter-out $(patsubst %,bench/%.c,$(filter table_%,$(BENCHOMIT))),$(filter %.c,$(CFILES)))
SHALLOW = -Xclang -analyzer-config -Xclang mode=shallow
lint: lint-format $(TIDY:%=$(BUILD)/tidy/%)
lint-format:
	@clang-format --dry-run -Werror $(CFILES)
$(BUILD)/tidy/%.c: %.c $(BUILD)/%.o .clang-tidy
	@mkdir -p $(@D)
	$(call say,TIDY)
	$(Q)clang-tidy --quiet $(if $(DEEP),,$(if $(findstring /tests/,$<),--checks='-clang-analyzer-*')) $< \
		-- -std=gnu11 -D_GNU_SOURCE $(INC) -iquote sim/d $(if $(filter bench/%,$<),$(BENCHINC)) $(if $(DEEP),,$(SHALLOW)) >$@.out 2>$@.err || \
		{ cat $@.out; exit 1; }
	@touch $@

PREFIX ?= /usr/local
install: $(BUILD)/strsim
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1
	install $(BUILD)/strsim $(DESTDIR)$(PREFIX)/bin/strsim
	install -m 644 docs/strsim.1 $(DESTDIR)$(PREFIX)/share/man/man1/strsim.1

clean:
	rm -rf build build-*

.PHONY: fuzz dfuzz dcorpus sfuzz pty all unit cases captures scenarios check demo validate bench plots deps deps-build deps-test lint lint-format install clean
.SECONDARY:
-include $(MKINDEX).d $(FUZZ).d $(DFUZZOBJ:.o=.d) $(PTYOBJ:.o=.d) $(KOBJ:.o=.d) $(SOBJ:.o=.d) $(UNITBIN:=.d) $(SUNITBIN:=.d) $(BENCHBIN:=.d) $(BENCHOBJ:.o=.d) $(BUNITBIN:=.d)
