/* tl: every TPI request in every state it may and may not come in, on all three transports. */
#include "tests/tlitest.h"
#include "tl/tl.h"

STR_SUITE(tl);

static const char *const paths[] = {"/dev/ticots", "/dev/ticotsord", "/dev/ticlts"};
#define COTS "/dev/ticots"
#define ORD "/dev/ticotsord"
#define CLTS "/dev/ticlts"

static int64_t open_tl(const char *path)
{
	return t_open(path, false);
}

static int64_t bound(const char *path, const char *addr, int qlen)
{
	int64_t fd = open_tl(path);

	t_bind(fd, addr, qlen);
	return fd;
}

/* A listener "l", a client "c" and who accepted, in fds[0 .. 2], connected. */
static void connected(const char *path, int64_t fds[3])
{
	fds[0] = bound(path, "l", 2);
	fds[1] = bound(path, "c", 0);
	fds[2] = open_tl(path);
	OK(t_connect(fds[1], "l", NULL, NULL), 0);
	GETS_OK(fds[1], T_CONN_REQ);
	t_accept(fds[0], fds[2]);
	GETS(fds[1], T_CONN_CON);
}

/* The stream is dead of EPROTO; another takes its place. */
#define EXPECT_EPROTO(fd)                           \
	do {                                        \
		cr_assert_eq(t_get(fd), T_BROKEN);  \
		cr_assert_eq(user_errno(), EPROTO); \
		OK(U_CLOSE(fd), 0);                 \
	} while (0)

static int discon(int64_t fd, t_scalar_t seq)
{
	return t_words(fd, 2, T_DISCON_REQ, seq, 0, 0, 0);
}

static int word(int64_t fd, t_scalar_t prim)
{
	return t_words(fd, 1, prim, 0, 0, 0, 0);
}

/* ---- open, information ---- */

PROGRAM(tl, each_open_is_an_endpoint_of_its_own)
{
	int64_t a = open_tl(COTS), b = open_tl(COTS), c = open_tl(CLTS);
	minor_t ma = getminor(curproc->p_fd[a]->f_vnode->v_rdev), mb = getminor(curproc->p_fd[b]->f_vnode->v_rdev);

	cr_assert_neq(ma, mb);
	cr_assert_eq(ma & 7, TL_TICOTS);
	cr_assert_eq(getminor(curproc->p_fd[c]->f_vnode->v_rdev) & 7, TL_TICLTS);
	cr_assert_neq(t_acceptor(a), t_acceptor(b));
	FAILS(U_IOCTL(a, I_PUSH, "tl"), EINVAL);
	DONE;
}

PROGRAM(tl, information)
{
	static const int types[] = {T_COTS, T_COTS_ORD, T_CLTS};

	for (int i = 0; i < 3; i++) {
		int64_t fd = open_tl(paths[i]);
		struct T_info_ack info;

		cr_assert_eq(t_state(fd), TS_UNBND);
		info = GOT->info_ack;
		cr_assert_eq(info.SERV_type, types[i]);
		cr_assert_eq(info.TSDU_size, i == 2 ? TL_TIDUSZ : T_INFINITE);
		cr_assert_eq(info.ETSDU_size, i == 2 ? T_INVALID : T_INFINITE);
		cr_assert_eq(info.CDATA_size, i == 2 ? T_INVALID : T_INFINITE);
		cr_assert_eq(info.ADDR_size, T_INFINITE);
		cr_assert_eq(info.TIDU_size, TL_TIDUSZ);
		OK(word(fd, T_INFO_REQ), 0); /* as M_PROTO too */
		GETS(fd, T_INFO_ACK);
		OK(t_putn(fd, (int[]){T_CAPABILITY_REQ, TC1_INFO | 0x100}, 8, NULL, -1, RS_HIPRI), 0);
		GETS(fd, T_CAPABILITY_ACK);
		cr_assert_eq(GOT->capability_ack.CAP_bits1, TC1_INFO, "what it does not know is left out");
		cr_assert_eq(memcmp(&GOT->capability_ack.INFO_ack, &info, sizeof(info)), 0);
		t_bind(fd, "", 0);
		cr_assert_eq(t_state(fd), TS_IDLE);
	}
	DONE;
}

/* ---- bind ---- */

PROGRAM(tl, bind)
{
	for (int i = 0; i < 3; i++) {
		int64_t a = open_tl(paths[i]), b = open_tl(paths[i]);

		OK(t_bindput(a, T_BIND_REQ, "name", 3), 0);
		GETS(a, T_BIND_ACK);
		cr_assert_eq(GOT->bind_ack.CONIND_number, i == 2 ? 0 : 3);
		GOT_BYTES(GOT->bind_ack.ADDR_offset, GOT->bind_ack.ADDR_length, "name");
		OK(t_bindput(a, T_BIND_REQ, "other", 0), 0);
		GETS_ERROR(a, T_BIND_REQ, TOUTSTATE, 0);
		OK(t_bindput(b, T_BIND_REQ, "name", 0), 0);
		GETS_ERROR(b, T_BIND_REQ, TADDRBUSY, 0);
		OK(t_bindput(b, O_T_BIND_REQ, "name", 0), 0); /* gets another */
		GETS(b, T_BIND_ACK);
		cr_assert_eq(GOT->bind_ack.ADDR_length, 4);
		cr_assert_neq(memcmp(got_ctl + GOT->bind_ack.ADDR_offset, "name", 4), 0);
		OK(word(b, T_UNBIND_REQ), 0);
		GETS_OK(b, T_UNBIND_REQ);
		cr_assert_eq(t_state(b), TS_UNBND);
		OK(word(b, T_UNBIND_REQ), 0);
		GETS_ERROR(b, T_UNBIND_REQ, TOUTSTATE, 0);
		OK(t_words(b, 4, T_BIND_REQ, 5, 16, 0, 0), 0);
		GETS_ERROR(b, T_BIND_REQ, TBADADDR, 0);
		OK(t_words(b, 4, T_BIND_REQ, -1, 16, 0, 0), 0);
		GETS_ERROR(b, T_BIND_REQ, TBADADDR, 0);
		OK(t_words(b, 3, T_BIND_REQ, 0, 0, 0, 0), 0);
		GETS_ERROR(b, T_BIND_REQ, TSYSERR, EINVAL);
		OK(word(a, T_UNBIND_REQ), 0);
		GETS_OK(a, T_UNBIND_REQ);
		t_bind(b, "name", 0); /* it is free */
		t_bind(a, "", 0);
		cr_assert_eq(GOT->bind_ack.ADDR_length, 4);
		OK(word(a, T_ADDR_REQ), 0);
		GETS(a, T_ADDR_ACK);
		cr_assert_eq(GOT->addr_ack.LOCADDR_length, 4);
		cr_assert_eq(GOT->addr_ack.REMADDR_length, 0);
	}
	DONE;
}

