#include "scenario/impl.h"

#include <stdlib.h>
#include <string.h>

#include "consconfig_dacf/consconfig.h"
#include "machine/ps2.h"

/*
 * Keyboard and mouse: what the library (lib/input.lua) makes keyboard:type()
 * and mouse:click() of.
 */

static const ps2_key_t *key_arg(lua_State *L, int arg)
{
	const char *name = luaL_checkstring(L, arg);
	const ps2_key_t *key = ps2_key_lookup(name);

	if (key == NULL)
		sc_error(L, "the keyboard has no key \"%s\"", name);
	return key;
}

/* key(name, press) */
static int i_key(lua_State *L)
{
	const ps2_key_t *key = key_arg(L, 1);
	uint8_t code[2];

	ps2_key_bytes(code, ps2_key_code(key, lua_toboolean(L, 2), code));
	return 0;
}

/* name of the key, name of what must be held with it or nil = char_key(character) */
static int i_char_key(lua_State *L)
{
	size_t len;
	const char *s = luaL_checklstring(L, 1, &len);
	uint_t mods = 0;
	const ps2_key_t *key = len == 1 ? ps2_char_key((unsigned char)s[0], &mods) : NULL;

	if (key == NULL)
		sc_error(L, "no key gives the character \"%s\"", s);
	lua_pushstring(L, key->pk_name);
	if (mods == 0)
		lua_pushnil(L);
	else
		lua_pushstring(L, mods == PS2_SHIFT ? "left shift" : "left ctrl");
	return 2;
}

static int i_key_bytes(lua_State *L)
{
	size_t len;
	const char *s = luaL_checklstring(L, 1, &len);

	ps2_key_bytes((const uint8_t *)s, len);
	return 0;
}

/* bytes = mouse_packet(buttons, dx, dy, dz) */
static int i_mouse_packet(lua_State *L)
{
	lua_pushinteger(L, ps2_mouse_packet((uint_t)luaL_checkinteger(L, 1), (int)luaL_optinteger(L, 2, 0),
					    (int)luaL_optinteger(L, 3, 0), (int)luaL_optinteger(L, 4, 0)));
	return 1;
}

static int i_mouse_bytes(lua_State *L)
{
	size_t len;
	const char *s = luaL_checklstring(L, 1, &len);

	ps2_mouse_bytes((const uint8_t *)s, len);
	return 0;
}

static int i_mouse_kind(lua_State *L)
{
	static const char *const kinds[] = {"plain", "wheel", "wheel5", NULL};

	ps2_mouse_set_kind((enum ps2_mouse_kind)luaL_checkoption(L, 1, NULL, kinds));
	return 0;
}

static int i_leds(lua_State *L)
{
	lua_pushinteger(L, ps2_leds());
	return 1;
}

/* The character that an X client makes of a key's event: usb_char(station, shift, ctrl), nil when none */
static int i_usb_char(lua_State *L)
{
	uint_t mods = (lua_toboolean(L, 2) ? PS2_SHIFT : 0) | (lua_toboolean(L, 3) ? PS2_CTRL : 0);
	int ch = ps2_usb_char((uint_t)luaL_checkinteger(L, 1), mods);
	char c = (char)ch;

	if (ch < 0)
		lua_pushnil(L);
	else
		lua_pushlstring(L, &c, 1);
	return 1;
}

static int i_attach(lua_State *L)
{
	if (consconfig_attach() != 0)
		sc_error(L, "out of memory");
	return 0;
}

/* true, or false while it goes on; an error when it failed */
static int i_attached(lua_State *L)
{
	if (consconfig_done() && consconfig_error() != 0)
		sc_error(L, "the console's devices: %s", errno_name(consconfig_error()));
	lua_pushboolean(L, consconfig_done());
	return 1;
}

void input_open(lua_State *L)
{
	static const luaL_Reg functions[] = {{"key", i_key},
					     {"char_key", i_char_key},
					     {"key_bytes", i_key_bytes},
					     {"mouse_packet", i_mouse_packet},
					     {"mouse_bytes", i_mouse_bytes},
					     {"mouse_kind", i_mouse_kind},
					     {"leds", i_leds},
					     {"usb_char", i_usb_char},
					     {"console_attach", i_attach},
					     {"console_attached", i_attached},
					     {NULL, NULL}};

	lua_getfield(L, LUA_REGISTRYINDEX, "private");
	luaL_setfuncs(L, functions, 0);
	lua_pop(L, 1);
}
