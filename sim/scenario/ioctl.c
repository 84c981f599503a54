#include "scenario/impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/bufmod.h"
#include "sys/errno.h"
#include "sys/filio.h"
#include "sys/kbio.h"
#include "sys/msio.h"
#include "sys/ptem.h"
#include "sys/ptms.h"
#include "sys/socket.h"
#include "sys/stropts.h"
#include "sys/termios.h"
#include "sys/ttold.h"
#include "sys/timod.h"
#include "sys/vuid_event.h"

/*
 * ioctl(2) by name.  A table tells of each command what its argument is; a
 * structure is described by its fields, so that Lua tables become structures
 * and the other way round.  The few commands whose argument leads to more
 * memory have functions of their own.
 */

/* ---- structures ---- */

typedef struct field {
	const char *f_name;
	uint16_t f_off, f_size; /* of one element */
	uint16_t f_count;       /* more than 1: a list; of F_TEXT the size */
	enum { F_UNSIGNED, F_SIGNED, F_TEXT } f_kind;
} field_t;

typedef struct shape {
	const char *s_name;
	size_t s_size;
	const field_t *s_fields;
	size_t s_nfields;
} shape_t;

#define FIELD(st, f, kind)                                             \
	{                                                              \
#f, offsetof(st, f), sizeof(((st *)0)->f), 1, F_##kind \
	}
#define LIST(st, f, n, kind)                                                 \
	{                                                                    \
#f, offsetof(st, f), sizeof(((st *)0)->f) / (n), n, F_##kind \
	}
