/*
 * The index of this binary: its symbols with their modules, what fbt can
 * instrument, and where the debug information describes each named type and
 * object of the modelled kernel.
 *
 * To gather that takes a walk through all of the debug information with libdw
 * (mkindex.c), which every start of the program would pay for.  So the walk is
 * made once, after linking, and what it found is put into the binary as the
 * section SYMINDEX_SECTION, which is used where it lies in the mapped file.  It
 * holds the build id of the binary it is of.  A binary without it, or with
 * another's, makes the same index for itself at every start, in memory.
 *
 * All tables are arrays behind the header; strings are offsets in ix_strings.
 */
#ifndef DTRACE_SYMINDEX_H
#define DTRACE_SYMINDEX_H

#include <elfutils/libdw.h>
#include <stddef.h>

#include "dtrace.h"

#define SYMINDEX_SECTION ".strsim_index"
#define SYMINDEX_MAGIC "strsim1"

/* A module: a folder under kernelmodel/. */
typedef struct ixmod {
	uint32_t x_name;
	uint32_t x_kernel; /* part of the modelled kernel: D programs see its types and symbols */
} ixmod_t;

/* A function with an entry point for fbt. */
typedef struct ixfunc {
	uint32_t x_sym;
	uint32_t x_return, x_nreturns; /* in ix_returns */
} ixfunc_t;

/* A named entry of the debug information of the modelled kernel; of types that several units describe, the first. */
typedef struct ixname {
	uint32_t x_name;
	uint32_t x_off;    /* in .debug_info, as libdw counts */
	uint32_t x_parent; /* of an enumerator: its enumeration; else 0 */
	uint16_t x_mod;
	uint8_t x_tag;
	uint8_t x_decl; /* only declared there */
} ixname_t;

typedef struct ixtab {
	uint32_t t_off, t_n; /* from the header, in bytes; elements */
} ixtab_t;

typedef struct symindex {
	char ix_magic[8];
	uint32_t ix_len; /* of all, in bytes */
	uint32_t ix_idlen;
	uint8_t ix_id[32]; /* build id */
	uint32_t ix_naddr; /* ix_syms: so many functions and objects by address, then thread-local ones by offset */
	uint32_t ix_pad;
	ixtab_t ix_syms;    /* ksym_t */
	ixtab_t ix_byname;  /* uint32_t: ix_syms in order of name */
	ixtab_t ix_mods;    /* ixmod_t */
	ixtab_t ix_funcs;   /* ixfunc_t, by address */
	ixtab_t ix_returns; /* uint32_t: offset of a return point in its function */
	ixtab_t ix_probes;  /* uint32_t: fbt's probes in order: 2 * function, + 1 when it is the return */
	ixtab_t ix_names;   /* ixname_t, by name; of one name in the order of the debug information */
	ixtab_t ix_strings; /* char */
} symindex_t;

#define symindex_table(ix, member, type) ((const type *)((const char *)(ix) + (ix)->member.t_off))

static inline const char *symindex_string(const symindex_t *ix, uint32_t off)
{
	return symindex_table(ix, ix_strings, char) + off;
}

/*
 * Make the index of an open ELF file; *len its length.  NULL: *why says why.
 * The caller frees it.
 */
symindex_t *symindex_make(Elf *elf, size_t *len, const char **why);

/* Whether the file holds its own index: where it lies, or NULL. */
const symindex_t *symindex_find(Elf *elf);

/*
 * The index of this binary from now on until symindex_close(), from its file or made.
 * 0, or -1: *why says why there is none.
 */
int symindex_open(const char **why);
void symindex_close(void);
/* While open; else NULL. */
const symindex_t *symindex(void);
/* This binary's debug information, opened when first asked for; NULL when it cannot be. */
Dwarf *symindex_dwarf(void);
/* The entries of a name, *n of them. */
const ixname_t *symindex_names(const char *name, size_t *n);

#endif
