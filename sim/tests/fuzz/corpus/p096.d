#pragma D option argref
typedef uint64_t myint;
enum color { RED, GREEN = -4, LIMIT };
struct in { unsigned short n0; int n1; };
struct s { int m0:26; int m1; int m2:15; unsigned m3:27; int m4; char m5; int m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { uint32_t w; char c[12]; struct in in; };
struct xo { int x0; uint64_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
unsigned g0; int g1; uint64_t g2; self char i0; this long j0; self short i1; this uint64_t j1; 
string s0, s1; self string t0; this string u0;
char a0[int]; long a1[string, int]; self long long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
int8_t arr[4]; this unsigned short tarr[4]; self int sp;
inline long long SQUARE[unsigned char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "%s%d";
BEGIN
{
	g0 = -2147483648; g1 = 1UL; g2 = LIMIT; s0 = "%s%d"; s1 = "abc";
	st.m0 = 61; st.m3 = -70; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 510; un.w = 77; self->p = sp;
}

END
{
	@a0[ustack(2)] = sum(g0);
	@a1[GREEN] = min(g0);
	@a2["abc", 255] = stddev(g0);
	@a3["hello world", s1] = lquantize(g0, -12, 136, 89);
	@a4[pid, s1] = count();
}

fbt::putnext:return
{
	arr[~(this->j0) & 3] = g2;
	this->j0 = ((+(curthread->t_pri) | BIGGER[3, caller]) ? self->i0 : (- -('\0') + - -(267)));
	a1[(this->u0 = s0), offsetof(struct s, next)] = (((int)('a') ? !(this->j1) : (-128 % 'ab')) | ((self->i1 ? (-9223372036854775807 - 1) : arg3) && (g0 >>= g2)));
	}