PROGRAM(tl, many_addresses)
{
	static int64_t fds[300];
	char addr[16];

	for (int i = 0; i < 300; i++) {
		snprintf(addr, sizeof(addr), "%d", i);
		fds[i] = bound(CLTS, addr, 0);
	}
	for (int i = 0; i < 300; i++) {
		snprintf(addr, sizeof(addr), "%d", (i + 7) % 300);
		OK(t_sndudata(fds[i], addr, NULL, addr), 0);
	}
	for (int i = 0; i < 300; i++) {
		snprintf(addr, sizeof(addr), "%d", i);
		GETS_DATA(fds[i], T_UNITDATA_IND, addr);
	}
	DONE;
}

/* ---- connect and accept ---- */

PROGRAM(tl, a_connection_with_options_and_user_data)
{
	for (int i = 0; i < 2; i++) {
		int64_t l = bound(paths[i], "listener", 2), c = bound(paths[i], "client", 0), s = open_tl(paths[i]);
		_Alignas(4) char res[32];
		t_scalar_t seq;

		OK(t_connect(c, "listener", "options", "hello"), 0);
		GETS_OK(c, T_CONN_REQ);
		cr_assert_eq(t_get(c), T_NOTHING, "it has to be accepted");
		cr_assert_eq(t_state(c), TS_WCON_CREQ);
		cr_assert_eq(t_state(l), TS_WRES_CIND);
		GETS_DATA(l, T_CONN_IND, "hello");
		GOT_BYTES(GOT->conn_ind.SRC_offset, GOT->conn_ind.SRC_length, "client");
		GOT_BYTES(GOT->conn_ind.OPT_offset, GOT->conn_ind.OPT_length, "options");
		seq = GOT->conn_ind.SEQ_number;
		memcpy(res, (int[]){T_CONN_RES, (int)t_acceptor(s), 4, 20, seq}, 20);
		memcpy(res + 20, "resp", 4);
		OK(t_put(l, res, 24, "welcome"), 0);
		GETS_OK(l, T_CONN_RES);
		GETS_DATA(c, T_CONN_CON, "welcome");
		GOT_BYTES(GOT->conn_con.RES_offset, GOT->conn_con.RES_length, "listener");
		GOT_BYTES(GOT->conn_con.OPT_offset, GOT->conn_con.OPT_length, "resp");
		cr_assert_eq(t_state(c), TS_DATA_XFER);
		cr_assert_eq(t_state(s), TS_DATA_XFER);
		cr_assert_eq(t_state(l), TS_IDLE);
		OK(word(s, T_ADDR_REQ), 0);
		GETS(s, T_ADDR_ACK);
		GOT_BYTES(GOT->addr_ack.LOCADDR_offset, GOT->addr_ack.LOCADDR_length, "listener");
		GOT_BYTES(GOT->addr_ack.REMADDR_offset, GOT->addr_ack.REMADDR_length, "client");
		OK(word(s, T_UNBIND_REQ), 0);
		GETS_ERROR(s, T_UNBIND_REQ, TOUTSTATE, 0);
	}
	DONE;
}

PROGRAM(tl, connect_is_refused)
{
	int64_t l = bound(COTS, "l", 1), n = bound(COTS, "n", 0), c = open_tl(COTS), d = bound(COTS, "d", 0);

	(void)n;
	OK(t_connect(c, "l", NULL, NULL), 0);
	GETS_ERROR(c, T_CONN_REQ, TOUTSTATE, 0);
	t_bind(c, "c", 0);
	OK(t_connect(c, "nobody", NULL, NULL), 0);
	GETS_ERROR(c, T_CONN_REQ, TSYSERR, ECONNREFUSED);
	OK(t_connect(c, "n", NULL, NULL), 0);
	GETS_ERROR(c, T_CONN_REQ, TSYSERR, ECONNREFUSED);
	OK(t_connect(c, "", NULL, NULL), 0);
	GETS_ERROR(c, T_CONN_REQ, TBADADDR, 0);
	OK(t_words(c, 5, T_CONN_REQ, 4, 20, 0, 0), 0);
	GETS_ERROR(c, T_CONN_REQ, TBADADDR, 0);
	OK(t_words(c, 5, T_CONN_REQ, 1, 0, 9, 20), 0);
	GETS_ERROR(c, T_CONN_REQ, TBADOPT, 0);
	OK(t_words(c, 4, T_CONN_REQ, 1, 0, 0, 0), 0);
	GETS_ERROR(c, T_CONN_REQ, TSYSERR, EINVAL);
	cr_assert_eq(t_state(c), TS_IDLE);
	OK(t_connect(c, "l", NULL, NULL), 0);
	GETS_OK(c, T_CONN_REQ);
	OK(t_connect(c, "l", NULL, NULL), 0);
	GETS_ERROR(c, T_CONN_REQ, TOUTSTATE, 0);
	OK(t_connect(d, "l", NULL, NULL), 0); /* there is room for one */
	GETS_ERROR(d, T_CONN_REQ, TSYSERR, ECONNREFUSED);
	cr_assert_eq(t_state(d), TS_IDLE);
	OK(t_connect(l, "l", NULL, NULL), 0);
	GETS_ERROR(l, T_CONN_REQ, TOUTSTATE, 0);
	/* the other transports do not see it */
	OK(t_connect(bound(ORD, "x", 0), "l", NULL, NULL), 0);
	DONE;
}

