#!/usr/sbin/dtrace -Cs
/*
 * connections.d - who accepts connections.
 */
#include <sys/file.h>
#include <inet/common.h>
#include <sys/byteorder.h>

#pragma D option quiet
#pragma D option switchrate=10hz

inline int OPT_time = 1;
inline int OPT_zone = 0;
#define SS_TCP_FAST_ACCEPT 0x00200000 /* of so_state: a socket of TCP's */

dtrace:::BEGIN
{
	OPT_time ? printf("%-20s ", "TIME") : 1;
	OPT_zone ? printf("%-12s ", "ZONE") : 1;
	printf("%5s %-12s %6s %-15s %5s\n", "UID", "CMD", "PID", "IP_SOURCE", "PORT");
}

fbt:sockfs:sotpi_accept:entry
/(arg1 & FREAD) && (arg1 & FWRITE) && (args[0]->so_state & SS_TCP_FAST_ACCEPT)/
{
	self->sop = args[0];
}

fbt:sockfs:sotpi_create:return
/self->sop/
{
	self->nsop = (struct sonode *)arg1;
}

fbt:sockfs:sotpi_accept:return
/self->nsop/
{
	this->tcpp = (tcp_t *)self->nsop->so_priv;
	self->connp = (conn_t *)this->tcpp->tcp_connp;
	self->port = self->connp->u_port.tcpu_ports.tcpu_lport;
	self->port = BSWAP_16(self->port);
	this->octet0 = self->connp->connua_v6addr.connua_faddr._S6_un._S6_u8[12];
	this->octet1 = self->connp->connua_v6addr.connua_faddr._S6_un._S6_u8[13];
	this->octet2 = self->connp->connua_v6addr.connua_faddr._S6_un._S6_u8[14];
	this->octet3 = self->connp->connua_v6addr.connua_faddr._S6_un._S6_u8[15];
	self->address = strjoin(strjoin(strjoin(lltostr(this->octet0), "."), strjoin(lltostr(this->octet1), ".")),
	    strjoin(strjoin(lltostr(this->octet2), "."), lltostr(this->octet3)));
	OPT_time ? printf("%-20Y ", walltimestamp) : 1;
	OPT_zone ? printf("%-12s ", zonename) : 1;
	printf("%5d %-12s %6d %-15s %5d\n", uid, execname, pid, self->address, self->port);
}

fbt:sockfs:sotpi_accept:return
{
	self->connp = 0;
	self->address = 0;
	self->port = 0;
	self->nsop = 0;
	self->sop = 0;
}
