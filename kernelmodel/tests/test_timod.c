/* timod over udp and over the loopback transports: data, ioctls, names, waiting, memory, frames. */
#include "tests/nettest.h"
#include "tests/tlitest.h"
#include "timod/timod.h"

NET_SUITE(timod);

/* ---- I_STR ---- */

static _Alignas(8) char iobuf[1024];

/* An I_STR with len bytes of iobuf: the call's value, -1 with user_errno(); *lenp (may be NULL) is what came back. */
static int istr(int64_t fd, int cmd, size_t len, int *lenp)
{
	struct strioctl s = {.ic_cmd = cmd, .ic_timout = 5, .ic_len = (int)len, .ic_dp = iobuf};
	int rv = (int)U_IOCTL(fd, I_STR, &s);

	if (lenp != NULL)
		*lenp = s.ic_len;
	return rv;
}

static void words(int n, const int *w)
{
	memset(iobuf, 0, sizeof(iobuf));
	memcpy(iobuf, w, (size_t)n * sizeof(int));
}
#define WORDS(...) words((int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), (int[]){__VA_ARGS__})
#define IO ((union T_primitives *)(void *)iobuf)

static int ti_bind(int64_t fd, const void *addr, size_t alen, int qlen, int *lenp)
{
	WORDS(T_BIND_REQ, (int)alen, sizeof(struct T_bind_req), qlen);
	if (alen > 0)
		memcpy(iobuf + sizeof(struct T_bind_req), addr, alen);
	return istr(fd, TI_BIND, sizeof(struct T_bind_req) + alen, lenp);
}

static int64_t t_bound(const char *path, const char *addr, int qlen)
{
	int64_t fd = t_open(path, true);

	OK(ti_bind(fd, addr, strlen(addr), qlen, NULL), 0);
	return fd;
}

/* ---- ioctls ---- */

PROGRAM(timod, getinfo)
{
	static const struct {
		const char *path;
		int type;
	} t[] = {
	    {"/dev/ticots", T_COTS}, {"/dev/ticotsord", T_COTS_ORD}, {"/dev/ticlts", T_CLTS}, {"/dev/udp", T_CLTS}};
	int len;

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		int64_t fd = t_open(t[i].path, true);

		WORDS(T_INFO_REQ);
		OK(istr(fd, TI_GETINFO, sizeof(int), &len), 0);
		cr_assert_eq(len, sizeof(struct T_info_ack));
		cr_assert_eq(IO->info_ack.PRIM_type, T_INFO_ACK);
		cr_assert_eq(IO->info_ack.SERV_type, t[i].type);
		cr_assert_eq(IO->info_ack.CURRENT_state, TS_UNBND);
		cr_assert_eq(t_get(fd), T_NOTHING, "only the ioctl is answered");
		OK(U_CLOSE(fd), 0);
	}
	DONE;
}

PROGRAM(timod, bind_and_unbind)
{
	int64_t fd = t_open("/dev/ticlts", true), other = t_open("/dev/ticlts", true);
	int len;

	OK(ti_bind(fd, "name", 4, 0, &len), 0);
	cr_assert_eq(len, sizeof(struct T_bind_ack) + 4);
	cr_assert_eq(IO->bind_ack.PRIM_type, T_BIND_ACK);
	cr_assert_eq(memcmp(iobuf + IO->bind_ack.ADDR_offset, "name", 4), 0);
	cr_assert_eq(ti_bind(fd, "again", 5, 0, &len), TOUTSTATE);
	cr_assert_eq(len, 0);
	cr_assert_eq(ti_bind(other, "name", 4, 0, NULL), TADDRBUSY);
	WORDS(T_BIND_REQ, 4, 999, 0);
	cr_assert_eq(istr(other, TI_BIND, sizeof(struct T_bind_req), NULL), TBADADDR);
	WORDS(O_T_BIND_REQ, 0, 0, 0);
	OK(istr(other, TI_BIND, sizeof(struct T_bind_req), &len), 0);
	cr_assert_eq(len, sizeof(struct T_bind_ack) + 4, "an address of the provider's");
	WORDS(T_UNBIND_REQ);
	OK(istr(fd, TI_UNBIND, sizeof(int), &len), 0);
	cr_assert_eq(len, 0);
	cr_assert_eq(istr(fd, TI_UNBIND, sizeof(int), NULL), TOUTSTATE);
	OK(ti_bind(fd, "name", 4, 0, NULL), 0);
	cr_assert_eq(t_get(fd), T_NOTHING);
	DONE;
}

