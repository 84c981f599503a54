/*
 * What the consumer remembers about single keys of an aggregation: factor of
 * normalize(), and that clear() was applied.  Empty for nearly every program.
 */
#ifndef STRSIM_KEYMAP_H
#define STRSIM_KEYMAP_H

#include "sys/types.h"

typedef struct keynote {
	uint64_t kn_normal; /* 0 = none */
	bool kn_cleared;
} keynote_t;

typedef struct keymap keymap_t;

/* Created by the first keymap_get(&map, ..., true). */
void keymap_free(keymap_t *map);
/* The note of a key; NULL when there is none and make is false. */
keynote_t *keymap_get(keymap_t **map, const uint64_t *key, size_t klen, bool make);
/* Forget a key. */
void keymap_remove(keymap_t *map, const uint64_t *key, size_t klen);

#endif
