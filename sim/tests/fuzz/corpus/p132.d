#pragma D option aggzoom
#pragma D option errtags
typedef uint32_t myint;
enum color { RED, GREEN = 69, LIMIT };
struct in { uint64_t n0; uint64_t n1; };
struct s { uint32_t m0; long m1; int m2; unsigned char m3; long m4; unsigned short m5; int8_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { uint64_t w; char c[12]; struct in in; };
struct xo { int x0; uint32_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
unsigned short g0; long long g1; uint32_t g2; self long i0; this int j0; self int8_t i1; this long j1; 
string s0, s1; self string t0; this string u0;
uint64_t a0[int]; unsigned char a1[string, int]; self unsigned a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned char arr[4]; this uint32_t tarr[4]; self int sp;
inline long SQUARE[unsigned short x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 31; g1 = 1UL; g2 = 2147483648; s0 = "hello world"; s1 = "hello world";
	st.m0 = 65; st.m3 = -10; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 241; un.w = 77; self->p = sp;
}

END
{
	@a0[this->j0] = max(g0);
	@a1[arg0, probename, ucaller] = llquantize(g0, 2, 0, 6, 2);
	@a2[self->i0, curpsinfo->pr_fname] = max(g0);
	@a3[this->j0] = quantize(g0);
	@a4[s0, s0] = lquantize(g0, 5, 50, 39);
}

tick-1ms
{
	if ((self->a2[self->t0]++)) {
		as[128] = ((self->i0--) ? stringof((char *)(void *)(self->p = (struct s *)(void *)self->q)) : strrchr(strjoin(probename, s1), (--g1)));
	} else {
		@a0[(- -(256) != (self->i1--))] = max(((g1 |= tid) - (size_t)(g0)));
	}
	this->tarr[msgsize((mblk_t *)(void *)sp->bytes) & 3] = ((`machine_cpu << (caller == g1)) ? ((self->t0 = s1), this->j1) : this->j1);
	a1[substr(stringof(curpsinfo->pr_psargs), this->j0), mutex_owned((void *)self->p)] = rindex(s0, strstr(s0, strchr(s1, 0x61bd91d5)));
	}