#define SHAPE(name, st)                                                        \
	static const shape_t shape_##name = {#name, sizeof(st), fields_##name, \
					     sizeof(fields_##name) / sizeof(fields_##name[0])}

typedef struct termios termios_t_;
static const field_t fields_termios[] = {FIELD(termios_t_, c_iflag, UNSIGNED), FIELD(termios_t_, c_oflag, UNSIGNED),
					 FIELD(termios_t_, c_cflag, UNSIGNED), FIELD(termios_t_, c_lflag, UNSIGNED),
					 LIST(termios_t_, c_cc, NCCS, UNSIGNED)};
SHAPE(termios, termios_t_);

typedef struct termio termio_t_;
static const field_t fields_termio[] = {FIELD(termio_t_, c_iflag, UNSIGNED), FIELD(termio_t_, c_oflag, UNSIGNED),
					FIELD(termio_t_, c_cflag, UNSIGNED), FIELD(termio_t_, c_lflag, UNSIGNED),
					FIELD(termio_t_, c_line, UNSIGNED),  LIST(termio_t_, c_cc, NCC, UNSIGNED)};
SHAPE(termio, termio_t_);

typedef struct winsize winsize_t_;
static const field_t fields_winsize[] = {FIELD(winsize_t_, ws_row, UNSIGNED), FIELD(winsize_t_, ws_col, UNSIGNED),
					 FIELD(winsize_t_, ws_xpixel, UNSIGNED),
					 FIELD(winsize_t_, ws_ypixel, UNSIGNED)};
SHAPE(winsize, winsize_t_);

typedef struct termcb termcb_t_;
static const field_t fields_termcb[] = {FIELD(termcb_t_, st_flgs, SIGNED), FIELD(termcb_t_, st_termt, SIGNED),
					FIELD(termcb_t_, st_crow, SIGNED), FIELD(termcb_t_, st_ccol, SIGNED),
					FIELD(termcb_t_, st_vrow, SIGNED), FIELD(termcb_t_, st_lrow, SIGNED)};
SHAPE(termcb, termcb_t_);

typedef struct sgttyb sgttyb_t_;
static const field_t fields_sgttyb[] = {FIELD(sgttyb_t_, sg_ispeed, UNSIGNED), FIELD(sgttyb_t_, sg_ospeed, UNSIGNED),
					FIELD(sgttyb_t_, sg_erase, UNSIGNED), FIELD(sgttyb_t_, sg_kill, UNSIGNED),
					FIELD(sgttyb_t_, sg_flags, SIGNED)};
SHAPE(sgttyb, sgttyb_t_);

typedef struct tchars tchars_t_;
static const field_t fields_tchars[] = {FIELD(tchars_t_, t_intrc, UNSIGNED),  FIELD(tchars_t_, t_quitc, UNSIGNED),
					FIELD(tchars_t_, t_startc, UNSIGNED), FIELD(tchars_t_, t_stopc, UNSIGNED),
					FIELD(tchars_t_, t_eofc, UNSIGNED),   FIELD(tchars_t_, t_brkc, UNSIGNED)};
SHAPE(tchars, tchars_t_);

typedef struct ltchars ltchars_t_;
static const field_t fields_ltchars[] = {FIELD(ltchars_t_, t_suspc, UNSIGNED),  FIELD(ltchars_t_, t_dsuspc, UNSIGNED),
					 FIELD(ltchars_t_, t_rprntc, UNSIGNED), FIELD(ltchars_t_, t_flushc, UNSIGNED),
					 FIELD(ltchars_t_, t_werasc, UNSIGNED), FIELD(ltchars_t_, t_lnextc, UNSIGNED)};
SHAPE(ltchars, ltchars_t_);

typedef struct ttysize ttysize_t_;
static const field_t fields_ttysize[] = {FIELD(ttysize_t_, ts_lines, SIGNED), FIELD(ttysize_t_, ts_cols, SIGNED)};
SHAPE(ttysize, ttysize_t_);

typedef struct jwinsize jwinsize_t_;
static const field_t fields_jwinsize[] = {FIELD(jwinsize_t_, bytesx, UNSIGNED), FIELD(jwinsize_t_, bytesy, UNSIGNED),
					  FIELD(jwinsize_t_, bitsx, SIGNED), FIELD(jwinsize_t_, bitsy, SIGNED)};
SHAPE(jwinsize, jwinsize_t_);

typedef struct timeval32 timeval32_t_;
static const field_t fields_timeval[] = {FIELD(timeval32_t_, tv_sec, SIGNED), FIELD(timeval32_t_, tv_usec, SIGNED)};
SHAPE(timeval, timeval32_t_);

typedef struct bandinfo bandinfo_t_;
static const field_t fields_bandinfo[] = {FIELD(bandinfo_t_, bi_pri, UNSIGNED), FIELD(bandinfo_t_, bi_flag, SIGNED)};
SHAPE(bandinfo, bandinfo_t_);

typedef struct strsigset strsigset_t_;
static const field_t fields_strsigset[] = {FIELD(strsigset_t_, ss_pid, SIGNED), FIELD(strsigset_t_, ss_events, SIGNED)};
SHAPE(strsigset, strsigset_t_);

typedef struct strrecvfd strrecvfd_t_;
static const field_t fields_strrecvfd[] = {FIELD(strrecvfd_t_, fd, SIGNED), FIELD(strrecvfd_t_, uid, UNSIGNED),
					   FIELD(strrecvfd_t_, gid, UNSIGNED)};
SHAPE(strrecvfd, strrecvfd_t_);

typedef struct kiockey kiockey_t_;
static const field_t fields_kiockey[] = {FIELD(kiockey_t_, kio_tablemask, SIGNED),
					 FIELD(kiockey_t_, kio_station, UNSIGNED),
					 FIELD(kiockey_t_, kio_entry, UNSIGNED),
					 {"kio_string", offsetof(kiockey_t_, kio_string), 1, 10, F_TEXT}};
SHAPE(kiockey, kiockey_t_);

typedef struct kiockeymap kiockeymap_t_;
static const field_t fields_kiockeymap[] = {FIELD(kiockeymap_t_, kio_tablemask, SIGNED),
					    FIELD(kiockeymap_t_, kio_station, UNSIGNED),
					    FIELD(kiockeymap_t_, kio_entry, UNSIGNED),
					    {"kio_string", offsetof(kiockeymap_t_, kio_string), 1, 10, F_TEXT}};
SHAPE(kiockeymap, kiockeymap_t_);

static const field_t fields_ms_parms[] = {FIELD(Ms_parms, jitter_thresh, SIGNED), FIELD(Ms_parms, speed_law, SIGNED),
					  FIELD(Ms_parms, speed_limit, SIGNED)};
SHAPE(ms_parms, Ms_parms);

static const field_t fields_ms_screen[] = {FIELD(Ms_screen_resolution, height, SIGNED),
					   FIELD(Ms_screen_resolution, width, SIGNED)};
SHAPE(ms_screen, Ms_screen_resolution);

static const field_t fields_vuid_addr[] = {FIELD(Vuid_addr_probe, base, SIGNED),
					   {"next", offsetof(Vuid_addr_probe, data), 2, 1, F_SIGNED}};
SHAPE(vuid_addr, Vuid_addr_probe);

static const field_t fields_wheel_info[] = {FIELD(wheel_info, vers, SIGNED), FIELD(wheel_info, id, SIGNED),
					    FIELD(wheel_info, format, SIGNED)};
SHAPE(wheel_info, wheel_info);

static const field_t fields_wheel_state[] = {FIELD(wheel_state, vers, SIGNED), FIELD(wheel_state, id, SIGNED),
					     FIELD(wheel_state, stateflags, UNSIGNED)};
SHAPE(wheel_state, wheel_state);

static void store_int(char *to, size_t size, lua_Integer v)
{
	memcpy(to, &v, size); /* little-endian, as all hosts of the model are */
}

static lua_Integer load_int(const char *from, const field_t *f)
{
	uint64_t v = 0;

	memcpy(&v, from, f->f_size);
	if (f->f_kind == F_SIGNED && f->f_size < 8)
		return (int64_t)(v << (64 - 8 * f->f_size)) >> (64 - 8 * f->f_size);
	return (lua_Integer)v;
}

/* A number, or a character standing for its code. */
static lua_Integer element(lua_State *L, int idx, const char *name)
{
	int ok;
	lua_Integer v = lua_tointegerx(L, idx, &ok);

	if (ok && lua_type(L, idx) == LUA_TNUMBER)
		return v;
	if (lua_type(L, idx) == LUA_TSTRING && lua_rawlen(L, idx) == 1)
		return (unsigned char)lua_tostring(L, idx)[0];
	sc_error(L, "ioctl: field %s must be a number", name);
}

static void field_in(lua_State *L, int tab, const field_t *f, char *base)
{
	char *to = base + f->f_off;
	size_t len;
	const char *s;

	if (lua_getfield(L, tab, f->f_name) == LUA_TNIL) {
		lua_pop(L, 1);
		return;
	}
	if (f->f_kind == F_TEXT) {
		s = lua_tolstring(L, -1, &len);
		if (s == NULL || len > f->f_count)
			sc_error(L, "ioctl: field %s must be a string of at most %d bytes", f->f_name, f->f_count);
		memcpy(to, s, len);
	} else if (f->f_count > 1) {
		if (!lua_istable(L, -1))
			sc_error(L, "ioctl: field %s must be a list", f->f_name);
		for (int i = 0; i < f->f_count; i++) {
			if (lua_geti(L, -1, i + 1) != LUA_TNIL)
				store_int(to + i * f->f_size, f->f_size, element(L, -1, f->f_name));
			lua_pop(L, 1);
		}
	} else {
		store_int(to, f->f_size, element(L, -1, f->f_name));
	}
	lua_pop(L, 1);
}

static bool known_field(const char *key, const void *shape)
{
	const shape_t *s = shape;

	for (size_t i = 0; i < s->s_nfields; i++) {
		if (strcmp(key, s->s_fields[i].f_name) == 0)
			return true;
	}
	return false;
}

static void check_names(lua_State *L, int tab, const shape_t *s)
{
	const char *unknown = sc_first_key(L, tab, known_field, s);

	if (unknown != NULL)
		sc_error(L, "ioctl: %s has no field %s", s->s_name, unknown);
}

static void shape_in(lua_State *L, int tab, const shape_t *s, char *base)
{
	luaL_checktype(L, tab, LUA_TTABLE);
	check_names(L, tab, s);
	for (size_t i = 0; i < s->s_nfields; i++)
		field_in(L, tab, &s->s_fields[i], base);
}

static void shape_out(lua_State *L, const shape_t *s, const char *base)
{
	lua_createtable(L, 0, (int)s->s_nfields);
	for (size_t i = 0; i < s->s_nfields; i++) {
		const field_t *f = &s->s_fields[i];
		const char *from = base + f->f_off;

		if (f->f_kind == F_TEXT) {
			lua_pushlstring(L, from, strnlen(from, f->f_count));
		} else if (f->f_count > 1) {
			lua_createtable(L, f->f_count, 0);
			for (int k = 0; k < f->f_count; k++) {
				lua_pushinteger(L, load_int(from + k * f->f_size, f));
				lua_rawseti(L, -2, k + 1);
			}
		} else {
			lua_pushinteger(L, load_int(from, f));
		}
		lua_setfield(L, -2, f->f_name);
	}
}

/* ---- commands ---- */

enum kind {
	K_NONE,   /* no argument */
	K_VALUE,  /* the value itself: a number, or names */
	K_INT,    /* int *, read by the kernel */
	K_GETINT, /* int *, written by it */
	K_BYTE,   /* char * */
	K_GETBYTE,
	K_NAME, /* char *: a string that ends with 0 */
	K_GETNAME,
	K_SET, /* struct *, read by the kernel; written; both */
	K_GET,
	K_BOTH,
	K_ONLYSTR, /* inside I_STR only */
	K_STR,     /* commands with a function of their own */
	K_PEEK,
	K_FDINSERT,
	K_LIST
};

typedef struct command {
	const char *c_name;
	int c_cmd;
	enum kind c_kind;
	const char *c_names; /* prefixes of names of a value, or NULL */
	const shape_t *c_shape;
} command_t;

#define CMD(cmd, kind, names)                           \
	{                                               \
#cmd, (int)(cmd), K_##kind, names, NULL \
	}
#define CMDS(cmd, kind, shape)                                   \
	{                                                        \
#cmd, (int)(cmd), K_##kind, NULL, &shape_##shape \
	}

static const command_t commands[] = {
    /* streamio(7I) */
    CMD(I_NREAD, GETINT, NULL), CMD(I_PUSH, NAME, NULL), CMD(I_POP, NONE, NULL), CMD(I_LOOK, GETNAME, NULL),
    CMD(I_FLUSH, VALUE, "FLUSH"), CMD(I_SRDOPT, VALUE, "RNORM RMSG RPROT"), CMD(I_GRDOPT, GETINT, NULL),
    CMD(I_STR, STR, NULL), CMD(I_SETSIG, VALUE, "S_"), CMD(I_GETSIG, GETINT, NULL), CMD(I_FIND, NAME, NULL),
    CMD(I_LINK, VALUE, NULL), CMD(I_UNLINK, VALUE, "MUXID"), CMD(I_PEEK, PEEK, NULL), CMD(I_FDINSERT, FDINSERT, NULL),
    CMD(I_SENDFD, VALUE, NULL), CMDS(I_RECVFD, GET, strrecvfd), CMD(I_SWROPT, VALUE, "SND"),
    CMD(I_GWROPT, GETINT, NULL), CMD(I_LIST, LIST, NULL), CMD(I_PLINK, VALUE, NULL), CMD(I_PUNLINK, VALUE, "MUXID"),
    CMD(I_ANCHOR, NONE, NULL), CMDS(I_FLUSHBAND, SET, bandinfo), CMD(I_CKBAND, VALUE, NULL),
    CMD(I_GETBAND, GETINT, NULL), CMD(I_ATMARK, VALUE, "ANYMARK LASTMARK"), CMD(I_SETCLTIME, INT, NULL),
    CMD(I_GETCLTIME, GETINT, NULL), CMD(I_CANPUT, VALUE, NULL), CMD(I_SERROPT, VALUE, "RERR WERR"),
    CMD(I_GERROPT, GETINT, NULL), CMDS(I_ESETSIG, SET, strsigset), CMDS(I_EGETSIG, BOTH, strsigset),
    /* every file */
    CMD(FIONREAD, GETINT, NULL), CMD(FIORDCHK, NONE, NULL), CMD(FIONBIO, INT, NULL), CMD(FIOASYNC, INT, NULL),
    /* termio(7I) */
    CMDS(TCGETA, GET, termio), CMDS(TCSETA, SET, termio), CMDS(TCSETAW, SET, termio), CMDS(TCSETAF, SET, termio),
    CMDS(TCGETS, GET, termios), CMDS(TCSETS, SET, termios), CMDS(TCSETSW, SET, termios), CMDS(TCSETSF, SET, termios),
    CMD(TCSBRK, VALUE, NULL), CMD(TCXONC, VALUE, "TC"), CMD(TCFLSH, VALUE, "TC"), CMD(TCDSET, VALUE, NULL),
    CMD(TIOCKBON, NONE, NULL), CMD(TIOCKBOF, NONE, NULL), CMD(KBENABLED, NONE, NULL), CMDS(TIOCSWINSZ, SET, winsize),
    CMDS(TIOCGWINSZ, GET, winsize), CMD(TIOCGSOFTCAR, GETINT, NULL), CMD(TIOCSSOFTCAR, INT, NULL),
    CMD(TIOCGPGRP, GETINT, NULL), CMD(TIOCSPGRP, INT, NULL), CMD(TIOCGSID, GETINT, NULL), CMD(TIOCSTI, BYTE, NULL),
    CMD(TIOCMGET, GETINT, NULL), CMD(TIOCMSET, INT, NULL), CMD(TIOCMBIS, INT, NULL), CMD(TIOCMBIC, INT, NULL),
    CMDS(LDGETT, GET, termcb), CMDS(LDSETT, SET, termcb), CMD(LDOPEN, NONE, NULL), CMD(LDCLOSE, NONE, NULL),
    CMD(LDCHG, NONE, NULL),
    /* ttcompat(7M) */
    CMD(TIOCGETD, GETINT, NULL), CMD(TIOCSETD, INT, NULL), CMD(TIOCHPCL, NONE, NULL), CMDS(TIOCGETP, GET, sgttyb),
    CMDS(TIOCSETP, SET, sgttyb), CMDS(TIOCSETN, SET, sgttyb), CMD(TIOCEXCL, NONE, NULL), CMD(TIOCNXCL, NONE, NULL),
    CMD(TIOCFLUSH, INT, NULL), CMDS(TIOCSETC, SET, tchars), CMDS(TIOCGETC, GET, tchars), CMD(TIOCLBIS, INT, NULL),
    CMD(TIOCLBIC, INT, NULL), CMD(TIOCLSET, INT, NULL), CMD(TIOCLGET, GETINT, NULL), CMD(TIOCSBRK, NONE, NULL),
    CMD(TIOCCBRK, NONE, NULL), CMD(TIOCSDTR, NONE, NULL), CMD(TIOCCDTR, NONE, NULL), CMDS(TIOCSLTC, SET, ltchars),
    CMDS(TIOCGLTC, GET, ltchars), CMD(TIOCSTOP, NONE, NULL), CMD(TIOCSTART, NONE, NULL), CMD(TIOCREMOTE, VALUE, NULL),
    CMD(TIOCSIGNAL, VALUE, "SIG"), CMDS(TIOCSSIZE, SET, ttysize), CMDS(TIOCGSIZE, GET, ttysize),
    CMDS(JWINSIZE, GET, jwinsize),
    /* ptm(7D), pts(7D) */
    CMD(ISPTM, NONE, NULL), CMD(UNLKPT, NONE, NULL), CMD(PTSSTTY, NONE, NULL), CMD(ZONEPT, INT, NULL),
    /* bufmod(7M) */
    CMDS(SBIOCSTIME, SET, timeval), CMDS(SBIOCGTIME, GET, timeval), CMD(SBIOCCTIME, NONE, NULL),
    CMD(SBIOCSCHUNK, INT, NULL), CMD(SBIOCGCHUNK, GETINT, NULL), CMD(SBIOCSSNAP, INT, NULL),
    CMD(SBIOCGSNAP, GETINT, NULL), CMD(SBIOCSFLAGS, INT, NULL), CMD(SBIOCGFLAGS, GETINT, NULL),
    /* kb(7M) */
    CMD(KIOCCMD, INT, NULL), CMD(KIOCTYPE, GETINT, NULL), CMD(KIOCSDIRECT, INT, NULL), CMD(KIOCGDIRECT, GETINT, NULL),
    CMDS(KIOCSKEY, SET, kiockeymap), CMDS(KIOCGKEY, BOTH, kiockeymap), CMDS(KIOCSETKEY, SET, kiockey),
    CMDS(KIOCGETKEY, BOTH, kiockey), CMD(KIOCSLED, BYTE, NULL), CMD(KIOCGLED, GETBYTE, NULL),
    CMD(KIOCSCOMPAT, INT, NULL), CMD(KIOCGCOMPAT, GETINT, NULL), CMD(KIOCSLAYOUT, INT, NULL),
    CMD(KIOCLAYOUT, GETINT, NULL), CMD(KIOCSKABORTEN, INT, NULL), CMD(KIOCGRPTDELAY, GETINT, NULL),
    CMD(KIOCSRPTDELAY, INT, NULL), CMD(KIOCGRPTRATE, GETINT, NULL), CMD(KIOCSRPTRATE, INT, NULL),
    CMD(KIOCTRANS, INT, NULL), CMD(KIOCGTRANS, GETINT, NULL), CMD(KIOCTRANSABLE, INT, NULL),
    CMD(KIOCGTRANSABLE, GETINT, NULL),
    /* vuidmice(7M) */
    CMDS(MSIOGETPARMS, GET, ms_parms), CMDS(MSIOSETPARMS, SET, ms_parms), CMD(MSIOBUTTONS, GETINT, NULL),
    CMDS(MSIOSRESOLUTION, SET, ms_screen), CMD(VUIDSFORMAT, INT, NULL), CMD(VUIDGFORMAT, GETINT, NULL),
    CMDS(VUIDSADDR, BOTH, vuid_addr), CMDS(VUIDGADDR, BOTH, vuid_addr), CMD(VUIDGWHEELCOUNT, GETINT, NULL),
    CMDS(VUIDGWHEELINFO, BOTH, wheel_info), CMDS(VUIDGWHEELSTATE, BOTH, wheel_state),
    CMDS(VUIDSWHEELSTATE, SET, wheel_state),
    /* timod(7M) */
    CMD(TI_GETINFO, ONLYSTR, NULL), CMD(TI_OPTMGMT, ONLYSTR, NULL), CMD(TI_BIND, ONLYSTR, NULL),
    CMD(TI_UNBIND, ONLYSTR, NULL), CMD(TI_GETMYNAME, ONLYSTR, NULL), CMD(TI_GETPEERNAME, ONLYSTR, NULL),
    CMD(TI_SYNC, ONLYSTR, NULL), CMD(TI_CAPABILITY, ONLYSTR, NULL),
    /* sockets */
    CMD(SIOCATMARK, GETINT, NULL)};

static const command_t *find(const char *name)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(commands[i].c_name, name) == 0)
			return &commands[i];
	}
	return NULL;
}

