typedef short myint;
enum color { RED = -3, GREEN = 18, LIMIT };
struct in { unsigned n0; int n1; };
struct s { unsigned m0:28; int8_t m1; uint32_t m2; long long m3; long long m4; unsigned char m5; char m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned char w; char c[12]; struct in in; };
struct xo { int x0; short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
char g0; uint32_t g1; int8_t g2; self short i0; this uint64_t j0; self long i1; this unsigned short j1; 
string s0, s1; self string t0; this string u0;
int a0[int]; int8_t a1[string, int]; self long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned char arr[4]; this long long tarr[4]; self int sp;
inline int SQUARE[char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "%s%d";
BEGIN
{
	g0 = '\\'; g1 = 715; g2 = '\0'; s0 = "oct\101hex\x41"; s1 = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}";
	st.m0 = 44; st.m3 = -37; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 717; un.w = 77; self->p = sp;
}

END
{
	@a0[ustack(2), ustack(2), 'ab'] = llquantize(g0, 10, 2, 4, 5);
	@a1[this->j1, self->i0] = stddev(g0);
	@a2[s0] = llquantize(g0, 3, 1, 5, 3);
	@a3[g0, stringof(curpsinfo->pr_psargs), ustack(2)] = avg(g0);
	@a4["a", s1, 1UL] = sum(g0);
}

syscall:::entry, ERROR
{
	sp->m0 = 811;
	if (strlen(copyinstr((uintptr_t)(void *)&sp->next, 58))) {
		denormalize(@a2);
	} else {
		self->ss[lltostr(7, 24)] = (s0 = inet_ntoa6(copyin(NULL, 4)));
	}
	st = this->tst;
	}

