#pragma D option switchrate=5ms
typedef int8_t myint;
enum color { RED, GREEN = 128, LIMIT };
struct in { long n0; long long n1; };
struct s { int m0:24; int m1:1; uint64_t m2; uint64_t m3; long long m4; unsigned char m5; uint32_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { short w; char c[12]; struct in in; };
struct xo { int x0; int x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
short g0; long long g1; uint32_t g2; self unsigned short i0; this unsigned j0; self unsigned i1; this unsigned j1; 
string s0, s1; self string t0; this string u0;
uint32_t a0[int]; char a1[string, int]; self char a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
int arr[4]; this unsigned tarr[4]; self int sp;
inline long SQUARE[int x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "tab\there\n";
BEGIN
{
	g0 = 1UL; g1 = 0x388366ea; g2 = 0x4e2e9194; s0 = "tab\there\n"; s1 = "12345678901234567890";
	st.m0 = 40; st.m3 = -23; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 916; un.w = 77; self->p = sp;
}

END
{
	@a0[stack(3)] = quantize(g0);
	@a1["", mod((uintptr_t)arg0)] = avg(g0);
	@a2 = llquantize(g0, 10, 2, 4, 5);
	@a3[g2, "oct\101hex\x41"] = avg(g0);
	@a4 = stddev(g0);
}

tick-100ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	@a4 = stddev((self->i1 = (self->i0 /= stackdepth)));
	(this->j1 *= (++self->i1));
	(g0 %= errno);
	self->a2[substr(this->u0, g2)] = strlen((s0 = strstr(s0, self->t0)));
	self->t0 = st.name;
	}

profile-97
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	sym((uintptr_t)~(curpsinfo->pr_pid));
	g0 = ('\\' || (lltostr('\n', 19) == (curthread->t_pri ? self->t0 : self->t0)));
	}

fbt::putnext:entry, fbt::allocb:
/ (++a0[g2]) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	g2 = (int)(sp - (struct s *)copyin((g2 == uregs[0]), 0));
	self->ss[(1 ? self->t0 : s1)] = (as[mutex_owned((void *)self->q)] = basename(copyinstr((uintptr_t)(void *)&sp->bytes[2], 137)));
	@a0[stack(3)] = quantize(rw_read_held((void *)((char *)(void *)self->p - 4294967295)));
	}

BEGIN
/ ((this->j1 ^ self->i1) / (0x28aab844 || g2)) /
{
	trace(self->t0);
	}

