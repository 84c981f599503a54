/*
 * TCP as a transport provider (TPI): information, connect, disconnect.  The
 * listening side is in tcp_listen.c.
 */
#include <string.h>

#include "ip/ipsec_impl.h"
#include "ip/tcp_impl.h"

#define TCP_TIDU_SIZE 65536

int tcp_tpistate(const tcp_t *tcp)
{
	switch (tcp->tcp_state) {
	case TCPS_IDLE:
		return TS_UNBND;
	case TCPS_LISTEN:
		return tcp->tcp_conn_req_cnt_q > 0 ? TS_WRES_CIND : TS_IDLE;
	case TCPS_SYN_SENT:
		return TS_WCON_CREQ;
	case TCPS_SYN_RCVD:
		return tcp->tcp_active_open ? TS_WCON_CREQ : TS_WRES_CIND;
	case TCPS_ESTABLISHED:
		return TS_DATA_XFER;
	case TCPS_CLOSE_WAIT:
		return TS_WREQ_ORDREL;
	case TCPS_FIN_WAIT_1:
	case TCPS_FIN_WAIT_2:
		return TS_WIND_ORDREL;
	default:
		return TS_IDLE;
	}
}

/* ---- replies ---- */

void tcp_err_ack(tcp_t *tcp, mblk_t *mp, int t_error, int sys_error)
{
	t_scalar_t prim = *(t_scalar_t *)(void *)mp->b_rptr;
	struct T_error_ack *tea;

	mp = mexchange(tcp->tcp_wq, mp, sizeof(*tea), M_PCPROTO, T_ERROR_ACK);
	if (mp == NULL)
		return;
	tea = (struct T_error_ack *)(void *)mp->b_rptr;
	tea->ERROR_prim = prim;
	tea->TLI_error = t_error;
	tea->UNIX_error = sys_error;
	qreply(tcp->tcp_wq, mp);
}

/* wq: the write queue of the stream that asked. */
void tcp_ok_ack(queue_t *wq, mblk_t *mp)
{
	t_scalar_t prim = *(t_scalar_t *)(void *)mp->b_rptr;

	mp = mexchange(wq, mp, sizeof(struct T_ok_ack), M_PCPROTO, T_OK_ACK);
	if (mp == NULL)
		return;
	((struct T_ok_ack *)(void *)mp->b_rptr)->CORRECT_prim = prim;
	qreply(wq, mp);
}

static void tcp_copy_info(struct T_info_ack *tia, const tcp_t *tcp)
{
	tia->PRIM_type = T_INFO_ACK;
	tia->TSDU_size = 0;
	tia->ETSDU_size = T_INFINITE;
	tia->CDATA_size = T_INVALID;
	tia->DDATA_size = T_INVALID;
	tia->ADDR_size = (t_scalar_t)tcp_addr_len(tcp);
	tia->OPT_size = T_INFINITE;
	tia->TIDU_size = TCP_TIDU_SIZE;
	tia->SERV_type = T_COTS_ORD;
	tia->CURRENT_state = tcp_tpistate(tcp);
	tia->PROVIDER_flag = XPG4_1 | EXPINLINE;
}

void tcp_capability_req(tcp_t *tcp, mblk_t *mp)
{
	t_uscalar_t bits = ((struct T_capability_req *)(void *)mp->b_rptr)->CAP_bits1;
	struct T_capability_ack *tca;

	mp = mexchange(tcp->tcp_wq, mp, sizeof(*tca), M_PCPROTO, T_CAPABILITY_ACK);
	if (mp == NULL)
		return;
	tca = (struct T_capability_ack *)(void *)mp->b_rptr;
	memset((uchar_t *)tca + sizeof(t_scalar_t), 0, sizeof(*tca) - sizeof(t_scalar_t));
	if (bits & TC1_INFO) {
		tcp_copy_info(&tca->INFO_ack, tcp);
		tca->CAP_bits1 |= TC1_INFO;
	}
	if (bits & TC1_ACCEPTOR_ID) {
		tca->ACCEPTOR_id = tcp->tcp_acceptor_id;
		tca->CAP_bits1 |= TC1_ACCEPTOR_ID;
	}
	putnext(tcp->tcp_rq, mp);
}