static const command_t *find_number(int cmd)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (commands[i].c_cmd == cmd)
			return &commands[i];
	}
	return NULL;
}

/* ---- the call ---- */

#define ARG 4 /* where the value is on the stack: p, fd, command, value */

static int64_t value_arg(lua_State *L, const command_t *c)
{
	if (lua_isboolean(L, ARG))
		return lua_toboolean(L, ARG);
	return c->c_names != NULL ? names_arg(L, ARG, c->c_names) : luaL_checkinteger(L, ARG);
}

/* An error names the descriptor and the command. */
static int failed(lua_State *L, const sthread_t *t, lua_Integer fd, const char *name)
{
	char what[64];

	snprintf(what, sizeof(what), "%lld %s", (long long)fd, name);
	return process_failed(L, "ioctl", what, t->t_errno);
}

/* What the kernel wrote, if anything, then the call's value. */
static int push_result(lua_State *L, const command_t *c, const char *buf, int64_t r)
{
	int out = 1, v;

	switch (c->c_kind) {
	case K_GETINT:
		memcpy(&v, buf, sizeof(v));
		lua_pushinteger(L, v);
		break;
	case K_GETBYTE:
		lua_pushinteger(L, (unsigned char)buf[0]);
		break;
	case K_GETNAME:
		lua_pushstring(L, buf);
		break;
	case K_GET:
	case K_BOTH:
		shape_out(L, c->c_shape, buf);
		break;
	default:
		out = 0;
	}
	lua_pushinteger(L, r);
	return out + 1;
}