PROGRAM(tl, accept_is_refused)
{
	int64_t l = bound(COTS, "l", 3), c = bound(COTS, "c", 0), d = bound(COTS, "d", 0), s = open_tl(COTS);
	int64_t busy = bound(COTS, "b", 1), ord = open_tl(ORD), closed = open_tl(COTS);
	int id = (int)t_acceptor(s), gone = (int)t_acceptor(closed);
	t_scalar_t seq;

	OK(U_CLOSE(closed), 0);
	OK(t_words(l, 5, T_CONN_RES, id, 0, 0, 1), 0);
	GETS_ERROR(l, T_CONN_RES, TOUTSTATE, 0);
	OK(t_connect(c, "l", NULL, NULL), 0);
	GETS(l, T_CONN_IND);
	seq = GOT->conn_ind.SEQ_number;
	OK(t_words(l, 4, T_CONN_RES, id, 0, 0, 0), 0);
	GETS_ERROR(l, T_CONN_RES, TSYSERR, EINVAL);
	OK(t_words(l, 5, T_CONN_RES, id, 5, 20, seq), 0);
	GETS_ERROR(l, T_CONN_RES, TBADOPT, 0);
	OK(t_words(l, 5, T_CONN_RES, gone, 0, 0, seq), 0);
	GETS_ERROR(l, T_CONN_RES, TBADF, 0);
	OK(t_words(l, 5, T_CONN_RES, (int)t_acceptor(ord), 0, 0, seq), 0);
	GETS_ERROR(l, T_CONN_RES, TPROVMISMATCH, 0);
	OK(t_words(l, 5, T_CONN_RES, (int)t_acceptor(busy), 0, 0, seq), 0);
	GETS_ERROR(l, T_CONN_RES, TRESQLEN, 0);
	GETS_OK(c, T_CONN_REQ);
	OK(t_words(l, 5, T_CONN_RES, (int)t_acceptor(c), 0, 0, seq), 0);
	GETS_ERROR(l, T_CONN_RES, TOUTSTATE, 0);
	OK(t_words(l, 5, T_CONN_RES, id, 0, 0, seq + 1), 0);
	GETS_ERROR(l, T_CONN_RES, TBADSEQ, 0);
	OK(t_words(l, 5, T_CONN_RES, id, 0, 0, -1), 0);
	GETS_ERROR(l, T_CONN_RES, TBADSEQ, 0);
	OK(t_connect(d, "l", NULL, NULL), 0);
	GETS(l, T_CONN_IND);
	OK(t_words(l, 5, T_CONN_RES, (int)t_acceptor(l), 0, 0, seq), 0);
	GETS_ERROR(l, T_CONN_RES, TINDOUT, 0);
	/* none of this changed anything */
	OK(t_words(l, 5, O_T_CONN_RES, id, 0, 0, seq), 0);
	GETS_OK(l, O_T_CONN_RES);
	GETS(c, T_CONN_CON);
	cr_assert_eq(t_state(l), TS_WRES_CIND);
	DONE;
}

PROGRAM(tl, a_listener_may_accept_by_itself)
{
	int64_t l = bound(ORD, "l", 1), c = bound(ORD, "c", 0), d = bound(ORD, "d", 0);

	OK(t_connect(c, "l", NULL, NULL), 0);
	GETS_OK(c, T_CONN_REQ);
	t_accept(l, l);
	GETS(c, T_CONN_CON);
	OK(U_WRITE(c, "abc", 3), 3);
	GETS_DATA(l, T_ONLYDATA, "abc");
	OK(t_connect(d, "l", NULL, NULL), 0); /* it does not listen now */
	GETS_ERROR(d, T_CONN_REQ, TSYSERR, ECONNREFUSED);
	OK(discon(c, -1), 0);
	GETS_OK(c, T_DISCON_REQ);
	GETS(l, T_DISCON_IND);
	OK(t_connect(d, "l", NULL, NULL), 0); /* but again */
	GETS_OK(d, T_CONN_REQ);
	DONE;
}

/* ---- disconnect ---- */

PROGRAM(tl, disconnect_in_every_state)
{
	for (int i = 0; i < 2; i++) {
		int64_t l = bound(paths[i], "l", 2), c = bound(paths[i], "c", 0), s = open_tl(paths[i]);
		t_scalar_t seq;

		OK(discon(s, -1), 0); /* unbound */
		GETS_ERROR(s, T_DISCON_REQ, TOUTSTATE, 0);
		OK(discon(c, -1), 0); /* idle */
		GETS_ERROR(c, T_DISCON_REQ, TOUTSTATE, 0);
		OK(word(c, T_DISCON_REQ), 0);
		GETS_ERROR(c, T_DISCON_REQ, TSYSERR, EINVAL);
		/* the listener refuses */
		OK(t_connect(c, "l", NULL, NULL), 0);
		GETS_OK(c, T_CONN_REQ);
		GETS(l, T_CONN_IND);
		seq = GOT->conn_ind.SEQ_number;
		OK(discon(l, seq + 1), 0);
		GETS_ERROR(l, T_DISCON_REQ, TBADSEQ, 0);
		OK(discon(l, -1), 0);
		GETS_ERROR(l, T_DISCON_REQ, TBADSEQ, 0);
		OK(t_put(l, (int[]){T_DISCON_REQ, seq}, 8, "no"), 0);
		GETS_OK(l, T_DISCON_REQ);
		GETS_DATA(c, T_DISCON_IND, "no");
		cr_assert_eq(GOT->discon_ind.DISCON_reason, ECONNREFUSED);
		cr_assert_eq(t_state(l), TS_IDLE);
		cr_assert_eq(t_state(c), TS_IDLE);
		/* the client gives up */
		OK(t_connect(c, "l", NULL, NULL), 0);
		GETS_OK(c, T_CONN_REQ);
		GETS(l, T_CONN_IND);
		seq = GOT->conn_ind.SEQ_number;
		OK(discon(c, -1), 0);
		GETS_OK(c, T_DISCON_REQ);
		GETS(l, T_DISCON_IND);
		cr_assert_eq(GOT->discon_ind.SEQ_number, seq);
		cr_assert_eq(t_state(l), TS_IDLE);
		cr_assert_eq(t_state(c), TS_IDLE);
		/* a connection is broken; what was not read is lost */
		OK(t_connect(c, "l", NULL, NULL), 0);
		GETS_OK(c, T_CONN_REQ);
		t_accept(l, s);
		GETS(c, T_CONN_CON);
		OK(U_WRITE(c, "lost", 4), 4);
		OK(t_put(c, (int[]){T_DISCON_REQ, -1}, 8, "bye"), 0);
		GETS_OK(c, T_DISCON_REQ);
		GETS_DATA(s, T_DISCON_IND, "bye");
		cr_assert_eq(GOT->discon_ind.DISCON_reason, ECONNRESET);
		cr_assert_eq(GOT->discon_ind.SEQ_number, -1);
		cr_assert_eq(t_state(c), TS_IDLE);
		cr_assert_eq(t_state(s), TS_IDLE);
		OK(U_WRITE(s, "into the void", 13), 13); /* may have been on its way */
		cr_assert_eq(t_state(s), TS_IDLE);
	}
	DONE;
}

