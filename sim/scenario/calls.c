#include "scenario/impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/errno.h"
#include "sys/file.h"
#include "sys/poll.h"
#include "sys/ptms.h"
#include "sys/stropts.h"
#include "sys/uio.h"

/*
 * System calls on files and streams: arguments from Lua values, results to
 * them.  Whatever the kernel reads or writes lies in strings and userdata that
 * the Lua stack holds.
 */

#define BUFMAX (16 << 20)

/* A count of bytes, with a buffer for them on the stack. */
static char *buffer_arg(lua_State *L, int arg, lua_Integer dflt, lua_Integer *n)
{
	*n = luaL_optinteger(L, arg, dflt);
	luaL_argcheck(L, *n >= 0 && *n <= BUFMAX, arg, "not a number of bytes");
	return lua_newuserdatauv(L, (size_t)*n + 1, 0);
}

static int value_or_failed(lua_State *L, const char *name, int64_t fd, int64_t r)
{
	if (r < 0)
		return process_fdfailed(L, name, fd);
	lua_pushinteger(L, r);
	return 1;
}

/* ---- open, close, read, write ---- */

static int m_open(lua_State *L)
{
	sthread_t *t = process_self(L);
	const char *path = luaL_checkstring(L, 2);
	int64_t flags = names_opt(L, 3, "O_", O_RDWR), r;

	r = CALL(L, t, open, PTR(path), flags);
	if (r < 0)
		return process_failed(L, "open", path, t->t_errno);
	lua_pushinteger(L, r);
	return 1;
}

static int m_close(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);

	return value_or_failed(L, "close", fd, CALL(L, t, close, fd));
}

/* "" is the end of the file, or a message without data. */
static int m_read(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2), n;
	char *buf = buffer_arg(L, 3, 8192, &n);
	int64_t r = CALL(L, t, read, fd, PTR(buf), n);

	if (r < 0)
		return process_fdfailed(L, "read", fd);
	lua_pushlstring(L, buf, (size_t)r);
	return 1;
}

static int m_write(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);
	size_t n;
	const char *data = luaL_checklstring(L, 3, &n);

	return value_or_failed(L, "write", fd, CALL(L, t, write, fd, PTR(data), (int64_t)n));
}

/* How many elements the list at arg has. */
static int list_length(lua_State *L, int arg)
{
	lua_Integer n;

	luaL_checktype(L, arg, LUA_TTABLE);
	n = luaL_len(L, arg);
	luaL_argcheck(L, n <= 1024, arg, "list is too long");
	return (int)n;
}

static int m_writev(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);
	int n = list_length(L, 3);
	iovec_t *iov = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof(*iov), 0);

	luaL_checkstack(L, n + 8, NULL);
	for (int i = 0; i < n; i++) {
		if (lua_geti(L, 3, i + 1) != LUA_TSTRING)
			sc_error(L, "writev: element %d is not a string", i + 1);
		iov[i].iov_base = (void *)(uintptr_t)lua_tolstring(L, -1, &iov[i].iov_len);
	}
	return value_or_failed(L, "writev", fd, CALL(L, t, writev, fd, PTR(iov), n));
}

/* p:readv(fd, {n, n, ...}): the list of what each got, as far as there was something. */
static int m_readv(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);
	int n = list_length(L, 3), i;
	iovec_t *iov = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof(*iov), 0);
	int64_t left;

	luaL_checkstack(L, 2 * n + 8, NULL);
	for (i = 0; i < n; i++) {
		lua_Integer len;

		lua_geti(L, 3, i + 1);
		iov[i].iov_base = buffer_arg(L, -1, 0, &len);
		iov[i].iov_len = (size_t)len;
	}
	left = CALL(L, t, readv, fd, PTR(iov), n);
	if (left < 0)
		return process_fdfailed(L, "readv", fd);
	lua_newtable(L);
	for (i = 0; i < n && left > 0; i++) {
		size_t len = MIN((size_t)left, iov[i].iov_len);

		lua_pushlstring(L, iov[i].iov_base, len);
		lua_rawseti(L, -2, i + 1);
		left -= (int64_t)len;
	}
	return 1;
}

static int m_pipe(lua_State *L)
{
	sthread_t *t = process_self(L);
	int *fds = lua_newuserdatauv(L, 2 * sizeof(int), 0);

	if (CALL(L, t, pipe, PTR(fds)) < 0)
		return process_failed(L, "pipe", "", t->t_errno);
	lua_pushinteger(L, fds[0]);
	lua_pushinteger(L, fds[1]);
	return 2;
}

