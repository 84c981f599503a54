/*
 * The D library, part of the program.
 */
#include "d/dt_impl.h"

#define EMBED(sym, file)         \
	extern const char sym[]; \
	__asm__(".section .rodata\n.global " #sym "\n" #sym ":\n.incbin \"sim/d/lib/" file "\"\n.byte 0\n.previous\n")

EMBED(dt_lib_std, "std.d");
EMBED(dt_lib_procfs, "procfs.d");
EMBED(dt_lib_sched, "sched.d");
EMBED(dt_lib_ip, "ip.d");
EMBED(dt_lib_tcp, "tcp.d");
EMBED(dt_lib_udp, "udp.d");

const dt_embedded_t dt_libs[] = {
    {"/usr/lib/dtrace/std.d", dt_lib_std},
    {"/usr/lib/dtrace/procfs.d", dt_lib_procfs},
    {"/usr/lib/dtrace/sched.d", dt_lib_sched},
    {"/usr/lib/dtrace/ip.d", dt_lib_ip},
    {"/usr/lib/dtrace/tcp.d", dt_lib_tcp},
    {"/usr/lib/dtrace/udp.d", dt_lib_udp},
    {NULL, NULL},
};