PROGRAM(tl, disconnect_during_orderly_release)
{
	for (int i = 0; i < 2; i++) {
		int64_t fds[3];

		connected(ORD, fds);
		OK(word(fds[1], T_ORDREL_REQ), 0);
		GETS(fds[2], T_ORDREL_IND);
		OK(discon(fds[1 + i], -1), 0); /* who has released, who was */
		GETS_OK(fds[1 + i], T_DISCON_REQ);
		GETS(fds[2 - i], T_DISCON_IND);
		cr_assert_eq(t_state(fds[1]), TS_IDLE);
		cr_assert_eq(t_state(fds[2]), TS_IDLE);
		for (int k = 0; k < 3; k++)
			OK(U_CLOSE(fds[k]), 0);
	}
	DONE;
}

/* ---- orderly release ---- */

PROGRAM(tl, orderly_release)
{
	int64_t fds[3];

	connected(ORD, fds);
	OK(U_WRITE(fds[1], "last", 4), 4);
	OK(word(fds[1], T_ORDREL_REQ), 0);
	cr_assert_eq(t_state(fds[1]), TS_WIND_ORDREL);
	cr_assert_eq(t_state(fds[2]), TS_WREQ_ORDREL);
	GETS_DATA(fds[2], T_ONLYDATA, "last");
	GETS(fds[2], T_ORDREL_IND);
	OK(U_WRITE(fds[2], "answer", 6), 6); /* the other way is open */
	GETS_DATA(fds[1], T_ONLYDATA, "answer");
	OK(word(fds[2], T_ORDREL_REQ), 0);
	GETS(fds[1], T_ORDREL_IND);
	cr_assert_eq(t_state(fds[1]), TS_IDLE);
	cr_assert_eq(t_state(fds[2]), TS_IDLE);
	OK(word(fds[1], T_ORDREL_REQ), 0); /* idle: nothing */
	cr_assert_eq(t_get(fds[1]), T_NOTHING);
	/* data after one's release */
	OK(U_CLOSE(fds[0]), 0);
	OK(U_CLOSE(fds[1]), 0);
	connected(ORD, fds);
	OK(word(fds[1], T_ORDREL_REQ), 0);
	OK(U_WRITE(fds[1], "x", 1), 1);
	EXPECT_EPROTO(fds[1]);
	DONE;
}

/* ---- data ---- */

PROGRAM(tl, data_in_all_forms)
{
	for (int i = 0; i < 2; i++) {
		int64_t fds[3];

		connected(paths[i], fds);
		for (int k = 1; k < 3; k++) { /* both ways */
			int64_t from = fds[k], to = fds[3 - k];

			OK(t_put(from, (int[]){T_DATA_REQ, 1}, 8, "part"), 0);
			GETS_DATA(to, T_DATA_IND, "part");
			cr_assert_eq(GOT->data_ind.MORE_flag, 1);
			cr_assert_eq(got_ctllen, 8);
			OK(t_put(from, (int[]){T_DATA_REQ, 0}, 8, "rest"), 0);
			GETS_DATA(to, T_DATA_IND, "rest");
			cr_assert_eq(GOT->data_ind.MORE_flag, 0);
			OK(t_put(from, (int[]){T_EXDATA_REQ, 0}, 8, "!"), 0);
			GETS_DATA(to, T_EXDATA_IND, "!");
			OK(t_put(from, (int[]){T_OPTDATA_REQ, 1, 4, 16, 0x41424344}, 20, "o"), 0);
			GETS_DATA(to, T_OPTDATA_IND, "o");
			cr_assert_eq(GOT->optdata_ind.DATA_flag, 1);
			GOT_BYTES(GOT->optdata_ind.OPT_offset, GOT->optdata_ind.OPT_length, "DCBA");
			OK(U_WRITE(from, "bytes", 5), 5);
			GETS_DATA(to, T_ONLYDATA, "bytes");
			OK(U_WRITE(from, "", 0), 0);
			GETS_DATA(to, T_ONLYDATA, "");
		}
		for (int k = 0; k < 3; k++)
			OK(U_CLOSE(fds[k]), 0);
	}
	DONE;
}

