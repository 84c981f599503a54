#pragma D option defaultargs
#pragma D option agghist
typedef unsigned myint;
enum color { RED, GREEN = -24, LIMIT };
struct in { int n0; char n1; };
struct s { int m0; unsigned short m1; int m2; unsigned m3:14; int8_t m4; unsigned m5:14; unsigned short m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { long long w; char c[12]; struct in in; };
struct xo { int x0; uint64_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
long g0; long long g1; short g2; self char i0; this uint64_t j0; self unsigned char i1; this long long j1; 
string s0, s1; self string t0; this string u0;
int a0[int]; unsigned a1[string, int]; self unsigned char a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned char arr[4]; this unsigned short tarr[4]; self int sp;
inline char SQUARE[long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "/usr/bin/../lib//x/";
BEGIN
{
	g0 = 559; g1 = 'ab'; g2 = -128; s0 = ""; s1 = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}";
	st.m0 = 98; st.m3 = -97; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 2; un.w = 77; self->p = sp;
}

END
{
	@a0 = stddev(g0);
	@a1 = count();
	@a2["abc"] = quantize(g0);
	@a3["", NULL, 64] = stddev(g0);
	@a4[stringof(curpsinfo->pr_psargs)] = stddev(g0);
}

ERROR
/ (self->i0 ? (self->i1 / g1) : (s0, vtimestamp)) /
{
	if (this->j0) {
		g1 = !(strlen((this->u0 = self->t0)));
	ustack(3);
	bcopy((void *)curthread, alloca(33), 9);
	}
	g0 = uregs[0];
	g2 = (+((self->i0 == RED)) ? (--st.m1) : (423 % (0x3255b862 * this->j0)));
	(sp->m0 %= (--sp->m6));
	st.in.n0 = (ushort_t)((--sp->m2));
	this->tarr[(self->i0 <= 998) & 3] = rand();
	}

