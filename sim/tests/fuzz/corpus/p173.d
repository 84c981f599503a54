#pragma D option temporal
#pragma D option temporal
#pragma D option agghist
typedef long long myint;
enum color { RED = -3, GREEN = -22, LIMIT };
struct in { uint32_t n0; unsigned n1; };
struct s { unsigned char m0; short m1; unsigned m2:16; int m3:2; char m4; int m5; short m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { long long w; char c[12]; struct in in; };
struct xo { int x0; long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
int8_t g0; uint32_t g1; char g2; self long long i0; this char j0; self short i1; this long long j1; 
string s0, s1; self string t0; this string u0;
unsigned char a0[int]; uint32_t a1[string, int]; self uint64_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
int arr[4]; this int8_t tarr[4]; self int sp;
inline char SQUARE[unsigned char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "hello world";
BEGIN
{
	g0 = '\n'; g1 = 0x2f32fe6f; g2 = 0755; s0 = "tab\there\n"; s1 = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}";
	st.m0 = 40; st.m3 = -41; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 881; un.w = 77; self->p = sp;
}

END
{
	@a0[g0, $pid, sym((uintptr_t)arg0)] = llquantize(g0, 10, 0, 3, 10);
	@a1[s0, "tab\there\n"] = count();
	@a2[self->t0] = avg(g0);
	@a3[stack(3), this->u0] = min(g0);
	@a4[stack(3)] = sum(g0);
}

fbt::allocb:
/ (self->i1 |= 256) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	if (self->i0) {
		trace((+(g2) == index(json(probefunc, this->u0), strjoin(s1, self->t0))));
	sp->m1 = ((index("12345678901234567890", s1, vtimestamp) ? stringof((char *)(void *)sp) : (self->t0 = s1)) != stringof((char *)(void *)(uintptr_t)(RED)));
	if ((arg9 + (ipl ? 0x1cc67020 : 'a'))) {
		arr[(s0, self->i0) & 3] = *(long *)(void *)(self->p = (struct s *)(void *)(uintptr_t)(g0));
	st.next = sp;
	self->ss[strrchr("-0x7f", pid)] = copyinstr((uintptr_t)(sp->m2--), 72);
	} else {
		a0[+(63)] = sp->in.n0;
	}
	}
	if (((uregs[0] + id) + this->j1)) {
		tracemem((void *)sp, 41);
	if ((g1 <<= (self->i0--))) {
		printf("=, %-.10hd[%0276.7ox% 13llx[", (short)(!((366 ? g1 : 420))), (((53 / 0x44fb0222) ? (uid ^ self->i1) : speculation())), (long long)(((void *)(uintptr_t)(821) >= (struct s *)(void *)(self->p = (struct s *)(void *)self->q))));
	@a3[stack(3), (s1 = (s0 = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz"))] = min((LIMIT ? ($$0 > this->u0) : htonl('\n')));
	} else {
		st.name = s1;
	}
	} else {
		st.name = lltostr(576, 30);
	}
	trunc(@a1, -4);
	s1 = (g0 ? self->t0 : (g1 ? stringof((char *)(void *)sp) : strstr(s1, this->u0)));
	}

proc:::
{
	discard(1);
	(sp->in.n0 -= this->j0);
	}

fbt:unix::entry
{
	self->i1 = curthread->t_pri;
	(g0 += (rand() ^ (this->j1 <= g1)));
	(g1 /= (arr[arg1 & 3]++));
	@a4[stack(3)] = sum((g0++));
	}

ERROR
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	(g0 >>= (inet_ntoa6((void *)sp->next), 'a'));
	@a2[inet_ntop(AF_INET, (void *)(self->p = (struct s *)(void *)self->p))] = avg((NULL ? (g1 - g1) : g1));
	a1[strjoin(s0, s0), (--self->i0)] = ((++this->j1) << (dirname("tab\there\n") == stringof((char *)(void *)curthread)));
	if ((sp->m6++)) {
		if (*(uint64_t *)(void *)(self->p = (struct s *)(void *)self->p)) {
		0;
	self->i0 = (((g0 ^ g2) >= self->i0) << xlate<struct xo>(sp).x0);
	@a1[strtok(NULL, self->t0), substr((this->u0 = $$0), ((void *)&`putnext != (struct s *)(void *)&sp->in))] = count();
	} else {
		g2 = ((struct s *)(void *)self->q)->m0;
	}
	self->ss[substr(root, self->i0)] = toupper(stringof((char *)(void *)(uintptr_t)id));
	self->a2[substr(s0, 629, '\\')] = ((self->a2[self->t0] <<= (55 / ipl)) ^^ (--a0['\0']));
	} else {
		@a0[(++this->tarr[g0 & 3]), cpu, sym((uintptr_t)curthread)] = llquantize((SQUARE[arg1] | (LIMIT ? LIMIT : g1)), 10, 0, 3, 10, (s0, g0));
	}
	}