/* What a transport does not have, or not now, ends the use of the stream or is refused. */
PROGRAM(tl, requests_out_of_place)
{
	static const struct {
		int transports; /* bits of paths[] */
		int state;      /* 0 unbound, 1 idle */
		int words[5], n;
	} fatal[] = {
	    {7, 0, {T_UNITDATA_REQ, 0, 0, 0, 0}, 5},
	    {3, 1, {T_UNITDATA_REQ, 0, 0, 0, 0}, 5},
	    {4, 1, {T_UNITDATA_REQ, 0, 0, 0}, 4},
	    {7, 0, {T_DATA_REQ, 0}, 2},
	    {4, 1, {T_DATA_REQ, 0}, 2},
	    {4, 1, {T_EXDATA_REQ, 0}, 2},
	    {4, 1, {T_OPTDATA_REQ, 0, 0, 0}, 4},
	    {7, 0, {T_EXDATA_REQ, 0}, 2},
	    {7, 0, {T_OPTDATA_REQ, 0, 0, 0}, 4},
	    {7, 0, {T_ORDREL_REQ}, 1},
	    {5, 1, {T_ORDREL_REQ}, 1},
	    {7, 1, {T_DATA_REQ}, 1},
	    {7, 1, {T_OPTDATA_REQ, 0, 0}, 3},
	    {7, 1, {T_CONN_IND, 0, 0, 0, 0}, 5},
	    {7, 1, {T_DATA_IND, 0}, 2},
	    {7, 1, {T_OK_ACK, 0}, 2},
	    {7, 1, {T_EXTCONN_IND, 0}, 2},
	    {7, 1, {12345, 0}, 2},
	    {7, 1, {-7, 0}, 2},
	};

	for (size_t f = 0; f < sizeof(fatal) / sizeof(fatal[0]); f++) {
		for (int i = 0; i < 3; i++) {
			int64_t fd;

			if (!(fatal[f].transports & 1 << i))
				continue;
			fd = fatal[f].state ? bound(paths[i], "a", 0) : open_tl(paths[i]);
			OK(t_put(fd, fatal[f].words, (size_t)fatal[f].n * 4, "x"), 0);
			EXPECT_EPROTO(fd);
		}
	}
	for (int i = 0; i < 3; i++) {
		int64_t fd = open_tl(paths[i]);

		OK(t_put(fd, "ab", 2, NULL), 0); /* less than a primitive */
		EXPECT_EPROTO(fd);
		fd = open_tl(paths[i]);
		OK(t_putn(fd, "ab", 2, NULL, -1, RS_HIPRI), 0);
		EXPECT_EPROTO(fd);
		fd = open_tl(paths[i]);
		OK(t_putn(fd, (int[]){T_BIND_REQ, 0, 0, 0}, 16, NULL, -1, RS_HIPRI), 0);
		EXPECT_EPROTO(fd);
		fd = open_tl(paths[i]);
		OK(t_putn(fd, (int[]){T_CAPABILITY_REQ}, 4, NULL, -1, RS_HIPRI), 0);
		EXPECT_EPROTO(fd);
		fd = open_tl(paths[i]);
		OK(U_WRITE(fd, "x", 1), 1); /* data of no connection */
		EXPECT_EPROTO(fd);
	}
	DONE;
}

PROGRAM(tl, ticlts_has_no_connections)
{
	int64_t fd = bound(CLTS, "a", 0);

	OK(t_connect(fd, "a", NULL, NULL), 0);
	GETS_ERROR(fd, T_CONN_REQ, TNOTSUPPORT, 0);
	OK(t_words(fd, 5, T_CONN_RES, 0, 0, 0, 0), 0);
	GETS_ERROR(fd, T_CONN_RES, TNOTSUPPORT, 0);
	OK(discon(fd, -1), 0);
	GETS_ERROR(fd, T_DISCON_REQ, TNOTSUPPORT, 0);
	cr_assert_eq(t_state(fd), TS_IDLE);
	DONE;
}

/* ---- datagrams ---- */

PROGRAM(tl, datagrams)
{
	int64_t a = bound(CLTS, "a", 0), b = bound(CLTS, "bb", 0);
	static char big[TL_TIDUSZ + 2];

	OK(t_sndudata(a, "bb", NULL, "one"), 0);
	OK(t_sndudata(a, "bb", "opts", "two"), 0);
	OK(t_sndudata(a, "bb", NULL, ""), 0);
	GETS_DATA(b, T_UNITDATA_IND, "one");
	GOT_BYTES(GOT->unitdata_ind.SRC_offset, GOT->unitdata_ind.SRC_length, "a");
	cr_assert_eq(GOT->unitdata_ind.OPT_length, 0);
	GETS_DATA(b, T_UNITDATA_IND, "two");
	GOT_BYTES(GOT->unitdata_ind.OPT_offset, GOT->unitdata_ind.OPT_length, "opts");
	GETS_DATA(b, T_UNITDATA_IND, "");
	OK(t_sndudata(a, "a", NULL, "self"), 0);
	GETS_DATA(a, T_UNITDATA_IND, "self");
	/* to nobody: the address and the options come back */
	OK(t_sndudata(a, "nobody", "opt", "x"), 0);
	GETS(a, T_UDERROR_IND);
	cr_assert_eq(GOT->uderror_ind.ERROR_type, ECONNREFUSED);
	GOT_BYTES(GOT->uderror_ind.DEST_offset, GOT->uderror_ind.DEST_length, "nobody");
	GOT_BYTES(GOT->uderror_ind.OPT_offset, GOT->uderror_ind.OPT_length, "opt");
	OK(t_put(a, (int[]){T_UNITDATA_REQ, 9, 20, 0, 0}, 20, "x"), 0);
	GETS(a, T_UDERROR_IND);
	cr_assert_eq(GOT->uderror_ind.ERROR_type, EINVAL);
	cr_assert_eq(GOT->uderror_ind.DEST_length, 0);
	OK(t_put(a, (int[]){T_UNITDATA_REQ, 1, 20, 9, 20, 'b'}, 24, "x"), 0);
	GETS(a, T_UDERROR_IND);
	cr_assert_eq(GOT->uderror_ind.ERROR_type, EINVAL);
	memset(big, 'x', TL_TIDUSZ + 1);
	OK(t_sndudata(a, "bb", NULL, big), 0);
	GETS(a, T_UDERROR_IND);
	cr_assert_eq(GOT->uderror_ind.ERROR_type, EMSGSIZE);
	big[TL_TIDUSZ] = '\0';
	OK(t_sndudata(a, "bb", NULL, big), 0);
	GETS(b, T_UNITDATA_IND);
	cr_assert_eq(got_datalen, TL_TIDUSZ);
	cr_assert_eq(t_get(a), T_NOTHING);
	DONE;
}

