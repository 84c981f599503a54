#include "scenario/impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/errno.h"
#include "sys/socket.h"

/*
 * System calls on sockets.
 *
 * An address is "10.0.0.1:80" ("*:80" any address), "/tmp/path" for AF_UNIX, or
 * a table { addr =, port = } or { path = }; family = "AF_INET6" in it makes the
 * IPv4-mapped form.  Calls that give one give such a table.
 */

#define OPT_PREFIXES "SO_ IP_ TCP_ UDP_"
#define LEVEL_PREFIXES "SOL_ IPPROTO_"

typedef struct addr6 {
	uint16_t family, port;
	uint32_t flowinfo;
	uint8_t addr[16];
	uint32_t scope, srcid;
} addr6_t;

/* A family's address, in the form of the kernel. */
typedef union saddr {
	struct sockaddr sa;
	struct sockaddr_in sin;
	addr6_t sin6;
	struct sockaddr_un sun;
	char room[256];
} saddr_t;

static uint16_t swap16(lua_Integer port)
{
	return (uint16_t)((port & 0xff) << 8 | (port >> 8 & 0xff));
}

uint32_t sc_ipaddr(lua_State *L, const char *text)
{
	unsigned a, b, c, d;
	char end;

	if (sscanf(text, "%3u.%3u.%3u.%3u%c", &a, &b, &c, &d, &end) != 4 || a > 255 || b > 255 || c > 255 || d > 255)
		sc_error(L, "\"%s\" is no IPv4 address", text);
	return a | b << 8 | c << 16 | (uint32_t)d << 24;
}

void sc_push_ipaddr(lua_State *L, uint32_t addr)
{
	lua_pushfstring(L, "%d.%d.%d.%d", (int)(addr & 255), (int)(addr >> 8 & 255), (int)(addr >> 16 & 255),
			(int)(addr >> 24));
}

static size_t set_inet(lua_State *L, saddr_t *sa, const char *host, lua_Integer port, bool six)
{
	uint32_t addr = host[0] == '\0' || strcmp(host, "*") == 0 ? 0 : sc_ipaddr(L, host);

	if (port < 0 || port > 65535)
		sc_error(L, "%I is no port", port);
	if (!six) {
		sa->sin = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = swap16(port), .sin_addr = {addr}};
		return sizeof(sa->sin);
	}
	sa->sin6 = (addr6_t){.family = AF_INET6, .port = swap16(port)};
	if (addr != 0) {
		sa->sin6.addr[10] = sa->sin6.addr[11] = 0xff;
		memcpy(sa->sin6.addr + 12, &addr, 4);
	}
	return sizeof(sa->sin6);
}

static size_t set_unix(lua_State *L, saddr_t *sa, const char *path)
{
	size_t len = strlen(path);

	if (len >= sizeof(sa->sun.sun_path))
		sc_error(L, "the path is too long: %s", path);
	sa->sun.sun_family = AF_UNIX;
	memcpy(sa->sun.sun_path, path, len + 1);
	return sizeof(sa->sun.sun_family) + len + 1;
}

static size_t table_addr(lua_State *L, int arg, saddr_t *sa)
{
	bool six = false;
	const char *host;
	lua_Integer port;

	if (lua_getfield(L, arg, "path") != LUA_TNIL)
		return set_unix(L, sa, luaL_checkstring(L, -1));
	if (lua_getfield(L, arg, "family") != LUA_TNIL)
		six = names_arg(L, -1, "AF_") == AF_INET6;
	lua_getfield(L, arg, "addr");
	host = luaL_optstring(L, -1, "*");
	lua_getfield(L, arg, "port");
	port = luaL_optinteger(L, -1, 0);
	return set_inet(L, sa, host, port, six);
}

