#pragma D option bufsize=1k
typedef int myint;
enum color { RED = -3, GREEN = -22, LIMIT };
struct in { int n0; unsigned char n1; };
struct s { char m0; long long m1; int m2:5; long m3; uint64_t m4; uint64_t m5; char m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { int w; char c[12]; struct in in; };
struct xo { int x0; unsigned short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
short g0; unsigned char g1; unsigned g2; self int i0; this unsigned char j0; self short i1; this unsigned char j1; 
string s0, s1; self string t0; this string u0;
unsigned a0[int]; uint32_t a1[string, int]; self uint32_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
short arr[4]; this unsigned tarr[4]; self int sp;
inline unsigned short SQUARE[uint32_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 2147483648; g1 = RED; g2 = 0x205b7ca3; s0 = ""; s1 = "hello world";
	st.m0 = 93; st.m3 = -10; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 523; un.w = 77; self->p = sp;
}

END
{
	@a0 = min(g0);
	@a1[sym((uintptr_t)arg0), stringof(curpsinfo->pr_psargs), g0] = stddev(g0);
	@a2["%s%d"] = avg(g0);
	@a3 = min(g0);
	@a4[sym((uintptr_t)arg0), stack(3)] = quantize(g0);
}

profile-97
{
	stack(6);
	if (((this->j0 *= '\n') || offsetof(struct s, next))) {
		this->j0 = (arg1 >= (uint64_t)((32 ^^ g1)));
	as[(this->u0 <= $$0)] = json((st.name = strjoin(s0, s0)), (self->ss[probemod] = s0));
	}
	}

ERROR
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->ss[self->t0] = ((a1[cwd, this->j1] = (self->i0 ? 0x5b2cfa0f : 'ab')) ? strchr(strstr(root, probeprov), (self->i0 << self->i1)) : self->t0);
	}

fbt::putnext:return, ip:::receive
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	a1[(s1 = s0), (this->u0, 415)] = (self->i0--);
	}