/* Commands whose argument is a value or one piece of memory. */
static int plain(lua_State *L, sthread_t *t, lua_Integer fd, const command_t *c)
{
	size_t size = c->c_shape != NULL ? c->c_shape->s_size : 64;
	char *buf = lua_newuserdatauv(L, size, 0);
	int64_t arg = PTR(buf), r;
	int v;

	memset(buf, 0, size);
	switch (c->c_kind) {
	case K_NONE:
		arg = 0;
		break;
	case K_VALUE:
		arg = value_arg(L, c);
		break;
	case K_INT:
		v = (int)value_arg(L, c);
		memcpy(buf, &v, sizeof(v));
		break;
	case K_BYTE:
		buf[0] = (char)element(L, ARG, c->c_name);
		break;
	case K_NAME:
		arg = PTR(luaL_checkstring(L, ARG));
		break;
	case K_SET:
	case K_BOTH:
		shape_in(L, ARG, c->c_shape, buf);
		break;
	default:
		break;
	}
	r = CALL(L, t, ioctl, fd, c->c_cmd, arg);
	return r < 0 ? failed(L, t, fd, c->c_name) : push_result(L, c, buf, r);
}

/* { cmd = name or number, timeout = s, data = "" }: the data that came back, the call's value */
static int do_str(lua_State *L, sthread_t *t, lua_Integer fd)
{
	const command_t *c;
	struct strioctl *str = lua_newuserdatauv(L, sizeof(*str), 0);
	size_t len, room;
	const char *data;
	int64_t r;

	luaL_checktype(L, ARG, LUA_TTABLE);
	memset(str, 0, sizeof(*str));
	if (lua_getfield(L, ARG, "cmd") == LUA_TSTRING) {
		c = find(lua_tostring(L, -1));
		if (c == NULL)
			sc_error(L, "ioctl: no command %s is known", lua_tostring(L, -1));
		str->ic_cmd = c->c_cmd;
	} else {
		str->ic_cmd = (int)luaL_checkinteger(L, -1);
	}
	lua_getfield(L, ARG, "timeout");
	str->ic_timout = (int)luaL_optinteger(L, -1, 0);
	lua_getfield(L, ARG, "data");
	data = luaL_optlstring(L, -1, "", &len);
	room = MAX(len, 8192);
	str->ic_len = (int)len;
	str->ic_dp = lua_newuserdatauv(L, room, 0);
	memcpy(str->ic_dp, data, len);
	r = CALL(L, t, ioctl, fd, I_STR, PTR(str));
	if (r < 0)
		return failed(L, t, fd, "I_STR");
	lua_pushlstring(L, str->ic_dp, str->ic_len > 0 ? MIN((size_t)str->ic_len, room) : 0);
	lua_pushinteger(L, r);
	return 2;
}

