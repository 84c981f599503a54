/* A chained hash from key bytes to a note. */
#include "keymap.h"

#include <stdlib.h>
#include <string.h>

typedef struct node {
	struct node *n_next;
	uint64_t n_hash;
	keynote_t n_note;
	size_t n_klen;
	uint64_t n_key[];
} node_t;

struct keymap {
	node_t **m_bucket;
	size_t m_nbuckets, m_count;
};

static uint64_t hash_key(const uint64_t *key, size_t klen)
{
	uint64_t h = klen;

	for (size_t i = 0; i < klen / 8; i++) {
		h = (h ^ key[i]) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	return h;
}

static void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

void keymap_free(keymap_t *map)
{
	if (!map)
		return;
	for (size_t i = 0; i < map->m_nbuckets; i++) {
		for (node_t *n = map->m_bucket[i], *next; n; n = next) {
			next = n->n_next;
			free(n);
		}
	}
	free(map->m_bucket);
	free(map);
}

static void grow(keymap_t *map)
{
	size_t n = map->m_nbuckets * 2;
	node_t **b = must(calloc(n, sizeof(*b)));

	for (size_t i = 0; i < map->m_nbuckets; i++) {
		for (node_t *node = map->m_bucket[i], *next; node; node = next) {
			next = node->n_next;
			node->n_next = b[node->n_hash & (n - 1)];
			b[node->n_hash & (n - 1)] = node;
		}
	}
	free(map->m_bucket);
	map->m_bucket = b;
	map->m_nbuckets = n;
}

static node_t **find(keymap_t *map, uint64_t h, const uint64_t *key, size_t klen)
{
	node_t **p = &map->m_bucket[h & (map->m_nbuckets - 1)];

	while (*p && ((*p)->n_hash != h || (*p)->n_klen != klen || memcmp((*p)->n_key, key, klen) != 0))
		p = &(*p)->n_next;
	return p;
}

keynote_t *keymap_get(keymap_t **mapp, const uint64_t *key, size_t klen, bool make)
{
	keymap_t *map = *mapp;
	uint64_t h;
	node_t *n;

	if (!map) {
		if (!make)
			return NULL;
		map = *mapp = must(calloc(1, sizeof(*map)));
		map->m_nbuckets = 64;
		map->m_bucket = must(calloc(map->m_nbuckets, sizeof(node_t *)));
	}
	h = hash_key(key, klen);
	n = *find(map, h, key, klen);
	if (n || !make)
		return n ? &n->n_note : NULL;
	if (map->m_count++ >= map->m_nbuckets)
		grow(map);
	n = must(calloc(1, sizeof(*n) + klen));
	n->n_hash = h;
	n->n_klen = klen;
	memcpy(n->n_key, key, klen);
	n->n_next = map->m_bucket[h & (map->m_nbuckets - 1)];
	map->m_bucket[h & (map->m_nbuckets - 1)] = n;
	return &n->n_note;
}

void keymap_remove(keymap_t *map, const uint64_t *key, size_t klen)
{
	node_t **p, *n;

	if (!map)
		return;
	p = find(map, hash_key(key, klen), key, klen);
	n = *p;
	if (!n)
		return;
	*p = n->n_next;
	free(n);
	map->m_count--;
}