void tcp_info_req(tcp_t *tcp, mblk_t *mp)
{
	mp = mexchange(tcp->tcp_wq, mp, sizeof(struct T_info_ack), M_PCPROTO, T_INFO_ACK);
	if (mp == NULL)
		return;
	tcp_copy_info((struct T_info_ack *)(void *)mp->b_rptr, tcp);
	putnext(tcp->tcp_rq, mp);
}

void tcp_addr_req(tcp_t *tcp, mblk_t *mp)
{
	uint_t alen = tcp_addr_len(tcp);
	struct T_addr_ack *taa;

	mp = mexchange(tcp->tcp_wq, mp, sizeof(*taa) + 2 * alen, M_PCPROTO, T_ADDR_ACK);
	if (mp == NULL)
		return;
	taa = (struct T_addr_ack *)(void *)mp->b_rptr;
	memset((uchar_t *)taa + sizeof(t_scalar_t), 0, sizeof(*taa) - sizeof(t_scalar_t));
	mp->b_wptr = (uchar_t *)(taa + 1);
	if (tcp->tcp_state >= TCPS_BOUND) {
		taa->LOCADDR_length = (t_scalar_t)alen;
		taa->LOCADDR_offset = (t_scalar_t)(mp->b_wptr - mp->b_rptr);
		tcp_addr_put(tcp, mp->b_wptr, tcp->tcp_ip_src, tcp->tcp_lport);
		mp->b_wptr += alen;
	}
	if (tcp->tcp_state >= TCPS_SYN_RCVD) {
		taa->REMADDR_length = (t_scalar_t)alen;
		taa->REMADDR_offset = (t_scalar_t)(mp->b_wptr - mp->b_rptr);
		tcp_addr_put(tcp, mp->b_wptr, tcp->tcp_remote, tcp->tcp_fport);
		mp->b_wptr += alen;
	}
	putnext(tcp->tcp_rq, mp);
}

/* ---- connect ---- */

/* Tell the stream head how to cut writes, how much room to leave in front, and how much to queue. */
void tcp_sth_options(tcp_t *tcp)
{
	mblk_t *mp = allocb(sizeof(struct stroptions), BPRI_HI);

	if (mp == NULL)
		return;
	tcp_accept_finish(tcp->tcp_connp, mp, NULL);
}

/*
 * Route to faddr: interface MTU, whether it is on-link, and the local address
 * if *laddr is none.  0 or errno.
 */
int tcp_route(tcp_t *tcp, ipaddr_t *laddr, ipaddr_t faddr)
{
	conn_t *connp = tcp->tcp_connp;
	ire_t *ire;
	int err = ip_bind_connected(connp->conn_ifindex, laddr, faddr, &ire);

	if (err != 0)
		return err;
	tcp->tcp_if_mtu = ire->ire_max_frag;
	tcp->tcp_localnet = ire->ire_gateway_addr == 0;
	if (ire->ire_uinfo.iulp_set) {
		if (ire->ire_uinfo.iulp_rtt != 0) {
			tcp->tcp_rtt_sa = (int32_t)ire->ire_uinfo.iulp_rtt;
			tcp->tcp_rtt_sd = (int32_t)ire->ire_uinfo.iulp_rtt_sd;
		}
		if (ire->ire_uinfo.iulp_ssthresh != 0)
			tcp->tcp_cwnd_ssthresh = ire->ire_uinfo.iulp_ssthresh;
	}
	if (connp->conn_ire_cache != NULL) {
		IRE_REFRELE(connp->conn_ire_cache);
		connp->conn_ire_cache = NULL;
	}
	if (ire->ire_type == IRE_CACHE && IRE_USABLE(ire, faddr))
		connp->conn_ire_cache = ire;
	else
		IRE_REFRELE(ire);
	return 0;
}