static struct strbuf room_for(lua_State *L)
{
	return (struct strbuf){8192, -1, lua_newuserdatauv(L, 8192, 0)};
}

static void push_strbuf(lua_State *L, const struct strbuf *sb)
{
	if (sb->len < 0)
		lua_pushnil(L);
	else
		lua_pushlstring(L, sb->buf, (size_t)sb->len);
}

/* Value: names of flags, or nil.  Gives control part, data part and 1, or 0 alone when there is no message. */
static int do_peek(lua_State *L, sthread_t *t, lua_Integer fd)
{
	struct strpeek *peek = lua_newuserdatauv(L, sizeof(*peek), 0);
	int64_t r;

	memset(peek, 0, sizeof(*peek));
	peek->ctlbuf = room_for(L);
	peek->databuf = room_for(L);
	peek->flags = (uint_t)names_opt(L, ARG, "RS_", 0);
	r = CALL(L, t, ioctl, fd, I_PEEK, PTR(peek));
	if (r < 0)
		return failed(L, t, fd, "I_PEEK");
	if (r == 0) {
		lua_pushinteger(L, 0);
		return 1;
	}
	push_strbuf(L, &peek->ctlbuf);
	push_strbuf(L, &peek->databuf);
	lua_pushinteger(L, r);
	return 3;
}

