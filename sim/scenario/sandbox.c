#include "scenario/impl.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dtrace.h"
#include "sys/uio.h"

/*
 * What of Lua a scenario gets: the language, string, table, math, utf8 and
 * coroutine, without anything that reaches the host (files, libraries, the
 * clock, the debugger, precompiled code) and without anything that differs from
 * one run to the next.  Of the latter kind are addresses, which tostring()
 * would show, and the order of pairs(), which Lua derives from them: here it
 * goes by the keys.
 */

/* ---- an order for tables ---- */

typedef struct key {
	int k_type;
	lua_Number k_num;
	lua_Integer k_int;
	bool k_isint;
	const char *k_str;
	size_t k_len;
} key_t_;

static int rank(int type)
{
	return type == LUA_TNUMBER ? 0 : type == LUA_TSTRING ? 1 : 2;
}

static int key_cmp(const void *pa, const void *pb)
{
	const key_t_ *a = pa, *b = pb;
	int c;

	if (a->k_type != b->k_type)
		return rank(a->k_type) - rank(b->k_type);
	if (a->k_type == LUA_TSTRING) {
		c = memcmp(a->k_str, b->k_str, MIN(a->k_len, b->k_len));
		return c != 0 ? c : (a->k_len > b->k_len) - (a->k_len < b->k_len);
	}
	if (a->k_isint && b->k_isint)
		return (a->k_int > b->k_int) - (a->k_int < b->k_int);
	return (a->k_num > b->k_num) - (a->k_num < b->k_num);
}

static void get_key(lua_State *L, int idx, key_t_ *k)
{
	memset(k, 0, sizeof(*k));
	k->k_type = lua_type(L, idx);
	switch (k->k_type) {
	case LUA_TNUMBER:
		k->k_isint = lua_isinteger(L, idx);
		k->k_int = k->k_isint ? lua_tointeger(L, idx) : 0;
		k->k_num = lua_tonumber(L, idx);
		break;
	case LUA_TSTRING:
		k->k_str = lua_tolstring(L, idx, &k->k_len);
		break;
	case LUA_TBOOLEAN:
		k->k_num = lua_toboolean(L, idx);
		break;
	default:
		sc_error(L, "a %s as key has no place in the order of pairs()", lua_typename(L, k->k_type));
	}
}

static void push_key(lua_State *L, const key_t_ *k)
{
	if (k->k_type == LUA_TSTRING)
		lua_pushlstring(L, k->k_str, k->k_len);
	else if (k->k_type == LUA_TBOOLEAN)
		lua_pushboolean(L, k->k_num != 0);
	else if (k->k_isint)
		lua_pushinteger(L, k->k_int);
	else
		lua_pushnumber(L, k->k_num);
}

