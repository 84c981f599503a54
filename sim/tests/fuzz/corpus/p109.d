#pragma D option strsize=16
#pragma D option aggsize=512
typedef unsigned char myint;
enum color { RED = -3, GREEN = -47, LIMIT };
struct in { unsigned n0; char n1; };
struct s { int m0; long m1; long m2; unsigned short m3; int m4; long m5; unsigned short m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { int w; char c[12]; struct in in; };
struct xo { int x0; int8_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
short g0; uint64_t g1; uint32_t g2; self char i0; this unsigned char j0; self char i1; this char j1; 
string s0, s1; self string t0; this string u0;
unsigned char a0[int]; short a1[string, int]; self unsigned a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
char arr[4]; this short tarr[4]; self int sp;
inline uint32_t SQUARE[uint32_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 826; g1 = '\377'; g2 = 2147483647; s0 = "%s%d"; s1 = "a,b;c d";
	st.m0 = 1; st.m3 = -3; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 305; un.w = 77; self->p = sp;
}

END
{
	@a0 = max(g0);
	@a1[this->u0, this->u0] = min(g0);
	@a2[self->t0, this->j1] = lquantize(g0, -27, 97, 85);
	@a3["/usr/bin/../lib//x/"] = min(g0);
	@a4 = sum(g0);
}

ERROR
{
	trace(this->tst);
	if (this->j1) {
		sp->m1 = (a1[stringof((char *)(void *)(uintptr_t)id), +(g0)] ^= (a0[g0]++));
	} else {
		(self->a2["a"] >>= ((--this->j1) == (this->j1 ? 923 : g2)));
	}
	arr[(self->i0 << this->j1) & 3] = epid;
	a1[self->t0, (1UL ? ppid : g0)] = (lltostr((g2 - errno), 10) > lltostr((cpu / arg3), 21));
	}

