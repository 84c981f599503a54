#pragma D option specsize=256
#pragma D option temporal
typedef char myint;
enum color { RED = -3, GREEN = -37, LIMIT };
struct in { long n0; unsigned short n1; };
struct s { unsigned m0:27; unsigned m1; short m2; unsigned char m3; unsigned m4:7; unsigned short m5; int8_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { short w; char c[12]; struct in in; };
struct xo { int x0; uint64_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
uint64_t g0; uint64_t g1; unsigned g2; self unsigned char i0; this unsigned char j0; self short i1; this unsigned short j1; 
string s0, s1; self string t0; this string u0;
long a0[int]; uint64_t a1[string, int]; self unsigned a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
int8_t arr[4]; this unsigned tarr[4]; self int sp;
inline long SQUARE[char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "%s%d";
BEGIN
{
	g0 = 8; g1 = 586; g2 = '\377'; s0 = "%s%d"; s1 = "/usr/bin/../lib//x/";
	st.m0 = 13; st.m3 = -8; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 511; un.w = 77; self->p = sp;
}

END
{
	@a0[self->i1, this->j1] = min(g0);
	@a1[0755, this->u0] = avg(g0);
	@a2 = llquantize(g0, 3, 1, 5, 3);
	@a3[this->u0, "%s%d"] = min(g0);
	@a4[func((uintptr_t)arg0), ustack(2)] = sum(g0);
}

fbt::*rput*:
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->sp = speculation();
	if (((LIMIT != self->i1) <= 32767)) {
		@a4[sym((uintptr_t)arg0), ustack(2)] = sum(2);
	stack(1);
	}
	}