PROGRAM(timod, wrong_sizes_and_values)
{
	static const struct {
		int cmd;
		int prim;
		size_t size;
	} t[] = {{TI_GETINFO, T_INFO_REQ, sizeof(struct T_info_req)},
		 {TI_BIND, T_BIND_REQ, sizeof(struct T_bind_req)},
		 {TI_UNBIND, T_UNBIND_REQ, sizeof(struct T_unbind_req)},
		 {TI_OPTMGMT, T_SVR4_OPTMGMT_REQ, sizeof(struct T_optmgmt_req)},
		 {TI_CAPABILITY, T_CAPABILITY_REQ, sizeof(struct T_capability_req)},
		 {TI_SYNC, 0, sizeof(struct ti_sync_req)}};
	int64_t fd = t_open("/dev/ticots", true);

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		WORDS(t[i].prim);
		FAILS(istr(fd, t[i].cmd, t[i].size - 1, NULL), EINVAL);
		FAILS(istr(fd, t[i].cmd, 0, NULL), EINVAL);
		FAILS(U_IOCTL(fd, t[i].cmd, iobuf), EINVAL);
		if (t[i].cmd == TI_SYNC)
			continue;
		WORDS(T_CONN_REQ, 0, 0, 0);
		FAILS(istr(fd, t[i].cmd, t[i].size, NULL), EPROTO);
	}
	FAILS(istr(fd, TIMOD | 199, 4, NULL), EINVAL);
	FAILS(istr(fd, TI_GETMYNAME, 16, NULL), EINVAL);
	cr_assert_eq(t_state(fd), TS_UNBND, "none of it reached the provider");
	DONE;
}

PROGRAM(timod, sync)
{
	int64_t fd = t_bound("/dev/ticotsord", "lis", 7);
	struct ti_sync_ack ack;
	int len;

	WORDS(0);
	OK(istr(fd, TI_SYNC, sizeof(int), &len), 0);
	cr_assert_eq(len, sizeof(ack));
	memcpy(&ack, iobuf, sizeof(ack));
	cr_assert_eq(ack.tsa_info.SERV_type, 0, "not asked for");
	cr_assert_eq(ack.tsa_qlen, 0);
	WORDS(TSRF_INFO_REQ | TSRF_QLEN_REQ | TSRF_IS_EXP_IN_RCVBUF);
	OK(istr(fd, TI_SYNC, sizeof(int), &len), 0);
	cr_assert_eq(len, sizeof(ack));
	memcpy(&ack, iobuf, sizeof(ack));
	cr_assert_eq(ack.tsa_info.SERV_type, T_COTS_ORD);
	cr_assert_eq(ack.tsa_info.CURRENT_state, TS_IDLE);
	cr_assert_eq(ack.tsa_qlen, 7);
	cr_assert_eq(ack.tsa_flags, 0);
	DONE;
}

PROGRAM(timod, optmgmt)
{
	int64_t fd = t_open("/dev/udp", true);
	struct T_optmgmt_req req = {T_SVR4_OPTMGMT_REQ, sizeof(struct opthdr) + 4, sizeof(req), T_NEGOTIATE};
	struct opthdr oh = {SOL_SOCKET, SO_BROADCAST, 4};
	int on = 1, len;

	memcpy(iobuf, &req, sizeof(req));
	memcpy(iobuf + sizeof(req), &oh, sizeof(oh));
	memcpy(iobuf + sizeof(req) + sizeof(oh), &on, sizeof(on));
	OK(istr(fd, TI_OPTMGMT, sizeof(req) + sizeof(oh) + sizeof(on), &len), 0);
	cr_assert_geq(len, (int)(sizeof(req) + sizeof(oh) + sizeof(on)));
	cr_assert_eq(IO->optmgmt_ack.PRIM_type, T_OPTMGMT_ACK);
	memcpy(iobuf, &req, sizeof(req));
	oh.name = 0x7777;
	memcpy(iobuf + sizeof(req), &oh, sizeof(oh));
	cr_assert_eq(istr(fd, TI_OPTMGMT, sizeof(req) + sizeof(oh) + sizeof(on), &len), TBADOPT);
	cr_assert_eq(len, 0);
	DONE;
}

