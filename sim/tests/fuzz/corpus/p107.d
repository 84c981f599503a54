#pragma D option bufpolicy=fill
#pragma D option stackindent=2
typedef short myint;
enum color { RED = -3, GREEN = 65, LIMIT };
struct in { long n0; unsigned n1; };
struct s { long long m0; unsigned m1:3; unsigned char m2; unsigned m3; short m4; char m5; unsigned m6:15; char bytes[8]; struct in in; struct s *next; string name; };
union u { char w; char c[12]; struct in in; };
struct xo { int x0; short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
unsigned g0; unsigned g1; unsigned g2; self unsigned char i0; this unsigned j0; self unsigned short i1; this char j1; 
string s0, s1; self string t0; this string u0;
int8_t a0[int]; uint64_t a1[string, int]; self long long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
long long arr[4]; this long long tarr[4]; self int sp;
inline unsigned char SQUARE[uint32_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}";
BEGIN
{
	g0 = -2; g1 = 703; g2 = 245; s0 = "tab\there\n"; s1 = "12345678901234567890";
	st.m0 = 9; st.m3 = -10; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 330; un.w = 77; self->p = sp;
}

END
{
	@a0[self->i0] = quantize(g0);
	@a1[g0] = lquantize(g0, -2, 168, 134);
	@a2 = lquantize(g0, -10, 99, 51);
	@a3 = sum(g0);
	@a4[func((uintptr_t)curthread)] = quantize(g0);
}

tick-1ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->t0 = ((this->j0++) ? strtok(NULL, stringof((char *)(void *)st.next)) : strjoin(inet_ntop(AF_INET, (void *)self->p), (self->i0 ? this->u0 : s0)));
	}

