#pragma D option nspec=3
typedef long long myint;
enum color { RED = -3, GREEN = 39, LIMIT };
struct in { int8_t n0; int n1; };
struct s { int m0; unsigned m1:15; unsigned m2:21; short m3; uint64_t m4; int m5; uint32_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { uint32_t w; char c[12]; struct in in; };
struct xo { int x0; unsigned short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
unsigned char g0; uint32_t g1; long long g2; self long long i0; this uint64_t j0; self uint64_t i1; this uint64_t j1; 
string s0, s1; self string t0; this string u0;
uint64_t a0[int]; unsigned short a1[string, int]; self char a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint64_t arr[4]; this int8_t tarr[4]; self int sp;
inline short SQUARE[long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = -1; g1 = 2; g2 = -2; s0 = "%s%d"; s1 = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz";
	st.m0 = 84; st.m3 = -41; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 796; un.w = 77; self->p = sp;
}

END
{
	@a0[stack(3), s1, '\\'] = max(g0);
	@a1 = llquantize(g0, 3, 1, 5, 3);
	@a2['\0', LIMIT] = lquantize(g0, 6, 74, 39);
	@a3 = min(g0);
	@a4[stack(3), ustack(2), curpsinfo->pr_fname] = llquantize(g0, 10, 2, 4, 5);
}

fbt:genunix:str*:entry
{
	usym((uintptr_t)2147483647);
	@a4[stack(3), stack(3), as[-2147483648]] = llquantize((s1 < strjoin("tab\there\n", "/usr/bin/../lib//x/")), 10, 2, 4, 5);
	@a4[stack(3), stack(3), inet_ntoa6(copyin(g1, 55))] = llquantize('\x7f', 10, 2, 4, 5);
	st.name = (self->i0 ? stringof((char *)copyin(uid, 19)) : (self->ss["a"] = json(s1, "%s%d")));
	self->i0 = (self->i1--);
	}

profile-97
/ ((g0 != arg9) >> offsetof(struct s, in)) /
{
	if ((++sp->in.n0)) {
		@a3 = min(rindex(stringof((char *)(void *)sp), inet_ntoa6((void *)&`putnext), ('\\' / g0)));
	}
	if ((g0 %= (this->j1 < this->j1))) {
		g2 = id;
	g0 = (int64_t)((g2 ^^ (0x3ec18452 / 0x45b70c6b)));
	s1 = "";
	}
	}