PROGRAM(timod, capability)
{
	int64_t fd = t_open("/dev/ticots", true);
	int len;

	WORDS(T_CAPABILITY_REQ, TC1_INFO | TC1_ACCEPTOR_ID);
	OK(istr(fd, TI_CAPABILITY, sizeof(struct T_capability_req), &len), 0);
	cr_assert_eq(len, sizeof(struct T_capability_ack));
	cr_assert_eq(IO->capability_ack.CAP_bits1, TC1_INFO | TC1_ACCEPTOR_ID);
	cr_assert_eq(IO->capability_ack.INFO_ack.SERV_type, T_COTS);
	cr_assert_neq(IO->capability_ack.ACCEPTOR_id, 0);
	DONE;
}

/* ---- providers that know less ---- */

/* T_INFO_REQ is answered; T_CAPABILITY_REQ is not known (deaf: not even answered). */
static bool deaf, mute;
static int old_wput(queue_t *q, mblk_t *mp)
{
	struct T_info_ack info = {.PRIM_type = T_INFO_ACK, .SERV_type = T_CLTS, .CURRENT_state = TS_IDLE};
	struct T_error_ack err = {T_ERROR_ACK, TIM_PRIM(mp), TNOTSUPPORT, 0};
	t_scalar_t prim = TIM_PRIM(mp);
	uchar_t type = DB_TYPE(mp);

	if (type == M_IOCTL) {
		miocnak(q, mp, 0, EINVAL);
		return 0;
	}
	freemsg(mp);
	if ((type != M_PROTO && type != M_PCPROTO) || mute)
		return 0;
	if (prim == T_INFO_REQ)
		putnext(RD(q), bytes_msg(M_PCPROTO, &info, sizeof(info)));
	else if (!deaf)
		putnext(RD(q), bytes_msg(M_PCPROTO, &err, sizeof(err)));
	return 0;
}
STR_MODULE(oldtp, NULL, NULL, old_wput, NULL, 5120, 1024, D_MP);
STREAMS_DRIVER(oldtp, "oldtp", &oldtp_tab, D_MP, "/dev/oldtp=clone", NULL);

PROGRAM(timod, capability_of_providers_that_do_not_know_it)
{
	int64_t fd = t_open("/dev/oldtp", true);
	hrtime_t start;
	int len;

	for (int i = 0; i < 2; i++) {
		deaf = i == 1;
		start = machine_now();
		WORDS(T_CAPABILITY_REQ, TC1_INFO | TC1_ACCEPTOR_ID);
		OK(istr(fd, TI_CAPABILITY, sizeof(struct T_capability_req), &len), 0);
		cr_assert_eq(len, sizeof(struct T_capability_ack));
		cr_assert_eq(IO->capability_ack.PRIM_type, T_CAPABILITY_ACK);
		cr_assert_eq(IO->capability_ack.CAP_bits1, TC1_INFO);
		cr_assert_eq(IO->capability_ack.INFO_ack.SERV_type, T_CLTS);
		/* one that does not answer is given two seconds (and the rest of a tick) */
		cr_assert_geq(machine_now() - start, i == 1 ? 2000000000LL : 0);
		cr_assert_leq(machine_now() - start, i == 1 ? 2020000000LL : 0);
	}
	DONE;
}

PROGRAM(timod, an_ioctl_without_an_answer_times_out)
{
	int64_t fd = t_open("/dev/oldtp", true);

	mute = true;
	FAILS(ti_bind(fd, "x", 1, 0, NULL), ETIME);
	mute = false;
	WORDS(T_INFO_REQ);
	OK(istr(fd, TI_GETINFO, sizeof(int), NULL), 0);
	mute = true;
	WORDS(T_INFO_REQ);
	FAILS(istr(fd, TI_GETINFO, sizeof(int), NULL), ETIME);
	OK(U_CLOSE(fd), 0); /* what is kept is freed */
	DONE;
}

