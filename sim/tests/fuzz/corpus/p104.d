typedef unsigned myint;
enum color { RED, GREEN = 68, LIMIT };
struct in { char n0; uint32_t n1; };
struct s { short m0; uint64_t m1; long m2; short m3; short m4; long long m5; int m6:11; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned short w; char c[12]; struct in in; };
struct xo { int x0; uint32_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
uint32_t g0; char g1; uint64_t g2; self long long i0; this uint32_t j0; self short i1; this short j1; 
string s0, s1; self string t0; this string u0;
long a0[int]; int a1[string, int]; self short a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
int arr[4]; this unsigned tarr[4]; self int sp;
inline long SQUARE[int x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = '\377'; g1 = NULL; g2 = '\0'; s0 = "\377\200"; s1 = "";
	st.m0 = 69; st.m3 = -24; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 539; un.w = 77; self->p = sp;
}

END
{
	@a0[this->u0, s1, LIMIT] = count();
	@a1[self->i0, stack(3), '\377'] = stddev(g0);
	@a2[this->j0, mod((uintptr_t)arg0)] = quantize(g0);
	@a3[g2] = min(g0);
	@a4 = stddev(g0);
}

tick-100ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	g2 = (substr((0x5a6bb6ce ? "tab\there\n" : "\377\200"), this->j1, (enum color)(821)), ((979 << 0x719bea10) ? msgdsize((mblk_t *)(void *)(uintptr_t)id) : (s1 != "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}")));
	@a4 = stddev(strtoll((-1 ? this->u0 : s1), (g2 ? arg3 : g2)));
	}

