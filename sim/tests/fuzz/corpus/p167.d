#pragma D option rawbytes
#pragma D option statusrate=1ms
#pragma D option droptags
typedef char myint;
enum color { RED, GREEN = 125, LIMIT };
struct in { int n0; long n1; };
struct s { int m0:19; int m1:19; int m2; short m3; unsigned m4:27; uint32_t m5; unsigned m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { int w; char c[12]; struct in in; };
struct xo { int x0; int x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
uint32_t g0; long g1; unsigned char g2; self short i0; this uint64_t j0; self int i1; this long long j1; 
string s0, s1; self string t0; this string u0;
unsigned char a0[int]; uint32_t a1[string, int]; self uint32_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned arr[4]; this unsigned char tarr[4]; self int sp;
inline int SQUARE[char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "%s%d";
BEGIN
{
	g0 = RED; g1 = 0; g2 = '\0'; s0 = "abc"; s1 = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz";
	st.m0 = 65; st.m3 = -23; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 815; un.w = 77; self->p = sp;
}

END
{
	@a0[g2] = lquantize(g0, -11, 131, 83);
	@a1[stack(3), g1] = avg(g0);
	@a2[self->t0] = max(g0);
	@a3 = lquantize(g0, -25, 153, 55);
	@a4[s1] = lquantize(g0, 13, 201, 120);
}

tick-100ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	commit(self->sp);
	(this->tst.m6 = (--this->j1));
	}

fbt::putnext:return
/ - -((this->j1 >> pid)) /
{
	(a1[toupper(s1), offsetof(struct s, bytes)] &= - -((this->j0 != 738)));
	normalize(@a4, (++this->j1));
	self->t0 = substr(((long long)(g2) ? strchr(self->t0, self->i1) : s0), (short)(this->j0), (sp->m0--));
	print(curpsinfo);
	@a4[stringof((char *)(void *)self->q)] = lquantize(((this->j1++) <= (zonename >= s0)), 13, 201, 120);
	}

proc:::
/ (a0[this->j0]--) /
{
	if ((this->tst.m4 >>= (unsigned char)(1UL))) {
		self->ss[stringof((char *)(void *)&sp->in)] = substr(stringof((char *)(void *)curthread), (g1 | (this->u0 != "\377\200")), (inet_ntoa6((void *)sp->next) < s0));
	printf("=%%%0#A%+10lx\n", (uintptr_t)(((probeprov, GREEN) % sizeof(GREEN))), (long)((strlen("{\"a\":[1,{\"b\":\"x\"}],\"c\":null}") ? ($$0, arg9) : -1)));
	} else {
		@a4[$$0] = lquantize(self->a2[this->u0], 13, 201, 120, (228 >= tid));
	}
	}

tick-10ms, tick-100ms
/ a0[this->j0] /
{
	@a0[-(927)] = lquantize((this->j0 -= (this->j0 ? self->i1 : 303)), -11, 131, 83);
	(arr[(uchar_t)(63) & 3] >>= g0);
	self->ss["abc"] = strrchr((as[this->j1] = self->t0), (arr[1UL & 3] <<= getminor(self->i1)));
	this->u0 = dirname(cleanpath((g0 ? "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz" : "/usr/bin/../lib//x/")));
	}

