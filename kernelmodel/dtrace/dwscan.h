/*
 * A quick pass over the top-level entries of DWARF debug information.
 *
 * libdw answers any question about any entry, at a cost per entry that every
 * start of the program would pay tens of thousands of times.  This reads only
 * what an index by name needs, straight from the sections, and steps over the
 * children of entries by their sibling references.  Format: DWARF 4 and 5, in
 * their 32-bit form (DWARF Debugging Information Format, sections 7.5 and 7.6).
 */
#ifndef DTRACE_DWSCAN_H
#define DTRACE_DWSCAN_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct dwtop {
	const char
	    *t_name;    /* points into the sections; of an instance without a name that of its origin; may be NULL */
	uint64_t t_off; /* in .debug_info, as libdw counts */
	uint16_t t_tag;
	bool t_decl; /* only declared here */
} dwtop_t;

typedef struct dwscan {
	/* a compile unit begins: its name, and its offset in .debug_info; false: its entries are not wanted */
	bool (*s_unit)(void *arg, const char *name, uint64_t off);
	/* a top-level entry; true: its children are wanted, too, with its offset as their parent (0 of top-level ones) */
	bool (*s_entry)(void *arg, const dwtop_t *top, uint64_t parent);
	void *s_arg;
} dwscan_t;

/* Walk through the debug information of an open file.  False when it has none that can be read. */
bool dwscan(Elf *elf, const dwscan_t *user);

/*
 * Call for each stretch of code [lo, hi), with the offset of its compile unit; code returns false to stop.  False: not
 * all were read.
 */
bool dwscan_code(Elf *elf, bool (*code)(void *arg, uint64_t unit, uint64_t lo, uint64_t hi), void *arg);

#endif