/* The address at arg as a userdata on the stack; its length. */
static saddr_t *addr_arg(lua_State *L, int arg, size_t *len)
{
	saddr_t *sa = lua_newuserdatauv(L, sizeof(*sa), 0);
	const char *text, *colon;

	memset(sa, 0, sizeof(*sa));
	if (lua_istable(L, arg)) {
		int top = lua_gettop(L);

		*len = table_addr(L, arg, sa);
		lua_settop(L, top);
		return sa;
	}
	text = luaL_checkstring(L, arg);
	colon = strrchr(text, ':');
	if (text[0] == '/') {
		*len = set_unix(L, sa, text);
	} else if (colon != NULL) {
		char *end;
		long port = strtol(colon + 1, &end, 10);

		if (*end != '\0' || end == colon + 1)
			sc_error(L, "\"%s\" is no address", text);
		lua_pushlstring(L, text, (size_t)(colon - text));
		*len = set_inet(L, sa, lua_tostring(L, -1), port, false);
		lua_pop(L, 1);
	} else {
		sc_error(L, "\"%s\" is no address: addr:port or /path", text);
	}
	return sa;
}

static void push_addr(lua_State *L, const saddr_t *sa, size_t len)
{
	uint32_t addr = sa->sin.sin_addr.s_addr;
	uint16_t port = sa->sin.sin_port;

	if (len < 2) {
		lua_pushnil(L);
		return;
	}
	lua_newtable(L);
	lua_pushstring(L, names_of("AF_", sa->sa.sa_family));
	lua_setfield(L, -2, "family");
	if (sa->sa.sa_family == AF_UNIX) {
		size_t room = len - sizeof(sa->sun.sun_family);

		lua_pushlstring(L, sa->sun.sun_path, strnlen(sa->sun.sun_path, room));
		lua_setfield(L, -2, "path");
		return;
	}
	if (sa->sa.sa_family == AF_INET6) {
		memcpy(&addr, sa->sin6.addr + 12, 4);
		port = sa->sin6.port;
	}
	sc_push_ipaddr(L, addr);
	lua_setfield(L, -2, "addr");
	lua_pushinteger(L, swap16(port));
	lua_setfield(L, -2, "port");
}

/* Room for an address and its length, which the kernel fills in. */
typedef struct addrbuf {
	saddr_t ab_addr;
	socklen_t_ ab_len;
} addrbuf_t;

static addrbuf_t *addrbuf(lua_State *L)
{
	addrbuf_t *ab = lua_newuserdatauv(L, sizeof(*ab), 0);

	memset(ab, 0, sizeof(*ab));
	ab->ab_len = sizeof(ab->ab_addr);
	return ab;
}

static int done(lua_State *L, const char *name, int64_t fd, int64_t r)
{
	if (r < 0)
		return process_fdfailed(L, name, fd);
	lua_pushinteger(L, r);
	return 1;
}

/* ---- making and connecting ---- */

static int m_socket(lua_State *L)
{
	sthread_t *t = process_self(L);
	int64_t family = names_opt(L, 2, "AF_", AF_INET), type = names_opt(L, 3, "SOCK_", SOCK_STREAM), r;

	r = CALL(L, t, so_socket, family, type, names_opt(L, 4, "IPPROTO_", 0));
	if (r < 0)
		return process_failed(L, "socket", "", t->t_errno);
	lua_pushinteger(L, r);
	return 1;
}

static int m_socketpair(lua_State *L)
{
	sthread_t *t = process_self(L);
	int64_t type = names_opt(L, 2, "SOCK_", SOCK_STREAM);
	int *fds = lua_newuserdatauv(L, 2 * sizeof(int), 0);

	for (int i = 0; i < 2; i++) {
		fds[i] = (int)CALL(L, t, so_socket, AF_UNIX, type, 0);
		if (fds[i] < 0)
			return process_failed(L, "socketpair", "", t->t_errno);
	}
	if (CALL(L, t, so_socketpair, PTR(fds)) < 0)
		return process_failed(L, "socketpair", "", t->t_errno);
	lua_pushinteger(L, fds[0]);
	lua_pushinteger(L, fds[1]);
	return 2;
}

