#pragma D option argref
typedef int8_t myint;
enum color { RED = -3, GREEN = 6, LIMIT };
struct in { unsigned char n0; uint32_t n1; };
struct s { uint64_t m0; unsigned m1:2; uint32_t m2; unsigned short m3; int m4:6; unsigned m5:12; char m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned char w; char c[12]; struct in in; };
struct xo { int x0; int x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
uint32_t g0; unsigned short g1; uint64_t g2; self short i0; this int j0; self unsigned i1; this long long j1; 
string s0, s1; self string t0; this string u0;
int a0[int]; long a1[string, int]; self uint32_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned char arr[4]; this uint64_t tarr[4]; self int sp;
inline short SQUARE[unsigned short x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "oct\101hex\x41";
BEGIN
{
	g0 = 73; g1 = 127; g2 = 304; s0 = "\377\200"; s1 = "%s%d";
	st.m0 = 3; st.m3 = -79; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 67; un.w = 77; self->p = sp;
}

END
{
	@a0[this->u0, func((uintptr_t)arg0), 0755] = min(g0);
	@a1[stack(3), self->t0, stack(3)] = count();
	@a2[sym((uintptr_t)arg0)] = max(g0);
	@a3[self->t0, root, g2] = quantize(g0);
	@a4[stack(3), s0, this->j1] = stddev(g0);
}

fbt:unix::entry
{
	if ((!(uregs[0]) * (g1++))) {
		trace(-(((--this->j0) >> (self->i1 ^^ LIMIT))));
	printf("=]%-+4.9Y]%-+10.9T%%%19.0hd]%0#lldx", (int64_t)(this->j1), (uint64_t)(((gid / LIMIT) ? (g1 = cpu) : (32767 ? (-9223372036854775807 - 1) : self->i0))), (short)((self->a2["12345678901234567890"] |= (8 + 64))), (long long)(((g1 && -1L) || - -(0x18c0056e))));
	printa("\n%+k]%s % ld %@x %11@d\n", @a4, @a4);
	} else {
		bcopy((void *)&sp->next, alloca(54), 14);
	}
	st.name = inet_ntoa6((void *)(uintptr_t)(!(g1)));
	if ((*(unsigned char *)(void *)&sp->in % (arg2 ? this->j0 : this->j1))) {
		(a1[strtok(NULL, s0), (g0 ^^ 'ab')] += ((this->j1 ^= g0) ^ (this->j1--)));
	if ((self->a2["abc"] *= (g1 -= LIMIT))) {
		sp->in.n1 = (size_t)('\\');
	sym((uintptr_t)0x332be7df);
	}
	} else {
		(this->j1 %= ((s0, this->j0) >= (this->u0 != s1)));
	}
	}

ERROR
/ ((g1 - GREEN) > this->j1) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	speculate(self->sp);
	sp->m3 = arr[127 & 3];
	sp->m4 = st.bytes[(this->tarr[g2 & 3]--) & 7];
	(self->a2[(s1 = s0)] %= (substr(cwd, arg1, self->i1) != ""));
	}