static struct strbuf part_field(lua_State *L, const char *name)
{
	size_t len = 0;
	struct strbuf sb = {0, -1, NULL};

	if (lua_getfield(L, ARG, name) != LUA_TNIL) {
		sb.buf = (char *)(uintptr_t)luaL_checklstring(L, -1, &len);
		sb.len = sb.maxlen = (int)len;
	}
	return sb;
}

/* { ctl =, data =, flags =, fd =, offset = } */
static int do_fdinsert(lua_State *L, sthread_t *t, lua_Integer fd)
{
	struct strfdinsert *ins = lua_newuserdatauv(L, sizeof(*ins), 0);
	int64_t r;

	luaL_checktype(L, ARG, LUA_TTABLE);
	memset(ins, 0, sizeof(*ins));
	ins->ctlbuf = part_field(L, "ctl");
	ins->databuf = part_field(L, "data");
	lua_getfield(L, ARG, "flags");
	ins->flags = (uint_t)names_opt(L, -1, "RS_", 0);
	lua_getfield(L, ARG, "fd");
	ins->fildes = (int)luaL_checkinteger(L, -1);
	lua_getfield(L, ARG, "offset");
	ins->offset = (int)luaL_optinteger(L, -1, 0);
	r = CALL(L, t, ioctl, fd, I_FDINSERT, PTR(ins));
	if (r < 0)
		return failed(L, t, fd, "I_FDINSERT");
	lua_pushinteger(L, r);
	return 1;
}