PROGRAM(timod, an_error_ends_a_pending_ioctl)
{
	int64_t fd = t_bound("/dev/ticots", "a", 0);

	OK(t_words(fd, 2, T_UNITDATA_REQ, 0, 0, 0, 0), 0); /* ticots has none: M_ERROR */
	WORDS(T_INFO_REQ);
	FAILS(istr(fd, TI_GETINFO, sizeof(int), NULL), EPROTO);
	DONE;
}

/* ---- names ---- */

static char name_buf[64];
static struct netbuf nb;

static int getname(int64_t fd, int cmd, uint_t room)
{
	memset(name_buf, 0, sizeof(name_buf));
	nb = (struct netbuf){room, 77, name_buf};
	return (int)U_IOCTL(fd, cmd, &nb);
}
#define EXPECT_NAME(fd, cmd, text)                         \
	do {                                               \
		OK(getname(fd, cmd, sizeof(name_buf)), 0); \
		cr_assert_eq(nb.len, strlen(text));        \
		cr_assert_str_eq(name_buf, text);          \
	} while (0)

PROGRAM(timod, names_of_a_connection)
{
	int64_t l = t_bound("/dev/ticotsord", "server", 2), c = t_bound("/dev/ticotsord", "client", 0);
	int64_t s = t_open("/dev/ticotsord", true);

	EXPECT_NAME(l, TI_GETMYNAME, "server");
	EXPECT_NAME(s, TI_GETMYNAME, "");
	FAILS(getname(c, TI_GETPEERNAME, 64), ENOTCONN);
	FAILS(getname(c, TI_GETMYNAME, 5), ENAMETOOLONG);
	FAILS(U_IOCTL(c, TI_GETMYNAME, 8), EFAULT);
	nb = (struct netbuf){64, 0, (char *)8};
	FAILS(U_IOCTL(c, TI_GETMYNAME, &nb), EFAULT);
	OK(t_connect(c, "server", NULL, NULL), 0);
	GETS_OK(c, T_CONN_REQ);
	t_accept(l, s);
	GETS(c, T_CONN_CON);
	EXPECT_NAME(c, TI_GETPEERNAME, "server");
	EXPECT_NAME(s, TI_GETPEERNAME, "client");
	FAILS(getname(l, TI_GETPEERNAME, 64), ENOTCONN);
	/* it is over when both have said so */
	OK(t_words(c, 1, T_ORDREL_REQ, 0, 0, 0, 0), 0);
	GETS(s, T_ORDREL_IND);
	EXPECT_NAME(s, TI_GETPEERNAME, "client");
	OK(t_words(s, 1, T_ORDREL_REQ, 0, 0, 0, 0), 0);
	GETS(c, T_ORDREL_IND);
	FAILS(getname(c, TI_GETPEERNAME, 64), ENOTCONN);
	FAILS(getname(s, TI_GETPEERNAME, 64), ENOTCONN);
	/* or broken */
	OK(t_connect(c, "server", NULL, NULL), 0);
	GETS_OK(c, T_CONN_REQ);
	t_accept(l, s);
	GETS(c, T_CONN_CON);
	EXPECT_NAME(c, TI_GETPEERNAME, "server");
	OK(t_words(c, 2, T_DISCON_REQ, -1, 0, 0, 0), 0);
	GETS_OK(c, T_DISCON_REQ);
	FAILS(getname(c, TI_GETPEERNAME, 64), ENOTCONN);
	GETS(s, T_DISCON_IND);
	FAILS(getname(s, TI_GETPEERNAME, 64), ENOTCONN);
	WORDS(T_UNBIND_REQ);
	OK(istr(c, TI_UNBIND, sizeof(int), NULL), 0);
	EXPECT_NAME(c, TI_GETMYNAME, "");
	DONE;
}

