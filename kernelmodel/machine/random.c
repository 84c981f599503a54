/* xoshiro256** (Blackman and Vigna), seeded through splitmix64 as its authors advise. */
#include "machine/machine_impl.h"

static KLOCAL uint64_t s[4];

static inline uint64_t rotl(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

void machine_seed(uint64_t seed)
{
	for (int i = 0; i < 4; i++) {
		uint64_t z = seed += 0x9e3779b97f4a7c15ULL;
		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
		z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
		s[i] = z ^ z >> 31;
	}
}

uint64_t machine_random(void)
{
	uint64_t result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return result;
}

void random_init(uint64_t seed)
{
	if ((s[0] | s[1] | s[2] | s[3]) == 0)
		machine_seed(seed);
}

void random_forget(void)
{
	s[0] = s[1] = s[2] = s[3] = 0;
}
