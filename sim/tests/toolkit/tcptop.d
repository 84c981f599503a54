#!/usr/sbin/dtrace -Cs
/*
 * tcptop.d - the connections with the most bytes, second by second.
 */
#include <sys/file.h>
#include <inet/common.h>
#include <sys/byteorder.h>

#pragma D option quiet
#pragma D option switchrate=10hz
#pragma D option dynvarsize=8m

inline int OPT_top = 0;
inline int OPT_zone = 1;
inline int OPT_project = 0;
inline int INTERVAL = 5;
inline int COUNTER = 1000000;
inline string CLEAR = "\f";

dtrace:::BEGIN
{
	TCP_out = 0;
	TCP_in = 0;
	secs = INTERVAL;
	counts = COUNTER;
	printf("Tracing... Please wait.\n");
}

fbt:sockfs:sotpi_accept:entry
/(arg1 & FREAD) && (arg1 & FWRITE) && (args[0]->so_state & 0x00200000)/
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
	self->connp = (conn_t *)((tcp_t *)self->nsop->so_priv)->tcp_connp;
}

fbt:sockfs:sotpi_accept:return
{
	self->nsop = 0;
	self->sop = 0;
}

fbt:ip:tcp_connect:entry
{
	self->connp = (conn_t *)((tcp_t *)arg0)->tcp_connp;
}

fbt:sockfs:sotpi_accept:return,
fbt:ip:tcp_connect:return
/self->connp/
{
	tname[(int)self->connp] = execname;
	tpid[(int)self->connp] = pid;
	tid_of[(int)self->connp] = OPT_project ? curpsinfo->pr_projid : OPT_zone ? self->connp->conn_zoneid : uid;
	tladdr[(int)self->connp] = inet_ntoa((ipaddr_t *)&self->connp->connua_v6addr.connua_laddr._S6_un._S6_u8[12]);
	tfaddr[(int)self->connp] = inet_ntoa((ipaddr_t *)&self->connp->connua_v6addr.connua_faddr._S6_un._S6_u8[12]);
	tlport[(int)self->connp] = BSWAP_16(self->connp->u_port.tcpu_ports.tcpu_lport);
	tfport[(int)self->connp] = BSWAP_16(self->connp->u_port.tcpu_ports.tcpu_fport);
	tok[(int)self->connp] = 1;
	self->connp = 0;
}

fbt:ip:tcp_get_conn:return
{
	tok[(int)arg1] = 0;
}

fbt:ip:tcp_send_data:entry
/tok[(int)args[0]->tcp_connp]/
{
	this->c = (int)args[0]->tcp_connp;
	this->size = msgdsize(args[2]) + 14;
	@out[tid_of[this->c], tpid[this->c], tladdr[this->c], tlport[this->c], tfaddr[this->c], tfport[this->c],
	    tname[this->c]] = sum(this->size);
	@frames["out"] = sum(this->size);
}

fbt:ip:tcp_rput_data:entry
/tok[(int)arg0] && args[1]->b_datap->db_type == 0/
{
	this->c = (int)arg0;
	this->size = msgdsize(args[1]) + 14;
	@out[tid_of[this->c], tpid[this->c], tladdr[this->c], tlport[this->c], tfaddr[this->c], tfport[this->c],
	    tname[this->c]] = sum(this->size);
	@frames["in"] = sum(this->size);
}

mib:::tcpOutDataBytes { TCP_out += args[0]; }
mib:::tcpRetransBytes { TCP_out += args[0]; }
mib:::tcpInDataInorderBytes { TCP_in += args[0]; }
mib:::tcpInDataDupBytes { TCP_in += args[0]; }
mib:::tcpInDataUnorderBytes { TCP_in += args[0]; }

profile:::tick-1sec
{
	secs--;
}

profile:::tick-1sec
/secs == 0/
{
	this->load1a = `hp_avenrun[0] / 65536;
	this->load1b = ((`hp_avenrun[0] % 65536) * 100) / 65536;
	OPT_top ? printf("%s", CLEAR) : 1;
	printf("%Y,  load: %d.%02d,  TCPin: %6d KB,  TCPout: %6d KB\n\n", walltimestamp, this->load1a, this->load1b,
	    TCP_in / 1024, TCP_out / 1024);
	printf("%4s %6s %-15s %5s %-15s %5s %9s %s\n", OPT_zone ? "ZONE" : "UID", "PID", "LADDR", "LPORT", "FADDR", "FPORT",
	    "SIZE", "NAME");
	printa("%4d %6d %-15s %5d %-15s %5d %@9d %s\n", @out);
	trunc(@out);
	secs = INTERVAL;
	counts--;
}

profile:::tick-1sec
/counts == 0/
{
	exit(0);
}

dtrace:::END
{
	printa("%4d %6d %-15s %5d %-15s %5d %@9d %s\n", @out);
	trunc(@out);
	printa("frames %s %@d\n", @frames);
	printf("total %d %d\n", TCP_in, TCP_out);
}
