# strsim: see README.md.  The targets people use: demo, check, all, bench, validate, fuzz, install.
#
#	make SAN=address,undefined check	the same under sanitizers
#	make BUILD=dir				build elsewhere
#	make KMODS="machine genunix" T=mblk unit	only these kernel modules, only these unit tests

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:

SAN ?=
BUILD ?= build$(if $(SAN),-$(subst $(comma),-,$(SAN)))
comma := ,
CC = gcc
OPT ?= -O2
T ?=

WARN = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wundef -Werror
INC = -iquote kernelmodel -iquote kernelmodel/dtrace -iquote sim -iquote $(BUILD)
SANFLAGS = $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all)
BASE = -std=gnu11 $(OPT) -g -fno-pie -fno-omit-frame-pointer -mno-red-zone $(SANFLAGS) $(WARN) $(INC) \
	-D_GNU_SOURCE -MMD -MP

# Every function of the model keeps its own frame and its 5-byte NOPs at entry and return: what the source
# calls is what a stack shows, and fbt can arm any of them.
FBT = -pg -mfentry -mnop-mcount -mrecord-mcount -minstrument-return=nop5 -mrecord-return \
	-fno-optimize-sibling-calls -fno-inline -fno-partial-inlining -fno-ipa-cp -fno-ipa-sra -fno-ipa-icf \
	-fno-ipa-ra -fno-ipa-pure-const -fno-ipa-reference -fno-ipa-modref -fno-reorder-blocks-and-partition
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
LIBS = -lpcap -levent -llua5.4 -ldw -lelf -ljson-c -lm -lpthread

all: $(BUILD)/strsim

$(BUILD)/kernelmodel/%.o: kernelmodel/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(BASE) $(if $(filter $(PLAIN_MODS),$(firstword $(subst /, ,$*))),,$(FBT)) -c -o $@ $<
$(BUILD)/kernelmodel/tests/%.o: kernelmodel/tests/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(BASE) -c -o $@ $<
$(BUILD)/%.o: %.S Makefile
	@mkdir -p $(@D)
	$(CC) $(BASE) -c -o $@ $<
$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(BASE) $(if $(filter sim/%,$<),-I/usr/include/lua5.4) -c -o $@ $<
$(BUILD)/sim/d/gram.c $(BUILD)/sim/d/gram.h &: sim/d/gram.y
	@mkdir -p $(@D)
	bison -Werror -o $(BUILD)/sim/d/gram.c --defines=$(BUILD)/sim/d/gram.h $<
$(BUILD)/sim/d/lex.c: sim/d/lex.l
	@mkdir -p $(@D)
	flex -o $@ $<
$(BUILD)/sim/d/lex.o $(BUILD)/sim/d/gram.o: $(BUILD)/sim/d/%.o: $(BUILD)/sim/d/%.c $(BUILD)/sim/d/gram.h Makefile
	$(CC) $(BASE) -iquote sim/d -Wno-unused-function -Wno-sign-compare -c -o $@ $<
$(SSRC:%.c=$(BUILD)/%.o): | $(BUILD)/sim/d/gram.h

$(BUILD)/strsim: $(KOBJ) $(SOBJ)
	$(CC) $(OPT) $(SANFLAGS) -no-pie -o $@ $^ $(LIBS)

$(BUILD)/kernelmodel/tests/test_%: $(BUILD)/kernelmodel/tests/test_%.o $(KOBJ)
	$(CC) $(OPT) $(SANFLAGS) -no-pie -o $@ $^ -lcriterion $(LIBS)

unit: $(UNITBIN)
	@fail=0; for t in $(UNITBIN); do echo "== $$(basename $$t)"; $$t --quiet || fail=1; done; exit $$fail

clean:
	rm -rf build build-*

.PHONY: all unit clean
.SECONDARY:
-include $(KOBJ:.o=.d) $(SOBJ:.o=.d) $(UNITBIN:=.d)