PROGRAM(timod, refused_offers_are_forgotten)
{
	int64_t l = t_bound("/dev/ticots", "server", 2), c = t_bound("/dev/ticots", "client", 0);
	tim_tim_t *tp;

	OK(t_connect(c, "server", NULL, NULL), 0);
	GETS_OK(c, T_CONN_REQ);
	GETS(l, T_CONN_IND);
	tp = fd_stream(l)->sd_wrq->q_next->q_ptr;
	cr_assert_not_null(tp->tim_consave);
	OK(t_words(l, 2, T_DISCON_REQ, GOT->conn_ind.SEQ_number, 0, 0, 0), 0);
	GETS_OK(l, T_DISCON_REQ);
	cr_assert_null(tp->tim_consave);
	GETS(c, T_DISCON_IND);
	/* the client takes it back */
	OK(t_connect(c, "server", NULL, NULL), 0);
	GETS_OK(c, T_CONN_REQ);
	cr_assert_not_null(tp->tim_consave);
	OK(U_CLOSE(c), 0);
	GETS(l, T_CONN_IND);
	GETS(l, T_DISCON_IND);
	cr_assert_null(tp->tim_consave);
	/* left behind at close */
	c = t_bound("/dev/ticots", "client", 0);
	OK(t_connect(c, "server", NULL, NULL), 0);
	OK(U_CLOSE(l), 0);
	DONE;
}

PROGRAM(timod, names_can_be_set_by_the_superuser)
{
	int64_t fd = t_bound("/dev/ticlts", "me", 0);
	char peer[] = "you";
	cred_t *own;

	nb = (struct netbuf){3, 3, peer};
	OK(U_IOCTL(fd, TI_SETPEERNAME, &nb), 0);
	EXPECT_NAME(fd, TI_GETPEERNAME, "you");
	nb = (struct netbuf){3, 3, peer};
	OK(U_IOCTL(fd, TI_SETMYNAME, &nb), 0);
	EXPECT_NAME(fd, TI_GETMYNAME, "you");
	nb = (struct netbuf){3, 0, peer};
	FAILS(U_IOCTL(fd, TI_SETMYNAME, &nb), EINVAL);
	nb = (struct netbuf){0, 1025, peer};
	FAILS(U_IOCTL(fd, TI_SETMYNAME, &nb), EINVAL);
	nb = (struct netbuf){3, 3, (char *)8};
	FAILS(U_IOCTL(fd, TI_SETMYNAME, &nb), EFAULT);
	own = curproc->p_cred;
	curproc->p_cred = crget(100, 1);
	fd = t_open("/dev/ticlts", true); /* with these credentials */
	nb = (struct netbuf){3, 3, peer};
	FAILS(U_IOCTL(fd, TI_SETMYNAME, &nb), EPERM);
	crfree(curproc->p_cred);
	curproc->p_cred = own;
	DONE;
}

/* ---- a connectionless endpoint with a peer ---- */

PROGRAM(timod, a_datagram_without_a_destination_goes_to_the_peer)
{
	int64_t a = t_bound("/dev/ticlts", "a", 0), b = t_bound("/dev/ticlts", "b", 0),
		c = t_bound("/dev/ticlts", "c", 0);

	OK(t_words(a, 2, T_DISCON_REQ, -1, 0, 0, 0), 0);
	GETS_ERROR(a, T_DISCON_REQ, TOUTSTATE, 0);
	OK(t_words(a, 5, T_CONN_REQ, 1, 99, 0, 0), 0);
	GETS_ERROR(a, T_CONN_REQ, TBADADDR, 0);
	OK(t_connect(a, "b", NULL, NULL), 0);
	GETS_OK(a, T_CONN_REQ);
	GETS(a, T_CONN_CON);
	GOT_BYTES(GOT->conn_con.RES_offset, GOT->conn_con.RES_length, "b");
	EXPECT_NAME(a, TI_GETPEERNAME, "b");
	OK(U_WRITE(a, "plain", 5), 5);
	GETS_DATA(b, T_UNITDATA_IND, "plain");
	GOT_BYTES(GOT->unitdata_ind.SRC_offset, GOT->unitdata_ind.SRC_length, "a");
	OK(t_sndudata(a, "", "opts", "no destination"), 0);
	GETS_DATA(b, T_UNITDATA_IND, "no destination");
	GOT_BYTES(GOT->unitdata_ind.OPT_offset, GOT->unitdata_ind.OPT_length, "opts");
	OK(t_sndudata(a, "c", NULL, "to c"), 0);
	GETS_DATA(c, T_UNITDATA_IND, "to c");
	cr_assert_eq(t_get(b), T_NOTHING);
	OK(t_words(a, 2, T_DISCON_REQ, -1, 0, 0, 0), 0);
	GETS_OK(a, T_DISCON_REQ);
	OK(t_sndudata(a, "", NULL, "to nobody"), 0);
	GETS(a, T_UDERROR_IND);
	DONE;
}