/* p:fcntl(fd, "F_SETFL", "O_RDWR|O_NONBLOCK"); F_GETFL gives a number and a table of names. */
static int m_fcntl(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);
	int64_t cmd = names_arg(L, 3, "F_"), r;

	r = CALL(L, t, fcntl, fd, cmd, names_opt(L, 4, "O_", 0));
	if (r < 0)
		return process_fdfailed(L, "fcntl", fd);
	lua_pushinteger(L, r);
	if (cmd != F_GETFL)
		return 1;
	names_push_bits(L, "O_", r);
	return 2;
}

static int m_dup(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);

	return value_or_failed(L, "dup", fd, CALL(L, t, fcntl, fd, F_DUPFD, luaL_optinteger(L, 3, 0)));
}

/* p:ptsname(fd): the slave's path of a master, found out as ptsname(3C) does it */
static int m_ptsname(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);
	file_t *fp;

	if (CALL(L, t, ioctl, fd, ISPTM, 0) < 0)
		return process_fdfailed(L, "ptsname", fd);
	fp = getf((int)fd);
	lua_pushfstring(L, "/dev/pts/%d", (int)getminor(fp->f_vnode->v_rdev));
	releasef(fp);
	return 1;
}

/* ---- poll ---- */

/* One descriptor: { NAME = true } of what is true, or nil when time is up.  Milliseconds, as in poll(2). */
static int poll_one(lua_State *L, sthread_t *t)
{
	pollfd_t *pfd = lua_newuserdatauv(L, sizeof(*pfd), 0);
	int64_t r;

	*pfd = (pollfd_t){.fd = (int)luaL_checkinteger(L, 2), .events = (short)names_opt(L, 3, "POLL", POLLIN)};
	r = CALL(L, t, poll, PTR(pfd), 1, luaL_optinteger(L, 4, -1));
	if (r < 0)
		return process_fdfailed(L, "poll", pfd->fd);
	if (r == 0)
		lua_pushnil(L);
	else
		names_push_bits(L, "POLL", pfd->revents);
	return 1;
}

static void poll_entry(lua_State *L, int i, pollfd_t *pfd)
{
	if (lua_geti(L, 2, i + 1) != LUA_TTABLE)
		sc_error(L, "poll: element %d is not a table with fd and events", i + 1);
	lua_getfield(L, -1, "fd");
	lua_getfield(L, -2, "events");
	*pfd = (pollfd_t){.fd = (int)luaL_checkinteger(L, -2), .events = (short)names_opt(L, -1, "POLL", POLLIN)};
	lua_pop(L, 3);
}

/* p:poll({ {fd=, events=}, ... }[, ms]): how many are ready; each gets the field revents. */
static int m_poll(lua_State *L)
{
	sthread_t *t = process_self(L);
	pollfd_t *fds;
	int64_t r;
	int n;

	if (!lua_istable(L, 2))
		return poll_one(L, t);
	n = list_length(L, 2);
	fds = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof(*fds), 0);
	for (int i = 0; i < n; i++)
		poll_entry(L, i, &fds[i]);
	/* poll(list, ms) and poll(list, nil, ms) */
	r = CALL(L, t, poll, PTR(fds), n, luaL_optinteger(L, 4, luaL_optinteger(L, 3, -1)));
	if (r < 0)
		return process_failed(L, "poll", "", t->t_errno);
	for (int i = 0; i < n; i++) {
		lua_geti(L, 2, i + 1);
		names_push_bits(L, "POLL", fds[i].revents);
		lua_setfield(L, -2, "revents");
		lua_pop(L, 1);
	}
	lua_pushinteger(L, r);
	return 1;
}

/* ---- messages ---- */

/* A part of a message: a string, or nil for none; len is set where len is the kernel's word for it. */
static void strbuf_in(lua_State *L, int arg, struct strbuf *sb)
{
	size_t n = 0;

	sb->buf = lua_isnoneornil(L, arg) ? NULL : (char *)(uintptr_t)luaL_checklstring(L, arg, &n);
	sb->len = sb->buf == NULL ? -1 : (int)n;
	sb->maxlen = (int)n;
}

static int m_putmsg(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);
	struct strbuf *sb = lua_newuserdatauv(L, 2 * sizeof(*sb), 0);

	strbuf_in(L, 3, &sb[0]);
	strbuf_in(L, 4, &sb[1]);
	return value_or_failed(L, "putmsg", fd,
			       CALL(L, t, putmsg, fd, sb[0].buf != NULL ? PTR(&sb[0]) : 0,
				    sb[1].buf != NULL ? PTR(&sb[1]) : 0, names_opt(L, 5, "RS_", 0)));
}

