#include "scenario/impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/dlpi.h"
#include "sys/errno.h"
#include "sys/file.h"
#include "sys/poll.h"
#include "sys/signal.h"
#include "sys/socket.h"
#include "sys/strsubr.h"
#include "sys/stropts.h"
#include "sys/termios.h"
#include "sys/tihdr.h"

/*
 * Constants by their names.  The prefix says to which call a name belongs, so
 * that one in the wrong place is noticed.
 */

typedef struct name {
	const char *n_name;
	int64_t n_value;
} name_t;

#define N(x)          \
	{             \
#x, x \
	}

/* clang-format off */
static const name_t names[] = {
	/* open(2), fcntl(2) */
	N(O_RDONLY), N(O_WRONLY), N(O_RDWR), N(O_NDELAY), N(O_APPEND), N(O_NONBLOCK), N(O_NOCTTY),
	N(F_DUPFD), N(F_GETFD), N(F_SETFD), N(F_GETFL), N(F_SETFL),
	/* poll(2) */
	N(POLLIN), N(POLLPRI), N(POLLOUT), N(POLLERR), N(POLLHUP), N(POLLNVAL), N(POLLRDNORM), N(POLLRDBAND),
	N(POLLWRBAND), N(POLLWRNORM), N(POLLNORM),
	/* signals */
	N(SIGHUP), N(SIGINT), N(SIGQUIT), N(SIGILL), N(SIGTRAP), N(SIGABRT), N(SIGEMT), N(SIGFPE), N(SIGKILL),
	N(SIGBUS), N(SIGSEGV), N(SIGSYS), N(SIGPIPE), N(SIGALRM), N(SIGTERM), N(SIGUSR1), N(SIGUSR2), N(SIGCHLD),
	N(SIGPWR), N(SIGWINCH), N(SIGURG), N(SIGPOLL), N(SIGSTOP), N(SIGTSTP), N(SIGCONT), N(SIGTTIN), N(SIGTTOU),
	N(SIGVTALRM), N(SIGPROF), N(SIGXCPU), N(SIGXFSZ), N(SIGIO),
	/* putmsg(2), getmsg(2) */
	N(RS_HIPRI), N(MSG_HIPRI), N(MSG_ANY), N(MSG_BAND), N(MORECTL), N(MOREDATA),
	/* streamio(7I) */
	N(RNORM), N(RMSGD), N(RMSGN), N(RPROTDAT), N(RPROTDIS), N(RPROTNORM), N(SNDZERO), N(SNDPIPE),
	N(FLUSHR), N(FLUSHW), N(FLUSHRW), N(ANYMARK), N(LASTMARK), N(MUXID_ALL),
	N(RERRNORM), N(RERRNONPERSIST), N(WERRNORM), N(WERRNONPERSIST),
	N(S_INPUT), N(S_HIPRI), N(S_OUTPUT), N(S_MSG), N(S_ERROR), N(S_HANGUP), N(S_RDNORM), N(S_RDBAND), N(S_WRBAND),
	N(S_BANDURG), N(S_WRNORM),
	/* sockets */
	N(AF_UNSPEC), N(AF_UNIX), N(AF_INET), N(AF_INET6),
	N(SOCK_STREAM), N(SOCK_DGRAM), N(SOCK_RAW), N(SOCK_RDM), N(SOCK_SEQPACKET),
	N(SOL_SOCKET), N(IPPROTO_IP), N(IPPROTO_ICMP), N(IPPROTO_TCP), N(IPPROTO_UDP),
	N(SO_DEBUG), N(SO_ACCEPTCONN), N(SO_REUSEADDR), N(SO_KEEPALIVE), N(SO_DONTROUTE), N(SO_BROADCAST),
	N(SO_USELOOPBACK), N(SO_LINGER), N(SO_OOBINLINE), N(SO_DGRAM_ERRIND), N(SO_SNDBUF), N(SO_RCVBUF),
	N(SO_SNDLOWAT), N(SO_RCVLOWAT), N(SO_SNDTIMEO), N(SO_RCVTIMEO), N(SO_ERROR), N(SO_TYPE), N(SO_PROTOTYPE),
	N(SO_DOMAIN),
	N(IP_OPTIONS), N(IP_HDRINCL), N(IP_TOS), N(IP_TTL), N(IP_RECVOPTS), N(IP_RECVDSTADDR), N(IP_RETOPTS),
	N(IP_RECVIF), N(IP_RECVTTL), N(IP_MULTICAST_IF), N(IP_MULTICAST_TTL), N(IP_MULTICAST_LOOP), N(IP_BOUND_IF),
	{"TCP_NODELAY", 1}, {"TCP_MAXSEG", 2}, {"TCP_KEEPALIVE", 8}, {"TCP_NOTIFY_THRESHOLD", 16},
	{"TCP_ABORT_THRESHOLD", 17}, {"TCP_CONN_NOTIFY_THRESHOLD", 18}, {"TCP_CONN_ABORT_THRESHOLD", 19},
	{"UDP_CHECKSUM", 0x600},
	N(MSG_OOB), N(MSG_PEEK), N(MSG_DONTROUTE), N(MSG_EOR), N(MSG_CTRUNC), N(MSG_TRUNC), N(MSG_WAITALL),
	N(MSG_DONTWAIT),
	N(SHUT_RD), N(SHUT_WR), N(SHUT_RDWR),
	/* terminals: of TCXONC, TCFLSH */
	{"TCIFLUSH", 0}, {"TCOFLUSH", 1}, {"TCIOFLUSH", 2}, {"TCOOFF", 0}, {"TCOON", 1}, {"TCIOFF", 2}, {"TCION", 3},
	/* TPI */
	N(T_CONN_REQ), N(O_T_CONN_RES), N(T_DISCON_REQ), N(T_DATA_REQ), N(T_EXDATA_REQ), N(T_INFO_REQ), N(O_T_BIND_REQ),
	N(T_UNBIND_REQ), N(T_UNITDATA_REQ), N(T_SVR4_OPTMGMT_REQ), N(T_ORDREL_REQ), N(T_CONN_IND), N(T_CONN_CON),
	N(T_DISCON_IND), N(T_DATA_IND), N(T_EXDATA_IND), N(T_INFO_ACK), N(T_BIND_ACK), N(T_ERROR_ACK), N(T_OK_ACK),
	N(T_UNITDATA_IND), N(T_UDERROR_IND), N(T_OPTMGMT_ACK), N(T_ORDREL_IND), N(T_ADDR_REQ), N(T_ADDR_ACK),
	N(T_BIND_REQ), N(T_OPTMGMT_REQ), N(T_CONN_RES), N(T_CAPABILITY_REQ), N(T_CAPABILITY_ACK), N(T_OPTDATA_REQ),
	N(T_OPTDATA_IND),
	/* DLPI */
	N(DL_INFO_REQ), N(DL_INFO_ACK), N(DL_ATTACH_REQ), N(DL_DETACH_REQ), N(DL_BIND_REQ), N(DL_BIND_ACK),
	N(DL_UNBIND_REQ), N(DL_OK_ACK), N(DL_ERROR_ACK), N(DL_UNITDATA_REQ), N(DL_UNITDATA_IND), N(DL_UDERROR_IND),
	N(DL_PROMISCON_REQ), N(DL_PROMISCOFF_REQ), N(DL_ENABMULTI_REQ), N(DL_DISABMULTI_REQ), N(DL_PHYS_ADDR_REQ),
	N(DL_PHYS_ADDR_ACK),
};

