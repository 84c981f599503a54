#include "scenario/impl.h"

/*
 * The part of scenarios' world that is written in Lua, kept in the program.
 * Each piece gets one argument, the table of private functions.
 */

#define EMBED(sym, file)                                                                                              \
	extern const char sym[], sym##_end[];                                                                         \
	__asm__(".section .rodata\n.global " #sym "\n" #sym ":\n.incbin \"sim/scenario/lib/" file "\"\n.global " #sym \
		"_end\n" #sym "_end:\n.byte 0\n.previous\n")

EMBED(scenario_lib_base, "base.lua");
EMBED(scenario_lib_term, "term.lua");
EMBED(scenario_lib_input, "input.lua");
EMBED(scenario_lib_net, "net.lua");
EMBED(scenario_lib_peer, "peer.lua");
EMBED(scenario_lib_tli, "tli.lua");

static const struct {
	const char *name, *text, *end;
} libs[] = {
    {"=[base]", scenario_lib_base, scenario_lib_base_end},    {"=[term]", scenario_lib_term, scenario_lib_term_end},
    {"=[input]", scenario_lib_input, scenario_lib_input_end}, {"=[net]", scenario_lib_net, scenario_lib_net_end},
    {"=[peer]", scenario_lib_peer, scenario_lib_peer_end},    {"=[tli]", scenario_lib_tli, scenario_lib_tli_end},
};

void lib_open(lua_State *L)
{
	for (size_t i = 0; i < sizeof(libs) / sizeof(libs[0]); i++) {
		if (luaL_loadbufferx(L, libs[i].text, (size_t)(libs[i].end - libs[i].text), libs[i].name, "t") !=
		    LUA_OK)
			lua_error(L);
		lua_getfield(L, LUA_REGISTRYINDEX, "private");
		lua_call(L, 1, 0);
	}
}
