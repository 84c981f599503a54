// Abseil's flat_hash_map with its own hash; keys by reference to copies of them.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "tables.h"

namespace
{
struct absl_table {
	absl::flat_hash_map<std::string_view, uint64_t> map;
	std::vector<std::unique_ptr<char[]>> copies;
	size_t klen;
};

void *create(size_t klen)
{
	auto *t = new absl_table;

	t->klen = klen;
	return t;
}

void count(void *table, const uint64_t *key)
{
	auto *t = static_cast<absl_table *>(table);
	std::string_view k(reinterpret_cast<const char *>(key), t->klen);
	auto it = t->map.find(k);

	if (it == t->map.end()) {
		t->copies.emplace_back(new char[t->klen]);
		memcpy(t->copies.back().get(), key, t->klen);
		it = t->map.emplace(std::string_view(t->copies.back().get(), t->klen), 0).first;
	}
	++it->second;
}

void walk(void *table, void (*f)(void *, uint64_t), void *arg)
{
	for (const auto &e : static_cast<absl_table *>(table)->map)
		f(arg, e.second);
}

void destroy(void *table)
{
	delete static_cast<absl_table *>(table);
}
} // namespace

extern "C" const table_ops_t table_absl = {"absl::flat_hash_map", create, count, walk, destroy};
