#pragma D option rawbytes
#pragma D option bufpolicy=fill
#pragma D option quiet
typedef unsigned char myint;
enum color { RED, GREEN = -26, LIMIT };
struct in { uint64_t n0; unsigned short n1; };
struct s { unsigned m0:6; int8_t m1; int m2:3; char m3; int m4:15; unsigned m5:26; int m6:29; char bytes[8]; struct in in; struct s *next; string name; };
union u { int w; char c[12]; struct in in; };
struct xo { int x0; short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
unsigned g0; unsigned short g1; long long g2; self short i0; this int j0; self unsigned short i1; this uint64_t j1; 
string s0, s1; self string t0; this string u0;
uint32_t a0[int]; char a1[string, int]; self uint64_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint32_t arr[4]; this long tarr[4]; self int sp;
inline int SQUARE[int x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 64; g1 = 64; g2 = 0x50fd9989; s0 = "12345678901234567890"; s1 = "a,b;c d";
	st.m0 = 62; st.m3 = -19; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 231; un.w = 77; self->p = sp;
}

END
{
	@a0[func((uintptr_t)caller), "oct\101hex\x41"] = quantize(g0);
	@a1[cpu, "/usr/bin/../lib//x/"] = max(g0);
	@a2['a', g0, sym((uintptr_t)curthread)] = count();
	@a3[this->j0] = quantize(g0);
	@a4[64, "12345678901234567890", func((uintptr_t)caller)] = stddev(g0);
}

tick-100ms, sched:::
{
	st.m1 = (++self->i1);
	printf("=%%%*d[%'Y]%'10.202o%-+18ld, ", (int)pid, (((g1 > 189) < (caller / this->j0))), (int64_t)((a0[curthread->t_pri] += (++g0))), (arg2), (long)((-(caller) % (self->i0 >= 0x6dd765da))));
	trace(st.name);
	printf("=x%0.4u\t%'s ", (+((s1 <= s1))), s1);
	trace(s0);
	}

syscall:::entry, ip:::receive
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	@a4[xlate<struct xo>(sp).x1, this->u0, func((uintptr_t)curthread)] = stddev(((self->i0 / arg2) >= ("abc", '\377')));
	@a0[sym((uintptr_t)caller), stringof((char *)(void *)(self->p = (struct s *)(void *)&sp->in))] = quantize((enum color)((this->j0 |= id)), (uint16_t)(g0));
	}

fbt::canputnext:
/ ((epid ? curpsinfo->pr_fname : "-0x7f") <= s1) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	commit(self->sp);
	(sp->m5 <<= (self->t0, - -(0x19edf8e8)));
	g0 = (index((g2 ? s1 : this->u0), (GREEN ? s0 : s0), (arg2 >= self->i1)) ? (long long)(speculation()) : (uint64_t)((g2 <<= LIMIT)));
	sp->in.n0 = 899;
	(sp->in.n0 ^= (int64_t)((g1 ^ $pid)));
	}

tick-300ms, tick-10ms
{
	printf("=x");
	if (((0x60df2cc7 > g1) >> ppid)) {
		if (((self->i1 >> this->j1) % (this->j1 *= -32768))) {
		st.name = ((~('\n') - (cpu && uid)) ? stringof((char *)(void *)sp) : self->ss["a,b;c d"]);
	@a3[(toupper(TEXT) < substr(s0, self->i0, 64))] = quantize(((long)(self->i1) != (g2 >> id)));
	}
	}
	}

