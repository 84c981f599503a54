#pragma D option bufsize=64k
typedef unsigned myint;
enum color { RED = -3, GREEN = -18, LIMIT };
struct in { unsigned n0; int8_t n1; };
struct s { int m0:28; long m1; long m2; long long m3; int m4:31; unsigned m5; char m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { long w; char c[12]; struct in in; };
struct xo { int x0; long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
int8_t g0; unsigned g1; uint64_t g2; self int i0; this unsigned short j0; self int i1; this unsigned j1; 
string s0, s1; self string t0; this string u0;
char a0[int]; long a1[string, int]; self long long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint32_t arr[4]; this uint32_t tarr[4]; self int sp;
inline unsigned char SQUARE[uint32_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = NULL; g1 = 2; g2 = 'a'; s0 = "hello world"; s1 = "a,b;c d";
	st.m0 = 75; st.m3 = -89; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 509; un.w = 77; self->p = sp;
}

END
{
	@a0[g2] = min(g0);
	@a1[root] = avg(g0);
	@a2 = llquantize(g0, 10, 2, 4, 5);
	@a3[stack(3), s1] = stddev(g0);
	@a4[s1] = count();
}

tcp:::
{
	this->tarr[st.bytes[arg3 & 7] & 3] = (--sp->in.n0);
	}

fbt:genunix:*b:return
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	as[strtoll(s0, 19)] = (st.name = copyinstr((uintptr_t)this->j0, 84));
	trace(self->i1);
	@a4[((g0 += g0) ? lltostr(stackdepth, 12) : stringof((char *)(void *)&sp->in))] = count();
	}