static int m_bind(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);
	size_t len;
	saddr_t *sa = addr_arg(L, 3, &len);

	return done(L, "bind", fd, CALL(L, t, bind, fd, PTR(sa), (int64_t)len));
}

static int m_listen(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);

	return done(L, "listen", fd, CALL(L, t, listen, fd, luaL_optinteger(L, 3, 5)));
}

/* fd, address = p:accept(fd) */
static int m_accept(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);
	addrbuf_t *ab = addrbuf(L);
	int64_t r = CALL(L, t, accept, fd, PTR(&ab->ab_addr), PTR(&ab->ab_len));

	if (r < 0)
		return process_fdfailed(L, "accept", fd);
	lua_pushinteger(L, r);
	push_addr(L, &ab->ab_addr, ab->ab_len);
	return 2;
}

static int m_connect(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);
	size_t len;
	saddr_t *sa = addr_arg(L, 3, &len);

	return done(L, "connect", fd, CALL(L, t, connect, fd, PTR(sa), (int64_t)len));
}

static int m_shutdown(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);

	return done(L, "shutdown", fd, CALL(L, t, shutdown, fd, names_opt(L, 3, "SHUT_", SHUT_RDWR)));
}

/* ---- data ---- */

static int m_send(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);
	size_t n;
	const char *data = luaL_checklstring(L, 3, &n);

	return done(L, "send", fd, CALL(L, t, send, fd, PTR(data), (int64_t)n, names_opt(L, 4, "MSG_", 0)));
}

/* p:sendto(fd, data, address[, flags]) */
static int m_sendto(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);
	size_t n, len;
	const char *data = luaL_checklstring(L, 3, &n);
	saddr_t *sa = addr_arg(L, 4, &len);
	int64_t flags = names_opt(L, 5, "MSG_", 0);

	return done(L, "sendto", fd, CALL(L, t, sendto, fd, PTR(data), (int64_t)n, flags, PTR(sa), (int64_t)len));
}

static char *data_room(lua_State *L, lua_Integer *n)
{
	*n = luaL_optinteger(L, 3, 65536);
	luaL_argcheck(L, *n >= 0 && *n <= 16 << 20, 3, "not a number of bytes");
	return lua_newuserdatauv(L, (size_t)*n + 1, 0);
}

static int m_recv(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2), n;
	char *buf = data_room(L, &n);
	int64_t r = CALL(L, t, recv, fd, PTR(buf), n, names_opt(L, 4, "MSG_", 0));

	if (r < 0)
		return process_fdfailed(L, "recv", fd);
	lua_pushlstring(L, buf, (size_t)r);
	return 1;
}

/* data, address = p:recvfrom(fd[, n[, flags]]) */
static int m_recvfrom(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2), n;
	char *buf = data_room(L, &n);
	addrbuf_t *ab = addrbuf(L);
	int64_t flags = names_opt(L, 4, "MSG_", 0), r;

	r = CALL(L, t, recvfrom, fd, PTR(buf), n, flags, PTR(&ab->ab_addr), PTR(&ab->ab_len));
	if (r < 0)
		return process_fdfailed(L, "recvfrom", fd);
	lua_pushlstring(L, buf, (size_t)r);
	push_addr(L, &ab->ab_addr, ab->ab_len);
	return 2;
}

/* ---- names and options ---- */

static int m_getsockname(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);
	addrbuf_t *ab = addrbuf(L);

	if (CALL(L, t, getsockname, fd, PTR(&ab->ab_addr), PTR(&ab->ab_len)) < 0)
		return process_fdfailed(L, "getsockname", fd);
	push_addr(L, &ab->ab_addr, ab->ab_len);
	return 1;
}

static int m_getpeername(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);
	addrbuf_t *ab = addrbuf(L);

	if (CALL(L, t, getpeername, fd, PTR(&ab->ab_addr), PTR(&ab->ab_len)) < 0)
		return process_fdfailed(L, "getpeername", fd);
	push_addr(L, &ab->ab_addr, ab->ab_len);
	return 1;
}

