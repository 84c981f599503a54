#pragma D option strsize=3
typedef uint64_t myint;
enum color { RED = -3, GREEN = 121, LIMIT };
struct in { uint32_t n0; long n1; };
struct s { unsigned short m0; unsigned m1:26; unsigned m2:26; uint32_t m3; unsigned m4:7; long m5; unsigned m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned w; char c[12]; struct in in; };
struct xo { int x0; short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
long long g0; long long g1; char g2; self int8_t i0; this int8_t j0; self int i1; this uint32_t j1; 
string s0, s1; self string t0; this string u0;
uint32_t a0[int]; unsigned a1[string, int]; self uint32_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned char arr[4]; this unsigned char tarr[4]; self int sp;
inline uint64_t SQUARE[unsigned x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "";
BEGIN
{
	g0 = 128; g1 = 0x7fffffffffffffff; g2 = 65535; s0 = "a"; s1 = "tab\there\n";
	st.m0 = 55; st.m3 = -56; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 759; un.w = 77; self->p = sp;
}

END
{
	@a0[stack(3), ustack(2), stack(3)] = max(g0);
	@a1[func((uintptr_t)&`putnext), g1, ustack(2)] = lquantize(g0, -10, 169, 132);
	@a2[$$0, stack(3), this->u0] = count();
	@a3[ppid, ustack(2)] = count();
	@a4[func((uintptr_t)caller), ustack(2)] = lquantize(g0, -22, 176, 19);
}

syscall:::entry
{
	st = asp[g0];
	;
	if (*(uint64_t *)(void *)(self->p = (struct s *)(void *)NULL)) {
		s1 = substr(s1, (arr[$pid & 3]--));
	tracemem((void *)(uintptr_t)((self->i1 + NULL)), 71, ((uchar_t *)(void *)st.next)[$uid]);
	}
	printf("=%-*s %-.7u\n", (int)-12, json(stringof((char *)(void *)self->p), inet_ntop(5, (void *)&`putnext)), (((s0 = self->t0) <= (s1 = zonename))));
	@a2[dirname(lltostr(uid, 0)), ustack(2), s0] = count();
	}

profile-97
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	sp->m3 = ((((void *)sp->next > (struct s *)(void *)st.next) ? s0 : lltostr(629, 4)), ((g1 >= 0x57bbbaaa) > (uint16_t)(g1)));
	}

fbt:unix::entry, tick-10ms
/ (((void *)&sp->bytes[2] <= (struct s *)(void *)(uintptr_t)id) % g0) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	@a0[stack(3), ustack(2), stack(3)] = max((uint16_t)((caller || pid)));
	printf("= %16.2S[%0#18s%0#.15s, ", self->t0, stringof((char *)(void *)sp->next), ((this->j1 || 0x21e32459) ? (self->t0 = self->t0) : json(this->u0, this->u0)));
	}

