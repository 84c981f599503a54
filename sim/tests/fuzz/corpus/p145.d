#pragma D option strsize=16
#pragma D option flowindent
#pragma D option aggsortrev
typedef uint32_t myint;
enum color { RED, GREEN = 40, LIMIT };
struct in { uint32_t n0; long n1; };
struct s { short m0; uint32_t m1; int m2:13; uint32_t m3; int m4; int m5:7; int m6:31; char bytes[8]; struct in in; struct s *next; string name; };
union u { uint32_t w; char c[12]; struct in in; };
struct xo { int x0; unsigned short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
unsigned g0; long g1; unsigned char g2; self long long i0; this unsigned char j0; self unsigned i1; this unsigned char j1; 
string s0, s1; self string t0; this string u0;
uint64_t a0[int]; uint64_t a1[string, int]; self unsigned a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned char arr[4]; this int tarr[4]; self int sp;
inline short SQUARE[unsigned short x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 0x3c1bd669; g1 = LIMIT; g2 = 0xffffULL; s0 = ""; s1 = "/usr/bin/../lib//x/";
	st.m0 = 37; st.m3 = -30; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 265; un.w = 77; self->p = sp;
}

END
{
	@a0[probemod, 0x2167aa8f, this->j1] = llquantize(g0, 3, 1, 5, 3);
	@a1 = min(g0);
	@a2[zonename] = stddev(g0);
	@a3 = sum(g0);
	@a4[this->u0, this->u0, gid] = max(g0);
}

tick-1ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	speculate(self->sp);
	(a1[json("abc", "hello world"), (self->i0 - ppid)] -= (alloca(47) > (struct s *)alloca(59)));
	(a0[(this->j0++)] >>= self->i0);
	}

fbt:genunix:str*:entry, fbt:genunix:*b:return
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->sp = speculation();
	tracemem((void *)((char *)(void *)sp - rindex(s0, s0, '\\')), 66);
	tracemem(copyin((self->i1 ? g2 : 0x4c7926dc), 40), 22);
	;
	st.name = inet_ntoa6((void *)((char *)(void *)((char *)(void *)self->q - GREEN) + ($pid ^ 127)));
	this->j1 = this->j0;
	}

fbt:ip::
{
	sp = (struct s *)alloca(sizeof(struct s));
	}