PROGRAM(timod, connecting_needs_a_name)
{
	int64_t a = t_open("/dev/ticlts", true);

	OK(t_connect(a, "b", NULL, NULL), 0);
	GETS_ERROR(a, T_CONN_REQ, TOUTSTATE, 0);
	DONE;
}

/* ---- what passes ---- */

PROGRAM(timod, data_of_a_connection)
{
	int64_t l = t_bound("/dev/ticotsord", "l", 1), c = t_bound("/dev/ticotsord", "c", 0);
	struct ti_sync_ack ack;

	OK(t_connect(c, "l", NULL, NULL), 0);
	GETS_OK(c, T_CONN_REQ);
	t_accept(l, l);
	GETS(c, T_CONN_CON);
	OK(t_put(c, (int[]){T_DATA_REQ, 1}, 8, "first"), 0);
	OK(U_WRITE(c, "bytes", 5), 5);
	OK(t_put(c, (int[]){T_EXDATA_REQ, 0}, 8, "urgent"), 0);
	OK(t_put(c, (int[]){T_OPTDATA_REQ, 0, 0, 0}, 16, "opt"), 0);
	WORDS(TSRF_IS_EXP_IN_RCVBUF);
	OK(istr(l, TI_SYNC, sizeof(int), NULL), 0);
	memcpy(&ack, iobuf, sizeof(ack));
	cr_assert_eq(ack.tsa_flags, TSAF_EXP_QUEUED);
	GETS_DATA(l, T_DATA_IND, "first");
	cr_assert_eq(GOT->data_ind.MORE_flag, 1);
	GETS_DATA(l, T_ONLYDATA, "bytes");
	GETS_DATA(l, T_EXDATA_IND, "urgent");
	GETS_DATA(l, T_OPTDATA_IND, "opt");
	OK(istr(l, TI_SYNC, sizeof(int), NULL), 0);
	OK(t_words(l, 1, T_ADDR_REQ, 0, 0, 0, 0), 0);
	GETS(l, T_ADDR_ACK);
	FAILS(istr(l, ('X' << 8) | 1, 0, NULL), EINVAL); /* the provider's to refuse */
	OK(U_IOCTL(l, I_FLUSH, FLUSHRW), 0);
	DONE;
}

PROGRAM(timod, what_has_to_wait_waits_in_order)
{
	int64_t a = t_bound("/dev/ticlts", "a", 0), b = t_bound("/dev/ticlts", "b", 0);
	queue_t *wq = fd_stream(a)->sd_wrq->q_next;
	static char big[1000];
	char text[32];
	int sent = 0;

	memset(big, 'x', sizeof(big));
	for (sent = 0; wq->q_first == NULL && sent < 100; sent++) {
		snprintf(big, 16, "%d", sent);
		_Alignas(4) char ctl[21];
		memcpy(ctl, (int[]){T_UNITDATA_REQ, 1, 20, 0, 0}, 20);
		ctl[20] = 'b';
		OK(t_putn(a, ctl, 21, big, sizeof(big), 0), 0);
	}
	cr_assert_not_null(wq->q_first, "tl and the reader are full: timod keeps it");
	/* questions that may overtake */
	WORDS(T_INFO_REQ);
	OK(istr(a, TI_GETINFO, sizeof(int), NULL), 0);
	cr_assert_not_null(wq->q_first);
	for (int i = 0; i < sent; i++) {
		GETS(b, T_UNITDATA_IND);
		snprintf(text, sizeof(text), "%d", i);
		cr_assert_str_eq(got_data, text);
	}
	cr_assert_null(wq->q_first);
	cr_assert_eq(t_get(b), T_NOTHING);
	DONE;
}

