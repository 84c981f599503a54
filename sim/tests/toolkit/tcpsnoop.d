#!/usr/sbin/dtrace -Cs
/*
 * tcpsnoop.d - each segment with the process that its connection belongs to.
 *
 * SIZE is that of the frame, 14 bytes of Ethernet's header included; DATA what the segment carries.
 */
#include <sys/file.h>
#include <inet/common.h>
#include <sys/byteorder.h>

#pragma D option quiet
#pragma D option switchrate=10hz
#pragma D option bufsize=4m
#pragma D option dynvarsize=8m

dtrace:::BEGIN
{
	printf("%5s %6s %-15s %5s %2s %-15s %5s %5s %s %5s\n", "UID", "PID", "LADDR", "LPORT", "DR", "RADDR", "RPORT", "SIZE",
	    "CMD", "DATA");
}

/* ---- accepted ---- */

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
	this->tcpp = (tcp_t *)self->nsop->so_priv;
	self->connp = (conn_t *)this->tcpp->tcp_connp;
	tname[(int)self->connp] = execname;
	tpid[(int)self->connp] = pid;
	tuid[(int)self->connp] = uid;
}

fbt:sockfs:sotpi_accept:return
{
	self->nsop = 0;
	self->sop = 0;
}

/* ---- connecting ---- */

fbt:ip:tcp_connect:entry
{
	this->tcpp = (tcp_t *)arg0;
	self->connp = (conn_t *)this->tcpp->tcp_connp;
	tname[(int)self->connp] = execname;
	tpid[(int)self->connp] = pid;
	tuid[(int)self->connp] = uid;
}

/* ---- a connection that is known now: its ends ---- */

fbt:sockfs:sotpi_accept:return,
fbt:ip:tcp_connect:return
/self->connp/
{
	this->laddr = &self->connp->connua_v6addr.connua_laddr;
	this->faddr = &self->connp->connua_v6addr.connua_faddr;
	this->lport = self->connp->u_port.tcpu_ports.tcpu_lport;
	this->fport = self->connp->u_port.tcpu_ports.tcpu_fport;
	self->laddr = strjoin(strjoin(strjoin(lltostr(this->laddr->_S6_un._S6_u8[12]), "."),
	    strjoin(lltostr(this->laddr->_S6_un._S6_u8[13]), ".")),
	    strjoin(strjoin(lltostr(this->laddr->_S6_un._S6_u8[14]), "."), lltostr(this->laddr->_S6_un._S6_u8[15])));
	self->faddr = strjoin(strjoin(strjoin(lltostr(this->faddr->_S6_un._S6_u8[12]), "."),
	    strjoin(lltostr(this->faddr->_S6_un._S6_u8[13]), ".")),
	    strjoin(strjoin(lltostr(this->faddr->_S6_un._S6_u8[14]), "."), lltostr(this->faddr->_S6_un._S6_u8[15])));
	tladdr[(int)self->connp] = self->laddr;
	tfaddr[(int)self->connp] = self->faddr;
	tlport[(int)self->connp] = BE16_TO_U16(this->lport);
	tfport[(int)self->connp] = BE16_TO_U16(this->fport);
	/* a real address and not, say, the listener's */
	tok[(int)self->connp] = self->faddr == "0.0.0.0" ? 0 : 1;
	self->laddr = 0;
	self->faddr = 0;
}

fbt:sockfs:sotpi_accept:return,
fbt:ip:tcp_connect:return
{
	self->connp = 0;
}

/* Memory is used again: a new connection is nobody's yet. */
fbt:ip:tcp_get_conn:return
{
	tok[(int)arg1] = 0;
	tname[(int)arg1] = 0;
	tpid[(int)arg1] = 0;
	tuid[(int)arg1] = 0;
}

/* ---- segments ---- */

fbt:ip:tcp_send_data:entry
{
	self->conn = (conn_t *)args[0]->tcp_connp;
	self->mp = args[2];
	self->dir = "->";
}

fbt:ip:tcp_rput_data:entry
/args[1]->b_datap->db_type == 0/
{
	self->conn = (conn_t *)arg0;
	self->mp = args[1];
	self->dir = "<-";
}

fbt:ip:tcp_send_data:entry,
fbt:ip:tcp_rput_data:entry
/self->mp != NULL/
{
	this->ip = (ipha_t *)self->mp->b_rptr;
	this->iphl = (this->ip->ipha_version_and_hdr_length & 0xf) << 2;
	this->tcp = (tcph_t *)(self->mp->b_rptr + this->iphl);
	this->size = msgdsize(self->mp);
	this->data = BE16_TO_U16(this->ip->ipha_length) - this->iphl - ((this->tcp->th_offset_and_rsrvd[0] >> 2) & 0x3c);
	@data[self->dir] = sum(this->data);
}

fbt:ip:tcp_send_data:entry,
fbt:ip:tcp_rput_data:entry
/self->mp != NULL && tok[(int)self->conn]/
{
	printf("%5d %6d %-15s %5d %2s %-15s %5d %5d %s %5d\n", tuid[(int)self->conn], tpid[(int)self->conn],
	    tladdr[(int)self->conn], tlport[(int)self->conn], self->dir, tfaddr[(int)self->conn], tfport[(int)self->conn],
	    this->size + 14, tname[(int)self->conn], this->data);
	@known[tladdr[(int)self->conn], tlport[(int)self->conn], tfaddr[(int)self->conn], tfport[(int)self->conn],
	    self->dir] = sum(this->data);
}

fbt:ip:tcp_send_data:entry,
fbt:ip:tcp_rput_data:entry
{
	self->conn = 0;
	self->mp = 0;
	self->dir = 0;
}

/* ---- refused: the reset goes out by the default queue ---- */

fbt:ip:tcp_xmit_early_reset:entry
{
	self->queuep = (queue_t *)`tcp_g_q;
	self->gconn = (conn_t *)self->queuep->q_ptr;
	self->gtcp = self->gconn->conn_tcp;
	self->why = stringof(args[0]);
	this->ip = (ipha_t *)args[1]->b_rptr;
	self->src = inet_ntoa(&this->ip->ipha_src);
	self->dst = inet_ntoa(&this->ip->ipha_dst);
	self->reset = 1;
}

fbt:ip:tcp_xchg:entry
/self->reset/
{
	self->lport = BE16_TO_U16(arg1);
	self->fport = BE16_TO_U16(arg0);
}

fbt:ip:tcp_xmit_early_reset:return
/self->reset/
{
	this->name = self->gtcp->tcp_connp == self->gconn ? "<closed>" : "<unknown>";
	printf("%5d %6d %-15s %5d %2s %-15s %5d %5d %s %5d\n", 0, 0, self->dst, self->lport, "<-",
	    self->src, self->fport, 54, this->name, 0);
	@resets = count();
	self->queuep = 0; self->gconn = 0; self->gtcp = 0; self->why = 0;
	self->src = 0; self->dst = 0; self->lport = 0; self->fport = 0; self->reset = 0;
}

dtrace:::END
{
	printa("data %s %@d\n", @data);
	printa("known %s:%d %s:%d %s %@d\n", @known);
	printa("resets %@d\n", @resets);
}