PROGRAM(tl, a_full_receiver_holds_up_its_senders_only)
{
	int64_t a = bound(CLTS, "a", 0), b = bound(CLTS, "b", 0), c = bound(CLTS, "c", 0), d = bound(CLTS, "d", 0);
	queue_t *wa = _WR(fd_driver(a)), *wb = _WR(fd_driver(b));
	static char big[1000];
	int n = 0;

	memset(big, 'x', sizeof(big) - 1);
	while (wa->q_first == NULL && n < 50) {
		OK(t_sndudata(a, "c", NULL, big), 0);
		n++;
	}
	cr_assert_not_null(wa->q_first);
	OK(t_sndudata(b, "c", NULL, "from b"), 0);
	OK(t_sndudata(b, "d", NULL, "behind it"), 0);
	cr_assert_eq(qsize(wb), 2);
	cr_assert_eq(t_get(d), T_NOTHING);
	OK(t_sndudata(c, "d", NULL, "from c"), 0);
	GETS_DATA(d, T_UNITDATA_IND, "from c");
	for (int i = 0; i < n + 1; i++)
		GETS(c, T_UNITDATA_IND);
	cr_assert_eq(t_get(c), T_NOTHING);
	GETS_DATA(d, T_UNITDATA_IND, "behind it");
	cr_assert_null(wa->q_first);
	cr_assert_null(wb->q_first);
	/* a sender, and a receiver, that close while one waits */
	for (n = 0; wa->q_first == NULL && n < 50; n++)
		OK(t_sndudata(a, "c", NULL, big), 0);
	OK(t_sndudata(b, "c", NULL, "from b"), 0);
	OK(U_CLOSE(b), 0);
	OK(U_CLOSE(c), 0);
	OK(t_sndudata(a, "d", NULL, "after"), 0);
	GETS(a, T_UDERROR_IND);
	GETS_DATA(d, T_UNITDATA_IND, "after");
	DONE;
}

/* ---- flow control of a connection ---- */

PROGRAM(tl, a_full_peer_holds_up_the_writer_until_it_reads)
{
	int64_t fds[3];
	static char chunk[1000];
	pollfd_t pfd;
	int n = 0;

	connected(ORD, fds);
	for (; snprintf(chunk, sizeof(chunk), "%d", n), U_WRITE(fds[1], chunk, sizeof(chunk)) > 0; n++)
		continue;
	cr_assert_eq(user_errno(), EAGAIN);
	/* 5120 at the reader's head and 16384 here; the last message of each may go beyond */
	cr_assert_eq(n, 6 + 17);
	pfd = (pollfd_t){(int)fds[1], POLLOUT, 0};
	OK(U_POLL(&pfd, 1, 0), 0);
	cr_assert_eq(word(fds[1], T_ORDREL_REQ), EAGAIN);
	for (int i = 0; i < n; i++) {
		GETS(fds[2], T_ONLYDATA);
		cr_assert_eq(atoi(got_data), i);
	}
	OK(U_POLL(&pfd, 1, 0), 1);
	cr_assert_eq(pfd.revents, POLLOUT);
	OK(word(fds[1], T_ORDREL_REQ), 0);
	GETS(fds[2], T_ORDREL_IND);
	DONE;
}

/* ---- the serializer ---- */

static char frames[512];

/* Sends data that comes up back down at once, inside the sender's put. */
static int echo_rput(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_DATA)
		qreply(q, mp);
	else
		putnext(q, mp);
	return 0;
}
STR_MODULE(echo, echo_rput, NULL, st_passput, NULL, 5120, 1024, D_MP);
STREAMS_MODULE(echo, "echo", &echo_tab, D_MP);

static int spy_rput(queue_t *q, mblk_t *mp)
{
	snprintf(frames, sizeof(frames), "%s", st_callers(8));
	putnext(q, mp);
	return 0;
}
STR_MODULE(spy, spy_rput, NULL, st_passput, NULL, 5120, 1024, D_MP);
STREAMS_MODULE(spy, "spy", &spy_tab, D_MP);

/* The ends of a connection have one serializer: what comes back meanwhile waits until the sender's turn is over. */
PROGRAM(tl, an_answer_from_inside_the_put_waits_its_turn)
{
	int64_t fds[3];

	connected(ORD, fds);
	OK(U_IOCTL(fds[2], I_PUSH, "echo"), 0);
	OK(U_IOCTL(fds[1], I_PUSH, "spy"), 0);
	OK(U_WRITE(fds[1], "there and back", 14), 14);
	GETS_DATA(fds[1], T_ONLYDATA, "there and back");
	st_expect_stack(frames, "putnext < tl_wput_data_ser < serializer_exec < serializer_drain < "
				"serializer_enter < tl_serializer_enter < tl_wput < putnext");
	DONE;
}

/* ---- credentials ---- */

static void set_cred(int64_t fd, int on, bool ioctl_form)
{
	struct {
		struct T_optmgmt_req r;
		struct opthdr oh;
		int val;
	} req = {{T_SVR4_OPTMGMT_REQ, sizeof(struct opthdr) + 4, sizeof(struct T_optmgmt_req), T_NEGOTIATE},
		 {TL_PROT_LEVEL, TL_OPT_PEER_CRED, 4},
		 on};
	struct strioctl s = {.ic_cmd = TL_IOC_CREDOPT, .ic_timout = 5, .ic_len = 4, .ic_dp = (char *)&on};

	if (ioctl_form) {
		OK(U_IOCTL(fd, I_STR, &s), 0);
		return;
	}
	OK(t_put(fd, &req, sizeof(req), NULL), 0);
	GETS(fd, T_OPTMGMT_ACK);
	req.r.MGMT_flags = T_CURRENT;
	OK(t_put(fd, &req, sizeof(req), NULL), 0);
	GETS(fd, T_OPTMGMT_ACK);
	cr_assert_eq(*(int *)(void *)(got_ctl + GOT->optmgmt_ack.OPT_offset + (int)sizeof(struct opthdr)), on);
}

static void expect_cred(int off, int len, const char *rest)
{
	struct T_opthdr oh;
	tl_credopt_t tc;

	cr_assert_eq(off % 4, 0);
	cr_assert_eq(len, (int)(sizeof(oh) + sizeof(tc) + strlen(rest)));
	memcpy(&oh, got_ctl + off, sizeof(oh));
	memcpy(&tc, got_ctl + off + sizeof(oh), sizeof(tc));
	cr_assert_eq(oh.level, TL_PROT_LEVEL);
	cr_assert_eq(oh.name, TL_OPT_PEER_CRED);
	cr_assert_eq(oh.len, sizeof(oh) + sizeof(tc));
	cr_assert_eq(tc.tc_uid, curproc->p_cred->cr_uid);
	cr_assert_eq(memcmp(got_ctl + off + sizeof(oh) + sizeof(tc), rest, strlen(rest)), 0);
}