/* Enter the connected table with that peer, and the template.  False: *errorp. */
boolean_t tcp_conn_set(tcp_t *tcp, ipaddr_t laddr, ipaddr_t faddr, in_port_t fport, int *errorp)
{
	conn_t *connp = tcp->tcp_connp;
	conn_t key;

	key.conn_lport = tcp->tcp_lport;
	key.conn_fport = fport;
	*errorp = ipcl_conn_insert(connp, IPPROTO_TCP, laddr, faddr, key.conn_ports);
	if (*errorp == 0 && (*errorp = IPSEC_CONN_CACHE(connp)) != 0)
		ipcl_hash_remove(connp);
	if (*errorp != 0)
		return B_FALSE;
	tcp->tcp_ipsec_overhead = ipsec_conn_overhead(connp);
	connp->conn_recv = tcp_input;
	connp->conn_fully_bound = 1;
	tcp_bind_unlisted(tcp);
	tcp_hdr_addrs(tcp);
	return B_TRUE;
}

/* T_CONN_CON, made at the request so that it cannot fail when the answer comes. */
static boolean_t tcp_conn_con_prepare(tcp_t *tcp)
{
	mblk_t *mp = allocb(sizeof(struct T_conn_con) + tcp_addr_len(tcp), BPRI_HI);

	if (mp == NULL)
		return B_FALSE;
	DB_TYPE(mp) = M_PROTO;
	tcp->tcp_conn.tcp_eager_conn_ind = mp;
	return B_TRUE;
}

/* The connection the user asked for is there. */
void tcp_conn_con(tcp_t *tcp)
{
	mblk_t *mp = tcp->tcp_conn.tcp_eager_conn_ind;
	struct T_conn_con *tcc;
	uint_t alen = tcp_addr_len(tcp);

	tcp->tcp_conn.tcp_eager_conn_ind = NULL;
	if (tcp->tcp_rq == NULL) {
		freemsg(mp);
		return;
	}
	tcp_sth_options(tcp);
	if (mp == NULL)
		return;
	tcc = (struct T_conn_con *)(void *)mp->b_rptr;
	tcc->PRIM_type = T_CONN_CON;
	tcc->RES_length = (t_scalar_t)alen;
	tcc->RES_offset = sizeof(*tcc);
	tcc->OPT_length = tcc->OPT_offset = 0;
	tcp_addr_put(tcp, (uchar_t *)(tcc + 1), tcp->tcp_remote, tcp->tcp_fport);
	mp->b_wptr = mp->b_rptr + sizeof(*tcc) + alen;
	putnext(tcp->tcp_rq, mp);
}

static void tcp_connect_ipv4(tcp_t *tcp, mblk_t *mp, ipaddr_t dst, in_port_t dport)
{
	conn_t *connp = tcp->tcp_connp;
	ipaddr_t laddr = tcp->tcp_ip_src;
	int err = 0, terr = TSYSERR;
	mblk_t *syn;

	if (dst == INADDR_ANY)
		dst = INADDR_LOOPBACK_N;
	if (CLASSD(dst) || dst == INADDR_BROADCAST)
		err = ENETUNREACH;
	if (err == 0 && !tcp_conn_con_prepare(tcp))
		err = ENOMEM;
	if (err == 0)
		err = tcp_route(tcp, &laddr, dst);
	if (err == 0 && tcp->tcp_state == TCPS_IDLE)
		err = tcp_bind_port(tcp, INADDR_ANY, 0, B_TRUE);
	if (err == 0 && laddr == dst && dport == tcp->tcp_lport)
		err = EADDRINUSE; /* to itself */
	if (err == 0 && !tcp_conn_set(tcp, laddr, dst, dport, &err) && tcp->tcp_state == TCPS_BOUND)
		tcp_bind_listed(tcp);
	if (err != 0) {
		freemsg(tcp->tcp_conn.tcp_eager_conn_ind);
		tcp->tcp_conn.tcp_eager_conn_ind = NULL;
		if (err == EADDRINUSE) {
			terr = TADDRBUSY;
			err = 0;
		}
		tcp_err_ack(tcp, mp, terr, err);
		return;
	}
	BUMP_MIB(&tcp_mib, tcpActiveOpens);
	tcp->tcp_active_open = 1;
	tcp_plan_apply(tcp, connp->conn_ifindex);
	tcp->tcp_suna = tcp->tcp_iss;
	tcp->tcp_snxt = tcp->tcp_iss + 1;
	tcp->tcp_valid_bits = TCP_ISS_VALID;
	tcp->tcp_rexmit_max = tcp->tcp_csuna = tcp->tcp_iss;
	TCP_SET_STATE(tcp, TCPS_SYN_SENT);
	tcp_timer_restart(tcp, (uint32_t)tcp->tcp_rto);
	tcp_ok_ack(tcp->tcp_wq, mp);
	syn = tcp_xmit_mp(tcp, NULL, 0, tcp->tcp_iss, B_FALSE, NULL);
	if (syn == NULL)
		return;
	TCP_PROBE(connect__request, syn, connp, (ipha_t *)(void *)syn->b_rptr, tcp, TCPH_OF(syn));
	tcp_send_data(tcp, tcp->tcp_wq, syn);
}