/* The names of modules and driver from the top. */
static int do_list(lua_State *L, sthread_t *t, lua_Integer fd)
{
	struct str_list *list = lua_newuserdatauv(L, sizeof(*list), 0);
	int64_t n = CALL(L, t, ioctl, fd, I_LIST, 0);

	if (n < 0)
		return failed(L, t, fd, "I_LIST");
	list->sl_nmods = (int)n;
	list->sl_modlist = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof(struct str_mlist), 0);
	if (n > 0 && CALL(L, t, ioctl, fd, I_LIST, PTR(list)) < 0)
		return failed(L, t, fd, "I_LIST");
	lua_createtable(L, (int)n, 0);
	for (int i = 0; i < (int)n; i++) {
		lua_pushstring(L, list->sl_modlist[i].l_name);
		lua_rawseti(L, -2, i + 1);
	}
	return 1;
}

/* The commands whose structure leads to more memory have to be given by name: the scenario's bytes are no addresses. */
static void refuse_pointers(lua_State *L, int cmd)
{
	const command_t *c = find_number(cmd);

	if (c != NULL && (c->c_kind == K_STR || c->c_kind == K_PEEK || c->c_kind == K_FDINSERT || c->c_kind == K_LIST ||
			  c->c_kind == K_ONLYSTR))
		sc_error(L, "ioctl: %s must be given by its name", c->c_name);
}

/*
 * A command that has no name here: a number, and a value that is a number or the bytes of the structure.  A driver may
 * write more than these; and a number that could be an address of this program is none of the scenario's.
 */
#define NUMBER_ROOM 8192
#define NUMBER_MAX 4095

static int by_number(lua_State *L, sthread_t *t, lua_Integer fd)
{
	int64_t arg, r;
	size_t len = 0;
	char *buf = NULL;

	refuse_pointers(L, (int)luaL_checkinteger(L, 3));
	if (lua_type(L, ARG) == LUA_TSTRING) {
		const char *s = lua_tolstring(L, ARG, &len);

		buf = lua_newuserdatauv(L, len + NUMBER_ROOM, 0);
		memset(buf + len, 0, NUMBER_ROOM);
		memcpy(buf, s, len);
		arg = PTR(buf);
	} else {
		arg = luaL_optinteger(L, ARG, 0);
		luaL_argcheck(L, arg <= NUMBER_MAX, ARG, "a number must be less than 4096");
	}
	r = CALL(L, t, ioctl, fd, (int)lua_tointeger(L, 3), arg);
	if (r < 0)
		return failed(L, t, fd, lua_tostring(L, 3));
	if (buf != NULL)
		lua_pushlstring(L, buf, len);
	lua_pushinteger(L, r);
	return buf != NULL ? 2 : 1;
}

static int m_ioctl(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer fd = luaL_checkinteger(L, 2);
	const command_t *c;

	lua_settop(L, ARG);
	if (lua_type(L, 3) == LUA_TNUMBER)
		return by_number(L, t, fd);
	c = find(luaL_checkstring(L, 3));
	if (c == NULL)
		sc_error(L, "ioctl: no command %s is known", lua_tostring(L, 3));
	switch (c->c_kind) {
	case K_STR:
		return do_str(L, t, fd);
	case K_PEEK:
		return do_peek(L, t, fd);
	case K_FDINSERT:
		return do_fdinsert(L, t, fd);
	case K_LIST:
		return do_list(L, t, fd);
	case K_ONLYSTR:
		sc_error(L, "ioctl: %s goes into I_STR", c->c_name);
	default:
		return plain(L, t, fd, c);
	}
}

/* ---- the common ones as methods: p:push(fd, "ldterm") ---- */

/* One ioctl with the command's name in place of the method's. */
static int with_command(lua_State *L, const char *name)
{
	lua_settop(L, 3);
	lua_pushstring(L, name);
	lua_insert(L, 3);
	return m_ioctl(L);
}

#define METHOD(name, cmd)                    \
	static int m_##name(lua_State *L)    \
	{                                    \
		return with_command(L, cmd); \
	}

