#pragma D option ustackframes=1
#pragma D option dynvarsize=256
typedef unsigned char myint;
enum color { RED, GREEN = -42, LIMIT };
struct in { int8_t n0; short n1; };
struct s { unsigned m0:26; unsigned m1; unsigned short m2; uint32_t m3; unsigned m4:16; unsigned m5:21; unsigned m6:6; char bytes[8]; struct in in; struct s *next; string name; };
union u { long long w; char c[12]; struct in in; };
struct xo { int x0; unsigned char x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
int g0; long long g1; int g2; self short i0; this unsigned j0; self int i1; this long long j1; 
string s0, s1; self string t0; this string u0;
unsigned short a0[int]; int a1[string, int]; self short a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
long long arr[4]; this long tarr[4]; self int sp;
inline unsigned char SQUARE[long long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "a";
BEGIN
{
	g0 = '\\'; g1 = '\377'; g2 = 256; s0 = "tab\there\n"; s1 = "oct\101hex\x41";
	st.m0 = 89; st.m3 = -43; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 985; un.w = 77; self->p = sp;
}

END
{
	@a0 = max(g0);
	@a1 = avg(g0);
	@a2[s1, stack(3)] = max(g0);
	@a3["-0x7f", stack(3)] = max(g0);
	@a4 = max(g0);
}

END
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->sp = speculation();
	arr[-(cpu) & 3] = (st.m1++);
	if (offsetof(struct s, name)) {
		usym((uintptr_t)(unsigned char)(self->i0));
	trunc(@a2, 0);
	}
	trace(*curthread);
	}

fbt::allocb:
/ -((self->i1--)) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->sp = speculation();
	self->a2[s0] = id;
	@a1 = avg((ushort_t)(*(long long *)(void *)sp->bytes));
	}