/* Push an array of the keys of the table at t, in order. */
static void push_keys(lua_State *L, int t)
{
	size_t n = 0, i = 0;
	key_t_ *keys;

	for (lua_pushnil(L); lua_next(L, t) != 0; lua_pop(L, 1))
		n++;
	keys = lua_newuserdatauv(L, (n + 1) * sizeof(*keys), 0);
	for (lua_pushnil(L); lua_next(L, t) != 0; lua_pop(L, 1)) {
		/* a number is not converted in place: lua_next() would be confused */
		get_key(L, -2, &keys[i++]);
	}
	qsort(keys, n, sizeof(*keys), key_cmp);
	lua_createtable(L, (int)n, 0);
	for (i = 0; i < n; i++) {
		push_key(L, &keys[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_remove(L, -2);
}

const char *sc_first_key(lua_State *L, int tab, bool (*known)(const char *key, const void *arg), const void *arg)
{
	const char *first = NULL;

	for (lua_pushnil(L); lua_next(L, tab) != 0; lua_pop(L, 1)) {
		const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?";

		if (!known(key, arg) && (first == NULL || strcmp(key, first) < 0))
			first = key;
	}
	return first;
}

/* Upvalues: the keys, how many have been gone through. */
static int pairs_step(lua_State *L)
{
	lua_Integer i = lua_tointeger(L, lua_upvalueindex(2));

	for (;;) {
		if (lua_rawgeti(L, lua_upvalueindex(1), ++i) == LUA_TNIL)
			return 1;
		lua_pushvalue(L, -1);
		if (lua_rawget(L, 1) != LUA_TNIL) {
			lua_pushinteger(L, i);
			lua_replace(L, lua_upvalueindex(2));
			return 2;
		}
		lua_pop(L, 2);
	}
}

static int l_pairs(lua_State *L)
{
	luaL_checkany(L, 1);
	if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
		lua_pushvalue(L, 1);
		lua_call(L, 1, 3);
		return 3;
	}
	luaL_checktype(L, 1, LUA_TTABLE);
	push_keys(L, 1);
	lua_pushinteger(L, 0);
	lua_pushcclosure(L, pairs_step, 2);
	lua_pushvalue(L, 1);
	lua_pushnil(L);
	return 3;
}

static int l_next(lua_State *L)
{
	lua_Integer i = 1;

	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 2);
	push_keys(L, 1);
	if (!lua_isnil(L, 2)) {
		for (;; i++) {
			if (lua_rawgeti(L, 3, i) == LUA_TNIL)
				return luaL_error(L, "invalid key to 'next'");
			if (lua_rawequal(L, -1, 2))
				break;
			lua_pop(L, 1);
		}
		i++;
	}
	if (lua_rawgeti(L, 3, i) == LUA_TNIL)
		return 1;
	lua_pushvalue(L, -1);
	lua_rawget(L, 1);
	return 2;
}

/* ---- text of values ---- */

/* Push the text of the value at idx; of an object without a text of its own, what kind it is. */
static const char *push_text(lua_State *L, int idx)
{
	int type = lua_type(L, idx);

	idx = lua_absindex(L, idx);
	if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD || type == LUA_TUSERDATA ||
	    type == LUA_TLIGHTUSERDATA) {
		if (luaL_getmetafield(L, idx, "__tostring") == LUA_TNIL)
			return lua_pushstring(L, lua_typename(L, type));
		lua_pop(L, 1);
	}
	return luaL_tolstring(L, idx, NULL);
}

static int l_tostring(lua_State *L)
{
	luaL_checkany(L, 1);
	(void)push_text(L, 1);
	return 1;
}

/* string.format without addresses; upvalue: the real one. */
static int l_format(lua_State *L)
{
	const char *fmt = luaL_checkstring(L, 1);
	int n = lua_gettop(L);

	for (const char *p = strchr(fmt, '%'); p != NULL; p = strchr(p, '%')) {
		p++;
		p += strspn(p, "-+ #0123456789.");
		luaL_argcheck(L, *p != 'p', 1, "%p: addresses differ from run to run");
		if (*p == '%')
			p++;
	}
	luaL_checkstack(L, n + LUA_MINSTACK, NULL);
	lua_pushvalue(L, lua_upvalueindex(1));
	for (int i = 1; i <= n; i++) {
		if (i > 1 && !lua_isnumber(L, i) && !lua_isstring(L, i) && !lua_isboolean(L, i) && !lua_isnil(L, i))
			(void)push_text(L, i);
		else
			lua_pushvalue(L, i);
	}
	lua_call(L, n, 1);
	return 1;
}

static int l_log(lua_State *L)
{
	int n = lua_gettop(L);

	for (int i = 1; i <= n; i++) {
		size_t len;

		(void)push_text(L, i);
		fputs(i > 1 ? "\t" : "", stderr);
		(void)fwrite(lua_tolstring(L, -1, &len), 1, lua_rawlen(L, -1), stderr);
		lua_pop(L, 1);
	}
	fputc('\n', stderr);
	return 0;
}

/* ---- chance ---- */

/* A number below n, each as likely as the other. */
static uint64_t below(uint64_t n)
{
	uint64_t limit = UINT64_MAX - UINT64_MAX % n, r;

	do
		r = machine_random();
	while (r >= limit);
	return r % n;
}