static int m_putpmsg(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2), band = luaL_optinteger(L, 5, 0);
	struct strbuf *sb = lua_newuserdatauv(L, 2 * sizeof(*sb), 0);

	strbuf_in(L, 3, &sb[0]);
	strbuf_in(L, 4, &sb[1]);
	return value_or_failed(L, "putpmsg", fd,
			       CALL(L, t, putpmsg, fd, sb[0].buf != NULL ? PTR(&sb[0]) : 0,
				    sb[1].buf != NULL ? PTR(&sb[1]) : 0, band, names_opt(L, 6, "MSG_", MSG_BAND)));
}

/* Room for both parts of a message, and the words that go both ways. */
typedef struct getbuf {
	struct strbuf g_ctl, g_data;
	int g_band, g_flags;
} getbuf_t;

/* How much of each part may come: a number for both, { ctl =, data = }, or 8192. */
static getbuf_t *getbuf_arg(lua_State *L, int arg)
{
	getbuf_t *g = lua_newuserdatauv(L, sizeof(*g), 0);
	lua_Integer n[2] = {8192, 8192};

	memset(g, 0, sizeof(*g));
	if (lua_istable(L, arg)) {
		lua_getfield(L, arg, "ctl");
		n[0] = luaL_optinteger(L, -1, -1);
		lua_getfield(L, arg, "data");
		n[1] = luaL_optinteger(L, -1, -1);
	} else if (!lua_isnoneornil(L, arg)) {
		n[0] = n[1] = luaL_checkinteger(L, arg);
	}
	luaL_argcheck(L, n[0] >= -1 && n[0] <= BUFMAX && n[1] >= -1 && n[1] <= BUFMAX, arg, "not a number of bytes");
	g->g_ctl = (struct strbuf){(int)n[0], -1, lua_newuserdatauv(L, (size_t)n[0] + 2, 0)};
	g->g_data = (struct strbuf){(int)n[1], -1, lua_newuserdatauv(L, (size_t)n[1] + 2, 0)};
	return g;
}

static void push_part(lua_State *L, const struct strbuf *sb)
{
	if (sb->len < 0)
		lua_pushnil(L);
	else
		lua_pushlstring(L, sb->buf, (size_t)sb->len);
}

static void push_info(lua_State *L, const getbuf_t *g, int64_t r, bool hipri, bool band)
{
	lua_newtable(L);
	lua_pushboolean(L, hipri);
	lua_setfield(L, -2, "hipri");
	lua_pushboolean(L, (r & MORECTL) != 0);
	lua_setfield(L, -2, "morectl");
	lua_pushboolean(L, (r & MOREDATA) != 0);
	lua_setfield(L, -2, "moredata");
	if (!band)
		return;
	lua_pushinteger(L, g->g_band);
	lua_setfield(L, -2, "band");
}

/* ctl, data, info = p:getmsg(fd[, max[, "RS_HIPRI"]]) */
static int m_getmsg(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);
	int64_t flags = names_opt(L, 4, "RS_", 0), r;
	getbuf_t *g = getbuf_arg(L, 3);

	g->g_flags = (int)flags;
	r = CALL(L, t, getmsg, fd, PTR(&g->g_ctl), PTR(&g->g_data), PTR(&g->g_flags));
	if (r < 0)
		return process_fdfailed(L, "getmsg", fd);
	push_part(L, &g->g_ctl);
	push_part(L, &g->g_data);
	push_info(L, g, r, g->g_flags == RS_HIPRI, false);
	return 3;
}

/* ctl, data, info = p:getpmsg(fd[, max[, band[, "MSG_ANY"]]]) */
static int m_getpmsg(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2), band = luaL_optinteger(L, 4, 0);
	int64_t flags = names_opt(L, 5, "MSG_", MSG_ANY), r;
	getbuf_t *g = getbuf_arg(L, 3);

	g->g_flags = (int)flags;
	g->g_band = (int)band;
	r = CALL(L, t, getpmsg, fd, PTR(&g->g_ctl), PTR(&g->g_data), PTR(&g->g_band), PTR(&g->g_flags));
	if (r < 0)
		return process_fdfailed(L, "getpmsg", fd);
	push_part(L, &g->g_ctl);
	push_part(L, &g->g_data);
	push_info(L, g, r, g->g_flags == MSG_HIPRI, true);
	return 3;
}

static const luaL_Reg methods[] = {
    {"open", m_open},     {"close", m_close},     {"read", m_read},       {"write", m_write},
    {"readv", m_readv},   {"writev", m_writev},   {"pipe", m_pipe},       {"fcntl", m_fcntl},
    {"dup", m_dup},       {"ptsname", m_ptsname}, {"poll", m_poll},       {"putmsg", m_putmsg},
    {"getmsg", m_getmsg}, {"putpmsg", m_putpmsg}, {"getpmsg", m_getpmsg}, {NULL, NULL}};

void calls_open(lua_State *L)
{
	process_methods(L, methods);
}