void tcp_connect(tcp_t *tcp, mblk_t *mp)
{
	struct T_conn_req *tcr = (struct T_conn_req *)(void *)mp->b_rptr;
	ipaddr_t dst;
	in_port_t dport;

	if (MBLKL(mp) < (ptrdiff_t)sizeof(*tcr)) {
		tcp_err_ack(tcp, mp, TPROTO, 0);
		return;
	}
	if (tcp->tcp_state != TCPS_IDLE && tcp->tcp_state != TCPS_BOUND) {
		tcp_err_ack(tcp, mp, TOUTSTATE, 0);
		return;
	}
	if (!tcp_addr_get(tcp, mp, tcr->DEST_offset, tcr->DEST_length, &dst, &dport) || dport == 0) {
		tcp_err_ack(tcp, mp, TBADADDR, 0);
		return;
	}
	if (mp->b_cont != NULL) { /* data with the request is not for TCP */
		tcp_err_ack(tcp, mp, TBADDATA, 0);
		return;
	}
	tcp_connect_ipv4(tcp, mp, dst, dport);
}

/* ---- disconnect ---- */

/* T_DISCON_REQ: reset the connection, or refuse one that was indicated. */
void tcp_disconnect(tcp_t *tcp, mblk_t *mp)
{
	struct T_discon_req *tdr = (struct T_discon_req *)(void *)mp->b_rptr;

	if (MBLKL(mp) < (ptrdiff_t)sizeof(*tdr)) {
		tcp_err_ack(tcp, mp, TPROTO, 0);
		return;
	}
	if (tcp->tcp_state == TCPS_LISTEN) {
		if (tcp_eager_blowoff(tcp, (uint32_t)tdr->SEQ_number) != 0)
			tcp_err_ack(tcp, mp, TBADSEQ, 0);
		else
			tcp_ok_ack(tcp->tcp_wq, mp);
		return;
	}
	switch (tcp->tcp_state) {
	case TCPS_SYN_SENT:
		BUMP_MIB(&tcp_mib, tcpAttemptFails);
		break;
	case TCPS_SYN_RCVD:
		BUMP_MIB(&tcp_mib, tcpAttemptFails);
		tcp_xmit_ctl("tcp_disconnect", tcp, tcp->tcp_snxt, 0, TH_RST);
		break;
	case TCPS_ESTABLISHED:
	case TCPS_CLOSE_WAIT:
		BUMP_MIB(&tcp_mib, tcpEstabResets);
		tcp_xmit_ctl("tcp_disconnect", tcp, tcp->tcp_snxt, 0, TH_RST);
		break;
	case TCPS_FIN_WAIT_1:
	case TCPS_FIN_WAIT_2:
	case TCPS_CLOSING:
	case TCPS_LAST_ACK:
		tcp_xmit_ctl("tcp_disconnect", tcp, tcp->tcp_snxt, 0, TH_RST);
		break;
	default:
		tcp_err_ack(tcp, mp, TOUTSTATE, 0);
		return;
	}
	tcp_reinit(tcp);
	tcp_ok_ack(tcp->tcp_wq, mp);
}