static int l_random(lua_State *L)
{
	lua_Integer lo = 1, hi;

	if (lua_isnoneornil(L, 1)) {
		lua_pushnumber(L, (lua_Number)(machine_random() >> 11) * 0x1p-53);
		return 1;
	}
	hi = luaL_checkinteger(L, 1);
	if (!lua_isnoneornil(L, 2)) {
		lo = hi;
		hi = luaL_checkinteger(L, 2);
	}
	luaL_argcheck(L, lo <= hi, lua_isnoneornil(L, 2) ? 1 : 2, "the interval is empty");
	if ((uint64_t)hi - (uint64_t)lo == UINT64_MAX)
		lua_pushinteger(L, (lua_Integer)machine_random());
	else
		lua_pushinteger(L, (lua_Integer)((uint64_t)lo + below((uint64_t)hi - (uint64_t)lo + 1)));
	return 1;
}

/* ---- code ---- */

/* Of what is no file, but a pipe, so much is read. */
#define PIPE_MAX ((size_t)1 << 20)

/* The text of a file into a string on the stack; false with a message. */
static bool read_text(lua_State *L, const char *path)
{
	struct stat st;
	size_t size = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (size_t)st.st_size : PIPE_MAX, n;
	char *buf = lua_newuserdatauv(L, size + 1, 0); /* an error would leave the file open if it were open */
	FILE *fp = fopen(path, "r");
	bool ok;

	if (fp == NULL) {
		lua_pushfstring(L, "%s: cannot be opened", path);
		return false;
	}
	n = fread(buf, 1, size + 1, fp);
	ok = !ferror(fp) && n <= size;
	fclose(fp);
	if (ok)
		lua_pushlstring(L, buf, n);
	else
		lua_pushfstring(L, "%s: cannot be read", path);
	lua_remove(L, -2);
	return ok;
}

bool sandbox_load(lua_State *L, const char *name)
{
	size_t len;
	const char *text;
	bool ok;

	if (!read_text(L, name))
		return false;
	text = lua_tolstring(L, -1, &len);
	lua_pushfstring(L, "@%s", name);
	if (len > 1 && text[0] == '#') {
		size_t skip = strcspn(text, "\n");

		text += skip;
		len -= skip;
	}
	ok = luaL_loadbufferx(L, text, len, lua_tostring(L, -1), "t") == LUA_OK;
	lua_replace(L, -3);
	lua_pop(L, 1);
	return ok;
}

bool sandbox_below(const char *file, const char *folder)
{
	char *f = realpath(file, NULL), *d = realpath(folder[0] != '\0' ? folder : ".", NULL);
	size_t n = d != NULL ? strlen(d) : 0;
	struct stat st;
	bool ok = f != NULL && d != NULL && strncmp(f, d, n) == 0 && (f[n] == '/' || n == 1) && stat(f, &st) == 0 &&
		  S_ISREG(st.st_mode);

	free(f);
	free(d);
	return ok;
}

/* include("more.lua"): run another file of the scenario's folder; what it returns. */
static int l_include(lua_State *L)
{
	const scenario_t *sc = sc_of(L);
	const char *name = luaL_checkstring(L, 1), *path;

	lua_settop(L, 1);

	path = lua_pushfstring(L, "%s%s", sc->sc_dir, name);
	if (name[0] == '/' || !sandbox_below(path, sc->sc_dir))
		sc_error(L, "include %s: there is no such file in the scenario's folder", name);
	if (!sandbox_load(L, path))
		return lua_error(L);
	lua_call(L, 0, LUA_MULTRET);
	return lua_gettop(L) - 2;
}

/* load(text, name, mode, env): text only, whatever the mode. */
static int l_load(lua_State *L)
{
	size_t len;
	const char *text = luaL_checklstring(L, 1, &len), *name = luaL_optstring(L, 2, "load");
	bool env = !lua_isnone(L, 4);

	lua_settop(L, 4);
	lua_pushfstring(L, "=[%s]", name);
	if (luaL_loadbufferx(L, text, len, lua_tostring(L, -1), "t") != LUA_OK) {
		lua_pushnil(L);
		lua_insert(L, -2);
		return 2;
	}
	if (env) {
		lua_pushvalue(L, 4);
		if (lua_setupvalue(L, -2, 1) == NULL)
			lua_pop(L, 1);
	}
	return 1;
}