/* The level that an option's name says when none is given: p:setsockopt(fd, "TCP_NODELAY", 1). */
static int64_t level_of(lua_State *L, int arg)
{
	const char *name = luaL_checkstring(L, arg);

	if (strncmp(name, "TCP_", 4) == 0)
		return IPPROTO_TCP;
	if (strncmp(name, "UDP_", 4) == 0)
		return IPPROTO_UDP;
	return strncmp(name, "IP_", 3) == 0 ? IPPROTO_IP : SOL_SOCKET;
}

/* The index of the option's name: behind a level, or where the level would be. */
static int option_arg(lua_State *L, int64_t *level)
{
	int64_t v;
	size_t n;
	const char *s = lua_type(L, 3) == LUA_TSTRING ? lua_tolstring(L, 3, &n) : NULL;

	if (s != NULL && !names_lookup(s, n, LEVEL_PREFIXES, &v)) {
		*level = level_of(L, 3);
		return 3;
	}
	*level = names_arg(L, 3, LEVEL_PREFIXES);
	return 4;
}

/* p:setsockopt(fd, [level,] option, value): value a number, true or false, { onoff =, linger = }, or bytes. */
static int m_setsockopt(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);
	int64_t level;
	int arg = option_arg(L, &level), *v = lua_newuserdatauv(L, sizeof(struct linger), 0);
	int64_t option = names_arg(L, arg, OPT_PREFIXES);
	const void *val = v;
	size_t len = sizeof(int);

	if (lua_type(L, arg + 1) == LUA_TSTRING) {
		val = lua_tolstring(L, arg + 1, &len);
	} else if (lua_istable(L, arg + 1)) {
		lua_getfield(L, arg + 1, "onoff");
		v[0] = (int)luaL_checkinteger(L, -1);
		lua_getfield(L, arg + 1, "linger");
		v[1] = (int)luaL_optinteger(L, -1, 0);
		len = sizeof(struct linger);
	} else if (lua_isboolean(L, arg + 1)) {
		v[0] = lua_toboolean(L, arg + 1);
	} else {
		v[0] = (int)luaL_checkinteger(L, arg + 1);
	}
	return done(L, "setsockopt", fd, CALL(L, t, setsockopt, fd, level, option, PTR(val), (int64_t)len));
}

/* p:getsockopt(fd, [level,] option): a number, or the bytes of anything longer. */
static int m_getsockopt(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);
	int64_t level, option;
	int arg = option_arg(L, &level), v;
	struct {
		char buf[256];
		socklen_t_ len;
	} *o = lua_newuserdatauv(L, sizeof(*o), 0);

	option = names_arg(L, arg, OPT_PREFIXES);
	memset(o, 0, sizeof(*o));
	o->len = sizeof(o->buf);
	if (CALL(L, t, getsockopt, fd, level, option, PTR(o->buf), PTR(&o->len)) < 0)
		return process_fdfailed(L, "getsockopt", fd);
	if (o->len != sizeof(int)) {
		lua_pushlstring(L, o->buf, o->len);
		return 1;
	}
	memcpy(&v, o->buf, sizeof(v));
	lua_pushinteger(L, v);
	return 1;
}

static const luaL_Reg methods[] = {{"socket", m_socket},
				   {"socketpair", m_socketpair},
				   {"bind", m_bind},
				   {"listen", m_listen},
				   {"accept", m_accept},
				   {"connect", m_connect},
				   {"shutdown", m_shutdown},
				   {"send", m_send},
				   {"sendto", m_sendto},
				   {"recv", m_recv},
				   {"recvfrom", m_recvfrom},
				   {"getsockname", m_getsockname},
				   {"getpeername", m_getpeername},
				   {"setsockopt", m_setsockopt},
				   {"getsockopt", m_getsockopt},
				   {NULL, NULL}};

void sock_open(lua_State *L)
{
	process_methods(L, methods);
}