PROGRAM(tl, indications_show_who_sends)
{
	for (int i = 0; i < 2; i++) {
		int64_t a = bound(CLTS, "a", 0), l = bound(COTS, "l", 1), c = bound(COTS, "c", 0);

		set_cred(a, 1, i);
		set_cred(l, 1, i);
		OK(t_sndudata(a, "a", "more", "x"), 0);
		GETS(a, T_UNITDATA_IND);
		expect_cred(GOT->unitdata_ind.OPT_offset, GOT->unitdata_ind.OPT_length, "more");
		OK(t_connect(c, "l", NULL, NULL), 0);
		GETS(l, T_CONN_IND);
		expect_cred(GOT->conn_ind.OPT_offset, GOT->conn_ind.OPT_length, "");
		set_cred(a, 0, i);
		OK(t_sndudata(a, "a", NULL, "x"), 0);
		GETS(a, T_UNITDATA_IND);
		cr_assert_eq(GOT->unitdata_ind.OPT_length, 0);
		OK(U_CLOSE(a), 0);
		OK(U_CLOSE(l), 0);
		OK(U_CLOSE(c), 0);
	}
	DONE;
}

PROGRAM(tl, wrong_options_and_ioctls)
{
	int64_t fd = open_tl(COTS);
	struct {
		struct T_optmgmt_req r;
		struct opthdr oh;
		int val;
	} req = {{T_SVR4_OPTMGMT_REQ, sizeof(struct opthdr) + 4, sizeof(struct T_optmgmt_req), T_NEGOTIATE},
		 {TL_PROT_LEVEL, 77, 4},
		 1};
	int on = 1;
	struct strioctl s = {.ic_cmd = TL_IOC_CREDOPT, .ic_timout = 5, .ic_len = 2, .ic_dp = (char *)&on};

	OK(t_put(fd, &req, sizeof(req), NULL), 0);
	GETS_ERROR(fd, T_SVR4_OPTMGMT_REQ, TBADOPT, 0);
	req.oh.name = TL_OPT_PEER_CRED;
	req.oh.len = 2;
	OK(t_put(fd, &req, sizeof(req), NULL), 0);
	GETS(fd, T_ERROR_ACK);
	FAILS(U_IOCTL(fd, I_STR, &s), EINVAL);
	FAILS(U_IOCTL(fd, TL_IOC_CREDOPT, &on), EINVAL);
	s.ic_cmd = 0x1234;
	FAILS(U_IOCTL(fd, I_STR, &s), EINVAL);
	OK(U_IOCTL(fd, I_FLUSH, FLUSHRW), 0);
	OK(U_IOCTL(fd, I_FLUSH, FLUSHR), 0);
	OK(U_IOCTL(fd, I_FLUSH, FLUSHW), 0);
	DONE;
}

/* ---- close ---- */

PROGRAM(tl, close_in_every_state)
{
	for (int i = 0; i < 2; i++) {
		int64_t l = bound(paths[i], "l", 3), c = bound(paths[i], "c", 0), s = open_tl(paths[i]);
		int64_t fds[3];
		t_scalar_t seq;

		/* an outgoing connection */
		OK(t_connect(c, "l", NULL, NULL), 0);
		GETS(l, T_CONN_IND);
		seq = GOT->conn_ind.SEQ_number;
		OK(U_CLOSE(c), 0);
		GETS(l, T_DISCON_IND);
		cr_assert_eq(GOT->discon_ind.SEQ_number, seq);
		cr_assert_eq(t_state(l), TS_IDLE);
		/* a listener, one client waiting */
		c = bound(paths[i], "c", 0);
		OK(t_connect(c, "l", NULL, NULL), 0);
		GETS_OK(c, T_CONN_REQ);
		OK(U_CLOSE(l), 0);
		GETS(c, T_DISCON_IND);
		cr_assert_eq(GOT->discon_ind.DISCON_reason, ECONNREFUSED);
		cr_assert_eq(t_state(c), TS_IDLE);
		OK(U_CLOSE(c), 0);
		OK(U_CLOSE(s), 0);
		/* one end of a connection */
		connected(paths[i], fds);
		OK(U_WRITE(fds[1], "last", 4), 4);
		OK(U_CLOSE(fds[1]), 0);
		GETS_DATA(fds[2], T_ONLYDATA, "last");
		GETS(fds[2], i == 0 ? T_DISCON_IND : T_ORDREL_IND);
		OK(U_WRITE(fds[2], "nobody", 6), 6);
		cr_assert_eq(t_state(fds[2]), i == 0 ? TS_IDLE : TS_WREQ_ORDREL);
		if (i == 1) {
			OK(word(fds[2], T_ORDREL_REQ), 0);
			cr_assert_eq(t_state(fds[2]), TS_IDLE);
		}
		OK(U_CLOSE(fds[0]), 0);
		OK(U_CLOSE(fds[2]), 0);
	}
	DONE;
}

PROGRAM(tl, close_during_orderly_release)
{
	int64_t fds[3];

	connected(ORD, fds);
	OK(word(fds[1], T_ORDREL_REQ), 0);
	GETS(fds[2], T_ORDREL_IND);
	OK(U_CLOSE(fds[2]), 0); /* it had only to release */
	GETS(fds[1], T_ORDREL_IND);
	cr_assert_eq(t_state(fds[1]), TS_IDLE);
	OK(U_CLOSE(fds[0]), 0);
	OK(U_CLOSE(fds[1]), 0);
	connected(ORD, fds);
	OK(word(fds[1], T_ORDREL_REQ), 0);
	GETS(fds[2], T_ORDREL_IND);
	OK(U_CLOSE(fds[1]), 0); /* it would not read any more */
	GETS(fds[2], T_DISCON_IND);
	cr_assert_eq(t_state(fds[2]), TS_IDLE);
	DONE;
}