static const name_t errnos[] = {
	N(EPERM), N(ENOENT), N(ESRCH), N(EINTR), N(EIO), N(ENXIO), N(E2BIG), N(EBADF), N(ECHILD), N(EAGAIN), N(ENOMEM),
	N(EACCES), N(EFAULT), N(EBUSY), N(EEXIST), N(ENODEV), N(ENOTDIR), N(EISDIR), N(EINVAL), N(ENFILE), N(EMFILE),
	N(ENOTTY), N(EFBIG), N(ENOSPC), N(ESPIPE), N(EPIPE), N(EDOM), N(ERANGE), N(ENOMSG), N(ECOMM), N(EPROTO),
	N(ENOSTR), N(ENODATA), N(ETIME), N(ENOSR), N(EBADMSG), N(ENAMETOOLONG), N(ELOOP), N(ENOSYS), N(ESTRPIPE),
	N(ENOTSOCK), N(EDESTADDRREQ), N(EMSGSIZE), N(EPROTOTYPE), N(ENOPROTOOPT), N(EPROTONOSUPPORT),
	N(ESOCKTNOSUPPORT), N(EOPNOTSUPP), N(EPFNOSUPPORT), N(EAFNOSUPPORT), N(EADDRINUSE), N(EADDRNOTAVAIL),
	N(ENETDOWN), N(ENETUNREACH), N(ENETRESET), N(ECONNABORTED), N(ECONNRESET), N(ENOBUFS), N(EISCONN), N(ENOTCONN),
	N(ESHUTDOWN), N(ETIMEDOUT), N(ECONNREFUSED), N(EHOSTDOWN), N(EHOSTUNREACH), N(EALREADY), N(EINPROGRESS),
};
/* clang-format on */

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Does the name begin with one of the prefixes, a list with blanks between? */
static bool prefixed(const char *name, const char *prefixes)
{
	while (*prefixes != '\0') {
		size_t n = strcspn(prefixes, " ");

		if (strncmp(name, prefixes, n) == 0)
			return true;
		prefixes += n;
		prefixes += strspn(prefixes, " ");
	}
	return false;
}

