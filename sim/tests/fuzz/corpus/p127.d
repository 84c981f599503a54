#pragma D option statusrate=1ms
#pragma D option switchrate=5ms
#pragma D option printsize=64
typedef long myint;
enum color { RED, GREEN = 12, LIMIT };
struct in { uint64_t n0; uint32_t n1; };
struct s { unsigned m0; unsigned char m1; unsigned m2:30; int m3:31; int m4:19; char m5; int m6:22; char bytes[8]; struct in in; struct s *next; string name; };
union u { uint32_t w; char c[12]; struct in in; };
struct xo { int x0; long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
unsigned char g0; uint32_t g1; unsigned char g2; self int i0; this unsigned short j0; self long long i1; this int8_t j1; 
string s0, s1; self string t0; this string u0;
char a0[int]; unsigned a1[string, int]; self int a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned char arr[4]; this unsigned char tarr[4]; self int sp;
inline unsigned short SQUARE[uint64_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 7; g1 = 873; g2 = -2; s0 = "%s%d"; s1 = "";
	st.m0 = 29; st.m3 = -44; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 415; un.w = 77; self->p = sp;
}

END
{
	@a0[arg1, mod((uintptr_t)&`putnext)] = stddev(g0);
	@a1[uregs[0], "\377\200"] = min(g0);
	@a2[self->t0, $$0] = sum(g0);
	@a3[ustack(2), "tab\there\n", ustack(2)] = llquantize(g0, 10, 0, 6, 20);
	@a4[pid] = max(g0);
}

ERROR
/ a1[s1, g0] /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->sp = speculation();
	a1[dirname(s0), ('a' ? this->j1 : -2)] = (copyin((int16_t)(g0), 57) <= (struct s *)(void *)sp->next);
	printa("\t%-+.0s]%-4s %@d\n", @a2, @a2);
	}

fbt:genunix:str*:entry
/ ((g2 << epid) == $target) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->i0 = self->i0;
	}