METHOD(push, "I_PUSH")
METHOD(pop, "I_POP")
METHOD(look, "I_LOOK")
METHOD(link, "I_LINK")
METHOD(unlink, "I_UNLINK")
METHOD(plink, "I_PLINK")
METHOD(punlink, "I_PUNLINK")

static const luaL_Reg methods[] = {{"ioctl", m_ioctl}, {"push", m_push},       {"pop", m_pop},
				   {"look", m_look},   {"link", m_link},       {"unlink", m_unlink},
				   {"plink", m_plink}, {"punlink", m_punlink}, {NULL, NULL}};

/* ---- terminal settings: flags by name, for the library ---- */

typedef struct ttyflag {
	const char *tf_name;
	int tf_word; /* 0 iflag, 1 oflag, 2 cflag, 3 lflag, 4 an index of c_cc */
	uint32_t tf_mask, tf_value;
} ttyflag_t;

#define BIT(word, name)                 \
	{                               \
#name, word, name, name \
	}
#define CHOICE(word, name, mask)        \
	{                               \
#name, word, mask, name \
	}
#define CC(name)                  \
	{                         \
#name, 4, name, 0 \
	}

/* clang-format off */
static const ttyflag_t ttyflags[] = {
	BIT(0, IGNBRK), BIT(0, BRKINT), BIT(0, IGNPAR), BIT(0, PARMRK), BIT(0, INPCK), BIT(0, ISTRIP), BIT(0, INLCR),
	BIT(0, IGNCR), BIT(0, ICRNL), BIT(0, IUCLC), BIT(0, IXON), BIT(0, IXANY), BIT(0, IXOFF), BIT(0, IMAXBEL),
	BIT(1, OPOST), BIT(1, OLCUC), BIT(1, ONLCR), BIT(1, OCRNL), BIT(1, ONOCR), BIT(1, ONLRET), BIT(1, OFILL),
	BIT(1, OFDEL), CHOICE(1, NL1, NLDLY), CHOICE(1, CR1, CRDLY), CHOICE(1, CR2, CRDLY), CHOICE(1, CR3, CRDLY),
	CHOICE(1, TAB1, TABDLY), CHOICE(1, TAB2, TABDLY), CHOICE(1, TAB3, TABDLY), CHOICE(1, XTABS, TABDLY),
	CHOICE(2, CS5, CSIZE), CHOICE(2, CS6, CSIZE), CHOICE(2, CS7, CSIZE), CHOICE(2, CS8, CSIZE),
	BIT(2, CSTOPB), BIT(2, CREAD), BIT(2, PARENB), BIT(2, PARODD), BIT(2, HUPCL), BIT(2, CLOCAL),
	CHOICE(2, B0, CBAUD), CHOICE(2, B9600, CBAUD), CHOICE(2, B19200, CBAUD), CHOICE(2, B38400, CBAUD),
	BIT(3, ISIG), BIT(3, ICANON), BIT(3, XCASE), BIT(3, ECHO), BIT(3, ECHOE), BIT(3, ECHOK), BIT(3, ECHONL),
	BIT(3, NOFLSH), BIT(3, TOSTOP), BIT(3, ECHOCTL), BIT(3, ECHOPRT), BIT(3, ECHOKE), BIT(3, FLUSHO),
	BIT(3, PENDIN), BIT(3, IEXTEN),
	CC(VINTR), CC(VQUIT), CC(VERASE), CC(VKILL), CC(VEOF), CC(VMIN), CC(VEOL), CC(VTIME), CC(VEOL2), CC(VSWTCH),
	CC(VSTART), CC(VSTOP), CC(VSUSP), CC(VDSUSP), CC(VREPRINT), CC(VDISCARD), CC(VWERASE), CC(VLNEXT),
};
/* clang-format on */

/* private.ttyflags: list of { name =, word =, mask =, value = } */
static void push_ttyflags(lua_State *L)
{
	static const char *const word_names[] = {"c_iflag", "c_oflag", "c_cflag", "c_lflag", "c_cc"};
	int n = (int)(sizeof(ttyflags) / sizeof(ttyflags[0]));

	lua_createtable(L, n, 0);
	for (int i = 0; i < n; i++) {
		lua_createtable(L, 0, 4);
		lua_pushstring(L, ttyflags[i].tf_name);
		lua_setfield(L, -2, "name");
		lua_pushstring(L, word_names[ttyflags[i].tf_word]);
		lua_setfield(L, -2, "word");
		lua_pushinteger(L, ttyflags[i].tf_mask);
		lua_setfield(L, -2, "mask");
		lua_pushinteger(L, ttyflags[i].tf_value);
		lua_setfield(L, -2, "value");
		lua_rawseti(L, -2, i + 1);
	}
}

void ioctl_open(lua_State *L)
{
	process_methods(L, methods);
	lua_getfield(L, LUA_REGISTRYINDEX, "private");
	push_ttyflags(L);
	lua_setfield(L, -2, "ttyflags");
	lua_getfield(L, LUA_REGISTRYINDEX, "process methods");
	lua_setfield(L, -2, "methods");
	lua_pop(L, 1);
}