bool names_lookup(const char *word, size_t len, const char *prefixes, int64_t *value)
{
	for (size_t i = 0; i < COUNT(names); i++) {
		if (strncmp(names[i].n_name, word, len) == 0 && names[i].n_name[len] == '\0') {
			*value = names[i].n_value;
			return prefixed(names[i].n_name, prefixes);
		}
	}
	return false;
}

const char *names_of(const char *prefix, int64_t value)
{
	for (size_t i = 0; i < COUNT(names); i++) {
		if (names[i].n_value == value && prefixed(names[i].n_name, prefix))
			return names[i].n_name;
	}
	return NULL;
}

void names_push_bits(lua_State *L, const char *prefix, int64_t value)
{
	lua_newtable(L);
	for (size_t i = 0; i < COUNT(names); i++) {
		int64_t v = names[i].n_value;

		if (v > 0 && (v & (v - 1)) == 0 && (value & v) != 0 && prefixed(names[i].n_name, prefix)) {
			lua_pushboolean(L, 1);
			lua_setfield(L, -2, names[i].n_name);
		}
	}
}

const char *errno_name(int error)
{
	for (size_t i = 0; i < COUNT(errnos); i++) {
		if (errnos[i].n_value == error)
			return errnos[i].n_name;
	}
	return "unknown error";
}

/* The words of one string, joined by blanks, commas or bars. */
static int64_t words(lua_State *L, const char *text, const char *prefixes)
{
	int64_t all = 0, value;
	const char *p = text;

	for (;;) {
		size_t n;

		p += strspn(p, " ,|\t");
		if (*p == '\0')
			return all;
		n = strcspn(p, " ,|\t");
		if (!names_lookup(p, n, prefixes, &value)) {
			lua_pushlstring(L, p, n);
			sc_error(L, "\"%s\" is no name of this kind (%s...)", lua_tostring(L, -1), prefixes);
		}
		all |= value;
		p += n;
	}
}

/* A number, or words. */
static int64_t one(lua_State *L, int arg, const char *prefixes)
{
	if (lua_type(L, arg) == LUA_TNUMBER)
		return luaL_checkinteger(L, arg);
	return words(L, luaL_checkstring(L, arg), prefixes);
}

int64_t names_arg(lua_State *L, int arg, const char *prefixes)
{
	int64_t all = 0;

	if (!lua_istable(L, arg))
		return one(L, arg, prefixes);
	arg = lua_absindex(L, arg);
	for (int i = 1; lua_rawgeti(L, arg, i) != LUA_TNIL; i++) {
		luaL_argcheck(L, lua_isstring(L, -1), arg, "a list of names is expected");
		all |= one(L, -1, prefixes);
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
	return all;
}

int64_t names_opt(lua_State *L, int arg, const char *prefixes, int64_t dflt)
{
	return lua_isnoneornil(L, arg) ? dflt : names_arg(L, arg, prefixes);
}
