typedef int myint;
enum color { RED, GREEN = 134, LIMIT };
struct in { uint32_t n0; unsigned short n1; };
struct s { char m0; int m1:10; unsigned short m2; int m3:22; unsigned m4:16; unsigned m5:26; int m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { int8_t w; char c[12]; struct in in; };
struct xo { int x0; int8_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
long long g0; short g1; long g2; self long long i0; this int j0; self short i1; this long j1; 
string s0, s1; self string t0; this string u0;
long long a0[int]; unsigned a1[string, int]; self char a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
long arr[4]; this long tarr[4]; self int sp;
inline int SQUARE[long long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 2; g1 = LIMIT; g2 = '\377'; s0 = "abc"; s1 = "";
	st.m0 = 99; st.m3 = -65; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 815; un.w = 77; self->p = sp;
}

END
{
	@a0[probeprov, "/usr/bin/../lib//x/"] = sum(g0);
	@a1[0xffffULL, stack(3), 63] = max(g0);
	@a2[arg1] = stddev(g0);
	@a3 = min(g0);
	@a4[s0] = avg(g0);
}

syscall:::entry
{
	if (($uid >= (tid < arg0))) {
		@a0[((NULL ^ g1) ? this->u0 : (self->t0 = TEXT)), substr(inet_ntoa((ipaddr_t *)(void *)NULL), self->i0, this->j0)] = sum((stringof((char *)(void *)NULL) < json("abc", $$0)));
	usym((uintptr_t)(`machine_cpu << g1));
	s0 = substr(s1, (this->j1 |= (g0 & g2)), (sp->m0 |= NULL));
	}
	g0 = ((struct s *)(void *)&sp->next)->m4;
	}