PROGRAM(timod, closed_with_messages_waiting)
{
	int64_t a = t_bound("/dev/ticlts", "a", 0), b = t_bound("/dev/ticlts", "b", 0);
	queue_t *wq = fd_stream(a)->sd_wrq->q_next;
	static char big[1000];

	for (int i = 0; wq->q_first == NULL && i < 100; i++)
		OK(t_sndudata(a, "b", NULL, memset(big, 'x', sizeof(big) - 1)), 0);
	cr_assert_not_null(wq->q_first);
	OK(U_CLOSE(a), 0);
	GETS(b, T_UNITDATA_IND);
	DONE;
}

/* ---- memory ---- */

static void scene(void)
{
	int64_t a = U_OPEN("/dev/ticlts", O_RDWR | O_NONBLOCK), b;
	char *dst = name_buf;

	if (U_IOCTL(a, I_PUSH, "timod") == 0 && ti_bind(a, "a", 1, 0, NULL) == 0) {
		b = U_OPEN("/dev/ticlts", O_RDWR | O_NONBLOCK);
		(void)t_sndudata(a, "a", NULL, "self");
		(void)t_get(a);
		(void)t_connect(a, "a", NULL, NULL);
		(void)t_get(a);
		(void)t_get(a);
		(void)U_WRITE(a, "x", 1);
		(void)t_get(a);
		nb = (struct netbuf){64, 0, dst};
		(void)U_IOCTL(a, TI_GETMYNAME, &nb);
		nb = (struct netbuf){64, 1, dst};
		(void)U_IOCTL(a, TI_SETPEERNAME, &nb);
		WORDS(TSRF_INFO_REQ);
		(void)istr(a, TI_SYNC, sizeof(int), NULL);
		WORDS(0);
		(void)istr(a, TI_SYNC, sizeof(int), NULL);
		WORDS(T_CAPABILITY_REQ, TC1_INFO);
		(void)istr(a, TI_CAPABILITY, sizeof(struct T_capability_req), NULL);
		WORDS(T_UNBIND_REQ);
		(void)istr(a, TI_UNBIND, sizeof(int), NULL);
		if (b >= 0)
			OK(U_CLOSE(b), 0);
	}
	if (a >= 0)
		OK(U_CLOSE(a), 0);
}

PROGRAM(timod, memory_fails_anywhere)
{
	for (long n = 1; n < 120; n++) {
		allocb_fail_nth(n);
		scene();
		allocb_fail_nth(0);
	}
	for (long n = 1; n < 120; n++) {
		kmem_fail_nth(n);
		scene();
		kmem_fail_nth(0);
	}
	DONE;
}

/* One failed allocation delays an answer, it does not lose it. */
PROGRAM(timod, memory_comes_back)
{
	int64_t a = t_bound("/dev/ticlts", "a", 0);

	pollfd_t pfd = {(int)a, POLLIN | POLLPRI, 0};

	allocb_fail_nth(2); /* the first is the stream head's */
	OK(t_connect(a, "a", NULL, NULL), 0);
	allocb_fail_nth(0);
	OK(U_POLL(&pfd, 1, 5000), 1);
	GETS_OK(a, T_CONN_REQ);
	GETS(a, T_CONN_CON);
	DONE;
}

PROGRAM(timod, closed_while_waiting_for_memory)
{
	int64_t a = t_bound("/dev/ticlts", "a", 0);

	allocb_fail_nth(-2);
	OK(t_connect(a, "a", NULL, NULL), 0);
	cr_assert_eq(t_get(a), T_NOTHING);
	cr_assert_eq(qsize(fd_stream(a)->sd_wrq->q_next), 1);
	OK(U_CLOSE(a), 0);
	allocb_fail_nth(0);
	DONE;
}

