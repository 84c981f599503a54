/*
 * For tests of transports as TLI programs use them: endpoints that are opened,
 * perhaps with timod pushed, and TPI messages put and got.  All of it runs in
 * a program (PROGRAM of headtest.h); endpoints do not block.
 */
#ifndef STRSIM_TLITEST_H
#define STRSIM_TLITEST_H

#include "tests/headtest.h"
#include "sys/tihdr.h"
#include "sys/timod.h"
#include "sys/tiuser.h"

/* The message that t_get() got last. */
TEST_FN _Alignas(8) uchar_t got_ctl[2048];
TEST_FN char got_data[70000];
TEST_FN int got_ctllen, got_datalen;
#define GOT ((const union T_primitives *)(const void *)got_ctl)

enum { T_NOTHING = -1, T_ONLYDATA = -2, T_BROKEN = -3 };

/* The primitive of the next message, or one of the above (T_BROKEN: the stream's error is in user_errno()). */
TEST_FN int t_get(int64_t fd)
{
	struct strbuf c = {.maxlen = sizeof(got_ctl), .buf = (char *)got_ctl};
	struct strbuf d = {.maxlen = sizeof(got_data) - 1, .buf = got_data};
	int flags = 0;

	memset(got_ctl, 0, sizeof(got_ctl));
	if (U_GETMSG(fd, &c, &d, &flags) < 0)
		return user_errno() == EAGAIN ? T_NOTHING : T_BROKEN;
	got_ctllen = c.len;
	got_datalen = d.len;
	got_data[MAX(d.len, 0)] = '\0';
	return c.len >= 4 ? GOT->type : T_ONLYDATA;
}
#define GETS(fd, prim)                                                                                             \
	do {                                                                                                       \
		int prim_ = t_get(fd);                                                                             \
		cr_assert_eq(prim_, prim, "got %d (error %d) instead of " #prim, prim_, GOT->error_ack.TLI_error); \
	} while (0)

/* A message down: control of ctllen bytes, data (NULL: none).  0, or the error. */
TEST_FN int t_putn(int64_t fd, const void *ctl, size_t ctllen, const char *data, int datalen, int flags)
{
	struct strbuf c = {.len = (int)ctllen, .buf = (char *)(uintptr_t)ctl};
	struct strbuf d = {.len = datalen, .buf = (char *)(uintptr_t)data};

	return U_PUTMSG(fd, &c, data != NULL ? &d : NULL, flags) == 0 ? 0 : user_errno();
}

TEST_FN int t_put(int64_t fd, const void *ctl, size_t ctllen, const char *data)
{
	return t_putn(fd, ctl, ctllen, data, data != NULL ? (int)strlen(data) : -1, 0);
}

/* A primitive with an address and perhaps options behind it: five words at the front as T_CONN_REQ has them. */
TEST_FN int t_addrput(int64_t fd, int prim, const char *addr, const char *opt, const char *data)
{
	_Alignas(4) char buf[512];
	struct T_conn_req r = {prim, (int)strlen(addr), sizeof(r), opt != NULL ? (int)strlen(opt) : 0, 0};
	size_t len = sizeof(r) + strlen(addr);

	memcpy(buf + sizeof(r), addr, strlen(addr));
	if (opt != NULL) {
		r.OPT_offset = (int)len;
		memcpy(buf + len, opt, strlen(opt));
		len += strlen(opt);
	}
	memcpy(buf, &r, sizeof(r));
	return t_put(fd, buf, len, data);
}

TEST_FN int t_connect(int64_t fd, const char *addr, const char *opt, const char *data)
{
	return t_addrput(fd, T_CONN_REQ, addr, opt, data);
}

TEST_FN int t_sndudata(int64_t fd, const char *addr, const char *opt, const char *data)
{
	return t_addrput(fd, T_UNITDATA_REQ, addr, opt, data);
}

/* A primitive that is n words. */
TEST_FN int t_words(int64_t fd, int n, int prim, int w1, int w2, int w3, int w4)
{
	int w[5] = {prim, w1, w2, w3, w4};

	return t_put(fd, w, (size_t)n * sizeof(int), NULL);
}

/* T_BIND_REQ; addr "" lets the provider choose. */
TEST_FN int t_bindput(int64_t fd, int prim, const char *addr, int qlen)
{
	_Alignas(4) char buf[512];
	struct T_bind_req r = {prim, (int)strlen(addr), sizeof(r), (t_uscalar_t)qlen};

	memcpy(buf, &r, sizeof(r));
	memcpy(buf + sizeof(r), addr, strlen(addr));
	return t_put(fd, buf, sizeof(r) + strlen(addr), NULL);
}

TEST_FN void t_bind(int64_t fd, const char *addr, int qlen)
{
	OK(t_bindput(fd, T_BIND_REQ, addr, qlen), 0);
	GETS(fd, T_BIND_ACK);
}

/* The next message is T_ERROR_ACK for this request. */
#define GETS_ERROR(fd, prim, tli, unixerr)                                                               \
	do {                                                                                             \
		GETS(fd, T_ERROR_ACK);                                                                   \
		cr_assert_eq(GOT->error_ack.ERROR_prim, prim);                                           \
		cr_assert_eq(GOT->error_ack.TLI_error, tli, "TLI error %d", GOT->error_ack.TLI_error);   \
		cr_assert_eq(GOT->error_ack.UNIX_error, unixerr, "errno %d", GOT->error_ack.UNIX_error); \
	} while (0)
#define GETS_OK(fd, prim)                                     \
	do {                                                  \
		GETS(fd, T_OK_ACK);                           \
		cr_assert_eq(GOT->ok_ack.CORRECT_prim, prim); \
	} while (0)
#define GETS_DATA(fd, prim, text)                 \
	do {                                      \
		GETS(fd, prim);                   \
		cr_assert_str_eq(got_data, text); \
	} while (0)
/* Bytes of the last message's block. */
#define GOT_BYTES(off, len, text)                                                  \
	do {                                                                       \
		cr_assert_eq((size_t)(len), strlen(text), "%d bytes", (int)(len)); \
		cr_assert_eq(memcmp(got_ctl + (off), text, strlen(text)), 0);      \
	} while (0)

TEST_FN int64_t t_open(const char *path, bool timod)
{
	int64_t fd = U_OPEN(path, O_RDWR | O_NONBLOCK);

	cr_assert_geq(fd, 0, "open %s: %d", path, user_errno());
	if (timod)
		OK(U_IOCTL(fd, I_PUSH, "timod"), 0);
	return fd;
}

/* The provider's name for an endpoint. */
TEST_FN t_uscalar_t t_acceptor(int64_t fd)
{
	int w[2] = {T_CAPABILITY_REQ, TC1_ACCEPTOR_ID};

	OK(t_putn(fd, w, sizeof(w), NULL, -1, RS_HIPRI), 0);
	GETS(fd, T_CAPABILITY_ACK);
	cr_assert_eq(GOT->capability_ack.CAP_bits1, TC1_ACCEPTOR_ID);
	return GOT->capability_ack.ACCEPTOR_id;
}

TEST_FN int t_state(int64_t fd)
{
	int req = T_INFO_REQ;

	OK(t_putn(fd, &req, sizeof(req), NULL, -1, RS_HIPRI), 0);
	GETS(fd, T_INFO_ACK);
	return GOT->info_ack.CURRENT_state;
}

/* Give the connection that fd is offered to acc. */
TEST_FN void t_accept(int64_t fd, int64_t acc)
{
	t_scalar_t seq;
	t_uscalar_t id;

	GETS(fd, T_CONN_IND);
	seq = GOT->conn_ind.SEQ_number;
	id = t_acceptor(acc);
	OK(t_words(fd, 5, T_CONN_RES, (int)id, 0, 0, seq), 0);
	GETS_OK(fd, T_CONN_RES);
}

#endif
