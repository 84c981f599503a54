#pragma D option specsize=256
typedef unsigned short myint;
enum color { RED = -3, GREEN = 132, LIMIT };
struct in { short n0; unsigned short n1; };
struct s { int m0:10; unsigned short m1; int m2:19; unsigned char m3; uint64_t m4; unsigned m5:18; int m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned w; char c[12]; struct in in; };
struct xo { int x0; long long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
uint64_t g0; long long g1; unsigned short g2; self int i0; this int8_t j0; self unsigned i1; this unsigned char j1; 
string s0, s1; self string t0; this string u0;
char a0[int]; uint32_t a1[string, int]; self long long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned arr[4]; this long long tarr[4]; self int sp;
inline short SQUARE[char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 1; g1 = 0x7fffffffffffffff; g2 = 0x7a1d94e0; s0 = "oct\101hex\x41"; s1 = "a,b;c d";
	st.m0 = 74; st.m3 = -27; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 568; un.w = 77; self->p = sp;
}

END
{
	@a0 = quantize(g0);
	@a1 = min(g0);
	@a2[this->u0, "/usr/bin/../lib//x/", this->u0] = lquantize(g0, -16, 29, 8);
	@a3[stack(3), caller, s0] = min(g0);
	@a4[0x413fe0b3, probefunc] = max(g0);
}

ERROR
/ sizeof(struct in) /
{
	if (self->i0) {
		g1 = (this->j1 &= (((void *)self->p != (struct s *)(void *)&`translatorputnext) >= this->j0));
	}
	trace((("12345678901234567890" >= basename(this->u0)) - ((ucaller % 0x1c7e480b) ? (-2147483648 > 0755) : this->j1)));
	trunc(@a0, 0);
	(this->j1 <<= (stringof((char *)(void *)sp->bytes) < inet_ntop(5, (void *)curthread)));
	trace(((--a1[this->u0, this->j1]) << $uid));
	self->i1 = (+(LIMIT) > ((uchar_t)(curpsinfo->pr_pid) % (short)(g2)));
	}