PROGRAM(tl, close_with_messages_waiting)
{
	static char chunk[1000];

	for (int i = 0; i < 2; i++) {
		int64_t fds[3];
		int n = 0, got = 0, prim;

		connected(paths[i], fds);
		while (U_WRITE(fds[1], chunk, sizeof(chunk)) > 0)
			n++;
		OK(U_CLOSE(fds[1]), 0); /* does not wait: it does not block */
		while ((prim = t_get(fds[2])) == T_ONLYDATA)
			got++;
		cr_assert_eq(prim, i == 0 ? T_DISCON_IND : T_ORDREL_IND);
		cr_assert_eq(got, i == 0 ? 6 : n, "an orderly end loses nothing: %d of %d", got, n);
		OK(U_CLOSE(fds[0]), 0);
		OK(U_CLOSE(fds[2]), 0);
	}
	DONE;
}

PROGRAM(tl, everything_left_open)
{
	int64_t fds[3];

	connected(ORD, fds);
	OK(U_WRITE(fds[1], "unread", 6), 6);
	OK(t_connect(bound(ORD, "x", 0), "l", "opt", "data"), 0);
	DONE;
}

/* ---- memory ---- */

static void scene(const char *path)
{
	int64_t l = U_OPEN(path, O_RDWR | O_NONBLOCK), c = U_OPEN(path, O_RDWR | O_NONBLOCK), s;
	t_uscalar_t id = 0;

	s = U_OPEN(path, O_RDWR | O_NONBLOCK);
	(void)t_bindput(l, T_BIND_REQ, "l", 2);
	(void)t_get(l);
	(void)t_bindput(c, T_BIND_REQ, "", 0);
	(void)t_get(c);
	(void)word(c, T_ADDR_REQ);
	(void)t_get(c);
	(void)word(c, T_INFO_REQ);
	(void)t_get(c);
	(void)t_sndudata(c, "l", NULL, "x"); /* ends the stream, but for ticlts */
	(void)t_sndudata(c, "nobody", NULL, "x");
	if (path != paths[2]) {
		(void)U_CLOSE(c);
		c = U_OPEN(path, O_RDWR | O_NONBLOCK);
		(void)t_bindput(c, T_BIND_REQ, "c", 0);
		(void)t_get(c);
	}
	(void)t_connect(c, "l", "o", "d");
	(void)t_get(c);
	(void)t_putn(s, (int[]){T_CAPABILITY_REQ, TC1_ACCEPTOR_ID}, 8, NULL, -1, RS_HIPRI);
	if (t_get(s) == T_CAPABILITY_ACK)
		id = GOT->capability_ack.ACCEPTOR_id;
	if (t_get(l) == T_CONN_IND)
		(void)t_words(l, 5, T_CONN_RES, (int)id, 0, 0, GOT->conn_ind.SEQ_number);
	(void)t_get(c);
	(void)U_WRITE(c, "abc", 3);
	(void)t_put(c, (int[]){T_DATA_REQ, 0}, 8, "d");
	(void)t_get(s);
	(void)word(s, T_ORDREL_REQ);
	(void)discon(s, -1);
	(void)word(c, T_UNBIND_REQ);
	for (int64_t fd = 0; fd < 4; fd++)
		(void)U_CLOSE(fd);
}

PROGRAM(tl, memory_fails_anywhere)
{
	for (int i = 0; i < 3; i++) {
		for (long n = 1; n < 100; n++) {
			allocb_fail_nth(n);
			scene(paths[i]);
			allocb_fail_nth(0);
			kmem_fail_nth(n);
			scene(paths[i]);
			kmem_fail_nth(0);
		}
	}
	DONE;
}

/* A failed allocation in tl delays the answer, or is the request's error; the endpoint can be used afterwards. */
PROGRAM(tl, the_error_of_a_failed_allocation)
{
	int64_t fd = open_tl(COTS), c;
	pollfd_t pfd = {(int)fd, POLLIN | POLLPRI, 0};
	bool refused = false;
	int error;

	allocb_fail_nth(2); /* the first is the stream head's: no room for the answer */
	OK(t_bindput(fd, T_BIND_REQ, "l", 1), 0);
	allocb_fail_nth(0);
	OK(U_POLL(&pfd, 1, 5000), 1);
	GETS(fd, T_BIND_ACK);
	c = open_tl(COTS);
	for (long n = 1; !refused && n < 20; n++) { /* one of them is the address */
		kmem_fail_nth(n);
		error = t_bindput(c, T_BIND_REQ, "c", 0);
		kmem_fail_nth(0);
		if (error != 0)
			continue; /* the stream head's */
		pfd.fd = (int)c;
		OK(U_POLL(&pfd, 1, 5000), 1);
		refused = t_get(c) == T_ERROR_ACK;
		if (refused)
			break;
		OK(word(c, T_UNBIND_REQ), 0);
		GETS_OK(c, T_UNBIND_REQ);
	}
	cr_assert(refused);
	cr_assert_eq(GOT->error_ack.TLI_error, TSYSERR);
	cr_assert_eq(GOT->error_ack.UNIX_error, ENOMEM);
	t_bind(c, "c", 0);
	allocb_fail_nth(3); /* the indication to the listener */
	OK(t_connect(c, "l", NULL, NULL), 0);
	allocb_fail_nth(0);
	GETS_ERROR(c, T_CONN_REQ, TSYSERR, ENOMEM);
	cr_assert_eq(t_state(c), TS_IDLE);
	cr_assert_eq(t_state(fd), TS_IDLE);
	OK(t_connect(c, "l", NULL, NULL), 0);
	GETS_OK(c, T_CONN_REQ);
	DONE;
}

PROGRAM(tl, closed_while_waiting_for_memory)
{
	int64_t fd = open_tl(COTS), c = bound(CLTS, "c", 0);

	allocb_fail_nth(-2);
	OK(t_bindput(fd, T_BIND_REQ, "l", 1), 0);
	allocb_fail_nth(-3);
	OK(t_sndudata(c, "c", NULL, "x"), 0);
	cr_assert_eq(t_get(fd), T_NOTHING);
	cr_assert_eq(t_get(c), T_NOTHING);
	cr_assert_eq(qsize(_WR(fd_driver(fd))), 1);
	cr_assert_eq(qsize(_WR(fd_driver(c))), 1);
	OK(U_CLOSE(fd), 0);
	OK(U_CLOSE(c), 0);
	allocb_fail_nth(0);
	DONE;
}