/* ---- over tcp ---- */

static struct sockaddr_in sin_of(uint_t port)
{
	return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {IP4(127, 0, 0, 1)}};
}

PROGRAM(timod, tcp)
{
	int64_t fd = t_open("/dev/tcp", true), c = t_open("/dev/tcp", true);
	struct sockaddr_in sin = sin_of(1234), none = sin_of(99);
	struct T_conn_req req = {T_CONN_REQ, sizeof(none), sizeof(req), 0, 0};
	char ctl[sizeof(req) + sizeof(none)];
	int len;

	WORDS(T_INFO_REQ);
	OK(istr(fd, TI_GETINFO, sizeof(int), NULL), 0);
	cr_assert_eq(IO->info_ack.SERV_type, T_COTS_ORD);
	OK(ti_bind(fd, &sin, sizeof(sin), 1, &len), 0);
	cr_assert_eq(len, sizeof(struct T_bind_ack) + sizeof(sin));
	cr_assert_eq(memcmp(iobuf + IO->bind_ack.ADDR_offset, &sin, sizeof(sin)), 0);
	OK(getname(fd, TI_GETMYNAME, sizeof(name_buf)), 0);
	cr_assert_eq(nb.len, sizeof(sin));
	cr_assert_eq(memcmp(name_buf, &sin, sizeof(sin)), 0);
	FAILS(getname(fd, TI_GETPEERNAME, sizeof(name_buf)), ENOTCONN);
	WORDS(T_UNBIND_REQ);
	OK(istr(fd, TI_UNBIND, sizeof(int), NULL), 0);
	/* requests that are no ioctls pass, and their answers */
	OK(ti_bind(c, NULL, 0, 0, NULL), 0);
	memcpy(ctl, &req, sizeof(req));
	memcpy(ctl + sizeof(req), &none, sizeof(none));
	OK(t_put(c, ctl, sizeof(ctl), NULL), 0);
	GETS_OK(c, T_CONN_REQ);
	cr_assert_eq(t_get(c), T_DISCON_IND, "nobody listens there");
	cr_assert_eq(GOT->discon_ind.DISCON_reason, ECONNREFUSED);
	DONE;
}

/* ---- over udp ---- */

static char frames[2048];
static int spy_rput(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_PROTO && TIM_PRIM(mp) == T_UNITDATA_IND)
		snprintf(frames, sizeof(frames), "%s", st_callers(32));
	putnext(q, mp);
	return 0;
}
STR_MODULE(spy, spy_rput, NULL, st_passput, NULL, 5120, 1024, D_MP);
STREAMS_MODULE(spy, "spy", &spy_tab, D_MP);

PROGRAM(timod, a_datagram_over_udp_and_its_frames)
{
	int64_t d = t_open("/dev/udp", true), e = t_open("/dev/udp", true);
	struct sockaddr_in to = sin_of(1000), from = sin_of(1001);
	struct T_unitdata_req req = {T_UNITDATA_REQ, sizeof(to), sizeof(req), 0, 0};
	char ctl[sizeof(req) + sizeof(to)];

	OK(ti_bind(d, &from, sizeof(from), 0, NULL), 0);
	OK(ti_bind(e, &to, sizeof(to), 0, NULL), 0);
	OK(U_IOCTL(e, I_PUSH, "spy"), 0);
	memcpy(ctl, &req, sizeof(req));
	memcpy(ctl + sizeof(req), &to, sizeof(to));
	OK(t_put(d, ctl, sizeof(ctl), "call"), 0);
	GETS_DATA(e, T_UNITDATA_IND, "call");
	cr_assert_eq(memcmp(got_ctl + GOT->unitdata_ind.SRC_offset, &from, sizeof(from)), 0);
	cr_assert_str_eq(frames, "putnext < timodrput < putnext < udp_rput < putnext < ip_fanout_udp_conn < "
				 "ip_fanout_udp < ip_wput_local < ip_wput_ire < ip_output < ip_wput < putnext < "
				 "udp_wput < putnext < timodwput < putnext < strput < strputmsg < msgio < putmsg < "
				 "sys_sysenter");
	DONE;
}