/* A finalizer would run in the middle of anything. */
static int l_setmetatable(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	luaL_argcheck(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table expected");
	lua_settop(L, 2);
	if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
		return luaL_error(L, "cannot change a protected metatable");
	if (lua_istable(L, 2)) {
		lua_pushliteral(L, "__gc");
		luaL_argcheck(L, lua_rawget(L, 2) == LUA_TNIL, 2, "scenarios have no __gc");
	}
	lua_settop(L, 2);
	lua_setmetatable(L, 1);
	return 1;
}

/* ---- small things ---- */

static int l_check(lua_State *L)
{
	luaL_checkany(L, 1);
	if (!lua_toboolean(L, 1))
		sc_error(L, "check failed%s%s", lua_gettop(L) > 1 ? ": " : "",
			 lua_gettop(L) > 1 ? push_text(L, 2) : "");
	return lua_gettop(L);
}

static int l_stop(lua_State *L)
{
	return sc_stop(L);
}

static int l_exit(lua_State *L)
{
	lua_Integer status = luaL_optinteger(L, 1, 0);

	luaL_argcheck(L, status >= 0 && status <= 255, 1, "must be 0 to 255");
	sc_of(L)->sc_status = (int)status;
	return sc_stop(L);
}

static int trace_start(lua_State *L)
{
	if (sc_of(L)->sc_dtrace != NULL)
		dtrace_pause(sc_of(L)->sc_dtrace, false);
	return 0;
}

static int trace_stop(lua_State *L)
{
	if (sc_of(L)->sc_dtrace != NULL)
		dtrace_pause(sc_of(L)->sc_dtrace, true);
	return 0;
}

static int l_where(lua_State *L)
{
	char where[128];

	sc_where(L, where, sizeof(where));
	lua_pushstring(L, where);
	return 1;
}

/* Raise an error at the scenario's line, for the library. */
static int l_fail(lua_State *L)
{
	sc_error(L, "%s", luaL_checkstring(L, 1));
}

static const luaL_Reg functions[] = {{"pairs", l_pairs},
				     {"next", l_next},
				     {"tostring", l_tostring},
				     {"log", l_log},
				     {"print", l_log},
				     {"random", l_random},
				     {"load", l_load},
				     {"include", l_include},
				     {"check", l_check},
				     {"stop", l_stop},
				     {"setmetatable", l_setmetatable},
				     {"exit", l_exit},
				     {NULL, NULL}};

static const luaL_Reg trace_functions[] = {{"start", trace_start}, {"stop", trace_stop}, {NULL, NULL}};

static const luaL_Reg private_functions[] = {{"fail", l_fail}, {"where", l_where}, {NULL, NULL}};

static const char *const removed[] = {"dofile", "loadfile", "collectgarbage", "warn", "require", "package", NULL};

static void open_library(lua_State *L, const char *name, lua_CFunction f)
{
	luaL_requiref(L, name, f, 1);
	lua_pop(L, 1);
}

static void change_libraries(lua_State *L)
{
	lua_getglobal(L, "string");
	lua_pushnil(L);
	lua_setfield(L, -2, "dump");
	lua_getfield(L, -1, "format");
	lua_pushcclosure(L, l_format, 1);
	lua_setfield(L, -2, "format");
	lua_getglobal(L, "math");
	lua_pushnil(L);
	lua_setfield(L, -2, "randomseed");
	lua_pushcfunction(L, l_random);
	lua_setfield(L, -2, "random");
	lua_pop(L, 2);
}

void sandbox_open(lua_State *L)
{
	open_library(L, "_G", luaopen_base);
	open_library(L, "string", luaopen_string);
	open_library(L, "table", luaopen_table);
	open_library(L, "math", luaopen_math);
	open_library(L, "utf8", luaopen_utf8);
	open_library(L, "coroutine", luaopen_coroutine);
	for (int i = 0; removed[i] != NULL; i++) {
		lua_pushnil(L);
		lua_setglobal(L, removed[i]);
	}
	change_libraries(L);
	lua_pushglobaltable(L);
	luaL_setfuncs(L, functions, 0);
	lua_pop(L, 1);
	luaL_newlib(L, trace_functions);
	lua_setglobal(L, "trace");
	luaL_newlib(L, private_functions);
	lua_setfield(L, LUA_REGISTRYINDEX, "private");
}
