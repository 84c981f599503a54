/*
 * TCP input.
 *
 * Theory.  tcp_rput_data() takes one segment through the steps of RFC 793
 * p. 65: is it acceptable (else trim it to the window), RST, SYN, reassembly,
 * ACK, window, FIN, data to the user, and at the end what has become due: a
 * retransmission, new data, an acknowledgement, the orderly release.  What is
 * due is collected as work flags beside the segment's own.
 *
 * Data put upstream, the acknowledgement and data set free by it leave from
 * tcp_rput_data itself; the steps before are functions of their own.
 *
 * Order of this file: options, windows, delivery, reassembly, the steps,
 * tcp_rput_data, TIME_WAIT, other messages.
 */
#include <string.h>

#include "ip/tcp_impl.h"
#include "sys/signal.h"

/* A segment on its way through the steps. */
typedef struct tcp_seg {
	uint32_t seq, ack;
	uint32_t len;    /* bytes of data */
	uint32_t swnd;   /* window, scaled */
	uint32_t hdrlen; /* IP and TCP header */
	uint_t flags;    /* of the header, and TH_*_NEEDED */
	uint16_t urp;
	bool force_ack; /* the acknowledgement must go even if data carries it */
	bool empty;     /* it came with nothing that takes up sequence space */
	bool filled;    /* data came out of reassembly */
	int optbits;
	tcp_opt_t opt;
} tcp_seg_t;

/* ---- options ---- */

int tcp_parse_options(const tcph_t *tcph, tcp_opt_t *opt)
{
	const uint8_t *p = (const uint8_t *)(tcph + 1), *end = (const uint8_t *)tcph + TCP_HDR_LENGTH(tcph);
	int found = 0;

	opt->sack_cnt = 0;
	while (p < end && *p != TCPOPT_EOL) {
		if (*p == TCPOPT_NOP) {
			p++;
			continue;
		}
		if (end - p < TCPOPT_HEADER_LEN || p[1] < TCPOPT_HEADER_LEN || p[1] > end - p)
			break;
		switch (p[0]) {
		case TCPOPT_MAXSEG:
			if (p[1] == TCPOPT_MAXSEG_LEN) {
				opt->tcp_opt_mss = BE16_GET(p + 2);
				found |= TCP_OPT_MSS_PRESENT;
			}
			break;
		case TCPOPT_WSCALE:
			if (p[1] == TCPOPT_WS_LEN) {
				opt->tcp_opt_wscale = MIN((uint32_t)p[2], (uint32_t)TCP_MAX_WINSHIFT);
				found |= TCP_OPT_WSCALE_PRESENT;
			}
			break;
		case TCPOPT_SACK_PERMITTED:
			if (p[1] == TCPOPT_SACK_OK_LEN)
				found |= TCP_OPT_SACK_OK_PRESENT;
			break;
		case TCPOPT_SACK:
			for (const uint8_t *b = p + 2; b + TCPOPT_SACK_LEN <= p + p[1]; b += TCPOPT_SACK_LEN) {
				if (opt->sack_cnt == MAX_SACK_BLK)
					break;
				opt->sack[opt->sack_cnt].begin = BE32_GET(b);
				opt->sack[opt->sack_cnt++].end = BE32_GET(b + 4);
				found |= TCP_OPT_SACK_PRESENT;
			}
			break;
		case TCPOPT_TSTAMP:
			if (p[1] == TCPOPT_TSTAMP_LEN) {
				opt->tcp_opt_ts_val = BE32_GET(p + 2);
				opt->tcp_opt_ts_ecr = BE32_GET(p + 6);
				found |= TCP_OPT_TSTAMP_PRESENT;
			}
			break;
		default:
			break;
		}
		p += p[1];
	}
	return found;
}

/* From now on every segment carries a timestamp. */
void tcp_tstamp_header(tcp_t *tcp)
{
	uint8_t *p = tcp->tcp_iphc + tcp->tcp_ip_hdr_len + TCP_MIN_HEADER_LENGTH;

	p[0] = p[1] = TCPOPT_NOP;
	p[2] = TCPOPT_TSTAMP;
	p[3] = TCPOPT_TSTAMP_LEN;
	tcp->tcp_tcp_hdr_len = TCP_MIN_HEADER_LENGTH + TCPOPT_REAL_TS_LEN;
	tcp->tcp_hdr_len = (uint16_t)(tcp->tcp_ip_hdr_len + tcp->tcp_tcp_hdr_len);
}

/*
 * The options of the peer's SYN.  tcp_snd_ws_ok, tcp_snd_ts_ok and
 * tcp_snd_sack_ok say what we offer, or would: what remains set is agreed.
 */
void tcp_process_options(tcp_t *tcp, const tcph_t *tcph)
{
	tcp_opt_t opt;
	int found = tcp_parse_options(tcph, &opt);
	uint32_t mss = found & TCP_OPT_MSS_PRESENT ? opt.tcp_opt_mss : tcp_param.tcp_mss_def_ipv4;

	if (tcp->tcp_snd_ws_ok && (found & TCP_OPT_WSCALE_PRESENT)) {
		tcp->tcp_snd_ws = (uint8_t)opt.tcp_opt_wscale;
	} else {
		tcp->tcp_snd_ws = tcp->tcp_rcv_ws = 0;
		tcp->tcp_snd_ws_ok = 0;
	}
	if (tcp->tcp_snd_ts_ok && (found & TCP_OPT_TSTAMP_PRESENT)) {
		tcp->tcp_ts_recent = opt.tcp_opt_ts_val;
		tcp->tcp_last_rcv_lbolt = ddi_get_lbolt();
		tcp_tstamp_header(tcp);
	} else {
		tcp->tcp_snd_ts_ok = 0;
	}
	if (!(found & TCP_OPT_SACK_OK_PRESENT))
		tcp->tcp_snd_sack_ok = 0;
	mss = MIN(mss, tcp->tcp_if_mtu - IP_SIMPLE_HDR_LENGTH - TCP_MIN_HEADER_LENGTH);
	if (mss > tcp->tcp_ipsec_overhead)
		mss -= tcp->tcp_ipsec_overhead;
	if (tcp->tcp_snd_ts_ok && mss > TCPOPT_REAL_TS_LEN)
		mss -= TCPOPT_REAL_TS_LEN;
	tcp_mss_set(tcp, mss);
	tcp_rwnd_set(tcp, tcp->tcp_recv_hiwater);
}

/* Protection against wrapped sequence numbers (RFC 1323 4.2): is the segment new enough? */
static bool tcp_paws_check(tcp_t *tcp, tcp_seg_t *seg)
{
	clock_t_ now = ddi_get_lbolt();

	if (!(seg->optbits & TCP_OPT_TSTAMP_PRESENT))
		return true;
	if (SEQ_LT(seg->opt.tcp_opt_ts_val, tcp->tcp_ts_recent)) {
		if (seg->flags & TH_RST)
			return true;
		if (now - tcp->tcp_last_rcv_lbolt < PAWS_TIMEOUT_TICKS)
			return false;
	}
	/* It becomes the value to echo if the segment covers what the next acknowledgement answers. */
	if (SEQ_LEQ(seg->seq, tcp->tcp_rack) || now - tcp->tcp_last_rcv_lbolt >= PAWS_TIMEOUT_TICKS) {
		tcp->tcp_ts_recent = seg->opt.tcp_opt_ts_val;
		tcp->tcp_last_rcv_lbolt = now;
	}
	return true;
}

/* ---- windows ---- */

/* The receive buffer has become, or is to be, rwnd bytes. */
void tcp_rwnd_set(tcp_t *tcp, uint32_t rwnd)
{
	uint32_t mss = tcp->tcp_mss, max;

	rwnd = MAX(rwnd, tcp_param.tcp_recv_hiwat_minmss * mss);
	rwnd = (rwnd + mss - 1) / mss * mss;
	max = (uint32_t)TCP_MAXWIN << (tcp->tcp_state < TCPS_ESTABLISHED && !tcp->tcp_snd_ws_ok ? 0 : tcp->tcp_rcv_ws);
	if (tcp->tcp_state > TCPS_BOUND && rwnd > max)
		rwnd = tcp->tcp_plan_bits != 0 ? max : max / mss * mss;
	tcp->tcp_rwnd = rwnd;
	uint32_t abs_max = tcp->tcp_localnet ? tcp_param.tcp_local_dacks_max : tcp_param.tcp_deferred_acks_max;
	abs_max = MIN(abs_max, rwnd / mss / 2);
	tcp->tcp_rack_abs_max = (uint8_t)abs_max;
	if (tcp->tcp_state < TCPS_ESTABLISHED)
		tcp->tcp_rack_cur_max = 0;
	else if (tcp->tcp_rack_cur_max > abs_max)
		tcp->tcp_rack_cur_max = (uint8_t)abs_max;
	if (tcp->tcp_rq != NULL)
		tcp->tcp_rq->q_hiwat = rwnd;
}

/* These bytes have nowhere to go yet.  A recorded peer sends by the window it was given then, so it stays. */
ALWAYS_INLINE void tcp_rwnd_shrink(tcp_t *tcp, uint32_t len)
{
	if (tcp->tcp_plan_bits == 0)
		tcp->tcp_rwnd -= MIN(len, tcp->tcp_rwnd);
}

/* The reader has made room: open the window.  TH_ACK_NEEDED when the peer should hear of it. */
static uint_t tcp_rwnd_reopen(tcp_t *tcp, uint32_t hiwat)
{
	uint32_t grown = tcp->tcp_rwnd < hiwat ? hiwat - tcp->tcp_rwnd : 0;

	if (grown == 0)
		return 0;
	tcp->tcp_rwnd = hiwat;
	return tcp->tcp_state >= TCPS_ESTABLISHED && grown >= tcp->tcp_mss ? TH_ACK_NEEDED : 0;
}

/* ---- delivery ---- */

/* Behind what waits to be put upstream. */
void tcp_rcv_enqueue(tcp_t *tcp, mblk_t *mp, uint_t seg_len)
{
	mp->b_next = NULL;
	if (tcp->tcp_rcv_list == NULL) {
		tcp->tcp_rcv_list = mp;
	} else {
		tcp->tcp_rcv_last_head->b_next = mp;
	}
	tcp->tcp_rcv_last_head = mp;
	tcp->tcp_rcv_cnt += seg_len;
}

/* Put all that waits upstream.  TH_ACK_NEEDED when the window has opened by a segment or more. */
uint_t tcp_rcv_drain(queue_t *q, tcp_t *tcp)
{
	mblk_t *mp;
	uint_t ret = 0;

	tcp_timeout_cancel(&tcp->tcp_push_tid);
	while ((mp = tcp->tcp_rcv_list) != NULL) {
		tcp->tcp_rcv_list = mp->b_next;
		mp->b_next = NULL;
		tcp->tcp_rcv_cnt -= MIN((uint32_t)msgdsize(mp), tcp->tcp_rcv_cnt);
		putnext(q, mp);
	}
	tcp->tcp_rcv_last_head = NULL;
	tcp->tcp_rcv_cnt = 0;
	if (tcp->tcp_rq == q && canputnext(q)) {
		ret = tcp_rwnd_reopen(tcp, (uint32_t)q->q_hiwat);
		if (ret != 0)
			BUMP_MIB(&tcp_mib, tcpOutWinUpdate);
	}
	return ret;
}

/* The read service procedure's half on the squeue: upstream has room again. */
void tcp_rsrv_input(void *arg, mblk_t *mp, void *arg2)
{
	conn_t *connp = arg;
	tcp_t *tcp = connp->conn_tcp;
	queue_t *q = tcp->tcp_rq;

	(void)arg2;
	freeb(mp);
	tcp->tcp_rsrv_pending = 0;
	if (q == NULL || tcp->tcp_listener != NULL || !canputnext(q))
		return;
	if (tcp_rwnd_reopen(tcp, (uint32_t)q->q_hiwat) != 0) {
		BUMP_MIB(&tcp_mib, tcpOutWinUpdate);
		tcp_xmit_ctl(NULL, tcp, tcp->tcp_snxt, tcp->tcp_rnxt, TH_ACK);
	}
}

/* T_ORDREL_IND: the peer has nothing more to say, and everything it said is upstream. */
void tcp_ordrel_up(tcp_t *tcp)
{
	mblk_t *mp;

	if (!tcp->tcp_fin_rcvd || tcp->tcp_ordrel_done || tcp->tcp_rq == NULL || tcp->tcp_listener != NULL ||
	    tcp->tcp_hard_binding)
		return;
	if (tcp->tcp_rcv_list != NULL)
		(void)tcp_rcv_drain(tcp->tcp_rq, tcp);
	mp = allocb_tryhard(sizeof(struct T_ordrel_ind));
	if (mp == NULL) {
		if (tcp->tcp_push_tid == NULL)
			tcp->tcp_push_tid = tcp_timeout(tcp->tcp_connp, tcp_push_timer,
							MSEC_TO_TICK(tcp_param.tcp_push_timer_interval));
		return;
	}
	DB_TYPE(mp) = M_PROTO;
	((struct T_ordrel_ind *)(void *)mp->b_rptr)->PRIM_type = T_ORDREL_IND;
	mp->b_wptr += sizeof(struct T_ordrel_ind);
	tcp->tcp_ordrel_done = 1;
	putnext(tcp->tcp_rq, mp);
}

/* ---- urgent data ---- */

/* A segment says that urgent data ends before seq + urp; tell the user once. */
static void tcp_urgent_note(tcp_t *tcp, const tcp_seg_t *seg)
{
	uint32_t last = seg->seq + seg->urp - 1;
	mblk_t *mp;

	if (seg->urp == 0 || SEQ_LT(last, tcp->tcp_rnxt) ||
	    (tcp->tcp_urp_last_valid && SEQ_LEQ(last, tcp->tcp_urp_last)))
		return;
	tcp->tcp_urp_last = last;
	tcp->tcp_urp_last_valid = 1;
	if (tcp->tcp_rq == NULL || tcp->tcp_listener != NULL || tcp->tcp_hard_binding)
		return;
	mp = allocb(1, BPRI_HI);
	if (mp == NULL)
		return;
	DB_TYPE(mp) = M_PCSIG;
	*mp->b_wptr++ = SIGURG;
	putnext(tcp->tcp_rq, mp);
}

/* T_EXDATA_IND in front of the urgent byte. */
static mblk_t *tcp_exdata_ind(mblk_t *data)
{
	mblk_t *mp = allocb(sizeof(struct T_exdata_ind), BPRI_HI);

	if (mp == NULL) {
		data->b_flag |= MSGMARK;
		return data;
	}
	DB_TYPE(mp) = M_PROTO;
	((struct T_exdata_ind *)(void *)mp->b_rptr)->PRIM_type = T_EXDATA_IND;
	((struct T_exdata_ind *)(void *)mp->b_rptr)->MORE_flag = 0;
	mp->b_wptr += sizeof(struct T_exdata_ind);
	mp->b_flag |= MSGMARK;
	mp->b_cont = data;
	return mp;
}

/* Cut mp after n bytes; the rest, or NULL when there is no memory (mp is whole then) or no rest. */
static mblk_t *tcp_split(mblk_t *mp, uint32_t n)
{
	mblk_t *rest;

	if ((uint32_t)msgdsize(mp) <= n || (rest = dupmsg(mp)) == NULL)
		return NULL;
	(void)adjmsg(rest, (ssize_t)n);
	(void)adjmsg(mp, (ssize_t)n - (ssize_t)msgdsize(mp));
	return rest;
}

/*
 * Does the urgent byte lie in this in-order data, which begins at seq?  Then it
 * is queued in pieces: before it, the byte (as T_EXDATA_IND, or marked in line),
 * after it.
 */
static bool tcp_urgent_split(tcp_t *tcp, mblk_t *mp, uint32_t seq, uint32_t len)
{
	uint32_t off = tcp->tcp_urp_last - seq;
	mblk_t *urg = mp, *rest;

	if (!tcp->tcp_urp_last_valid || off >= len)
		return false;
	if (off > 0) {
		urg = tcp_split(mp, off);
		tcp_rcv_enqueue(tcp, mp, urg != NULL ? off : len);
		if (urg == NULL)
			return true;
	}
	tcp->tcp_urp_last_valid = 0;
	if (tcp->tcp_oobinline) {
		urg->b_flag |= MSGMARK;
		tcp_rcv_enqueue(tcp, urg, len - off);
		return true;
	}
	rest = tcp_split(urg, 1);
	tcp_rcv_enqueue(tcp, tcp_exdata_ind(urg), 1);
	if (rest != NULL)
		tcp_rcv_enqueue(tcp, rest, len - off - 1);
	return true;
}

/* ---- reassembly ---- */

/* Each message on the list has its place in b_prev. */
#define TCP_REASS_SEQ(mp) ((uint32_t)(uintptr_t)((mp)->b_prev) & 0xffffffffU)
#define TCP_REASS_END(mp) ((uint32_t)((uintptr_t)((mp)->b_prev) >> 32))
#define TCP_REASS_SET(mp, seq, end) ((mp)->b_prev = (mblk_t *)((uintptr_t)(end) << 32 | (uint32_t)(seq)))

/* Bytes of new data that are there already are taken off; NULL when nothing is left. */
static mblk_t *tcp_reass_elim_overlap(tcp_t *tcp, mblk_t *before, mblk_t *mp)
{
	uint32_t seq = TCP_REASS_SEQ(mp), end = TCP_REASS_END(mp), over;
	mblk_t **nextp;

	if (before != NULL && SEQ_GT(TCP_REASS_END(before), seq)) {
		over = TCP_REASS_END(before) - seq;
		if (over >= end - seq) {
			BUMP_MIB(&tcp_mib, tcpInDataDupSegs);
			UPDATE_MIB(&tcp_mib, tcpInDataDupBytes, end - seq);
			mp->b_prev = NULL;
			freemsg(mp);
			return NULL;
		}
		BUMP_MIB(&tcp_mib, tcpInDataPartDupSegs);
		UPDATE_MIB(&tcp_mib, tcpInDataPartDupBytes, over);
		(void)adjmsg(mp, (ssize_t)over);
		seq += over;
	}
	nextp = before != NULL ? &before->b_next : &tcp->tcp_reass_head;
	while (*nextp != NULL && SEQ_LT(TCP_REASS_SEQ(*nextp), end)) {
		mblk_t *next = *nextp;

		if (SEQ_GT(TCP_REASS_END(next), end)) {
			over = end - TCP_REASS_SEQ(next);
			BUMP_MIB(&tcp_mib, tcpInDataPartDupSegs);
			UPDATE_MIB(&tcp_mib, tcpInDataPartDupBytes, over);
			(void)adjmsg(mp, -(ssize_t)over);
			end -= over;
			break;
		}
		/* It lies wholly within the new data. */
		BUMP_MIB(&tcp_mib, tcpInDataPartDupSegs);
		UPDATE_MIB(&tcp_mib, tcpInDataPartDupBytes, TCP_REASS_END(next) - TCP_REASS_SEQ(next));
		*nextp = next->b_next;
		if (tcp->tcp_reass_tail == next)
			tcp->tcp_reass_tail = before;
		next->b_next = next->b_prev = NULL;
		freemsg(next);
	}
	if (seq == end) {
		mp->b_prev = NULL;
		freemsg(mp);
		return NULL;
	}
	TCP_REASS_SET(mp, seq, end);
	return mp;
}

/* Take what has become in order off the list: one message, *lenp bytes; NULL when nothing has. */
static mblk_t *tcp_reass_take(tcp_t *tcp, uint32_t *lenp)
{
	mblk_t *first = NULL, *mp, **tailp = &first;
	uint32_t next = tcp->tcp_rnxt;

	while ((mp = tcp->tcp_reass_head) != NULL && TCP_REASS_SEQ(mp) == next) {
		next = TCP_REASS_END(mp);
		tcp->tcp_reass_head = mp->b_next;
		mp->b_next = mp->b_prev = NULL;
		*tailp = mp;
		while (mp->b_cont != NULL)
			mp = mp->b_cont;
		tailp = &mp->b_cont;
	}
	if (tcp->tcp_reass_head == NULL)
		tcp->tcp_reass_tail = NULL;
	*lenp = next - tcp->tcp_rnxt;
	return first;
}

/* Put data that begins at `start' into its place.  What is in order then: *lenp bytes, or NULL. */
static mblk_t *tcp_reass(tcp_t *tcp, mblk_t *mp, uint32_t start, uint32_t *lenp)
{
	uint32_t end = start + *lenp;
	mblk_t *before = tcp->tcp_reass_tail;

	BUMP_MIB(&tcp_mib, tcpInDataUnorderSegs);
	UPDATE_MIB(&tcp_mib, tcpInDataUnorderBytes, *lenp);
	TCP_REASS_SET(mp, start, end);
	if (before != NULL && SEQ_GT(TCP_REASS_SEQ(before), start)) {
		before = NULL;
		for (mblk_t *p = tcp->tcp_reass_head; p != NULL && SEQ_LEQ(TCP_REASS_SEQ(p), start); p = p->b_next)
			before = p;
	}
	mp = tcp_reass_elim_overlap(tcp, before, mp);
	if (mp != NULL) {
		mblk_t **pp = before != NULL ? &before->b_next : &tcp->tcp_reass_head;
		mp->b_next = *pp;
		*pp = mp;
		if (mp->b_next == NULL)
			tcp->tcp_reass_tail = mp;
	}
	return tcp_reass_take(tcp, lenp);
}

/* ---- the steps ---- */

/* Drop the first n bytes; blocks that become empty go, but for the last. */
static mblk_t *tcp_strip(mblk_t *mp, uint32_t n)
{
	while (mp != NULL && (uint32_t)MBLKL(mp) <= n) {
		mblk_t *next = mp->b_cont;
		n -= (uint32_t)MBLKL(mp);
		freeb(mp);
		mp = next;
	}
	if (mp != NULL)
		mp->b_rptr += n;
	return mp;
}

/* SYN_SENT (RFC 793 p. 66).  False: the segment is used up. */
static bool tcp_rput_syn_sent(tcp_t *tcp, mblk_t *mp, tcp_seg_t *seg, const tcph_t *tcph)
{
	mblk_t *mp1;

	if ((seg->flags & TH_ACK) && (SEQ_LEQ(seg->ack, tcp->tcp_iss) || SEQ_GT(seg->ack, tcp->tcp_snxt))) {
		if (!(seg->flags & TH_RST))
			tcp_xmit_ctl("TCPS_SYN_SENT-Bad_seq", tcp, seg->ack, 0, TH_RST);
		freemsg(mp);
		return false;
	}
	if (seg->flags & TH_RST) {
		if (seg->flags & TH_ACK)
			TCP_PROBE(connect__refused, mp, tcp->tcp_connp, (ipha_t *)(void *)mp->b_rptr, tcp, tcph);
		freemsg(mp);
		if (seg->flags & TH_ACK)
			(void)tcp_clean_death(tcp, ECONNREFUSED);
		return false;
	}
	if (!(seg->flags & TH_SYN)) {
		freemsg(mp);
		return false;
	}
	tcp_process_options(tcp, tcph);
	tcp->tcp_irs = seg->seq;
	tcp->tcp_rnxt = tcp->tcp_rack = seg->seq + 1;
	tcp->tcp_swnd = seg->swnd;
	tcp->tcp_max_swnd = seg->swnd;
	tcp->tcp_swl1 = seg->seq;
	if (!(seg->flags & TH_ACK)) {
		/* Simultaneous open. */
		freemsg(mp);
		TCP_SET_STATE(tcp, TCPS_SYN_RCVD);
		tcp_timer_restart(tcp, (uint32_t)tcp->tcp_rto);
		mp1 = tcp_xmit_mp(tcp, NULL, 0, tcp->tcp_iss, B_FALSE, NULL);
		if (mp1 != NULL)
			tcp_send_data(tcp, TCP_WQ(tcp), mp1);
		return false;
	}
	tcp->tcp_suna = seg->ack;
	tcp->tcp_swl2 = seg->ack;
	tcp->tcp_valid_bits &= (uint8_t)~TCP_ISS_VALID;
	tcp->tcp_rexmit = 0;
	tcp->tcp_timer_backoff = tcp->tcp_ms_we_have_waited = 0;
	tcp_timeout_cancel(&tcp->tcp_timer_tid);
	TCP_SET_STATE(tcp, TCPS_ESTABLISHED);
	TCP_PROBE(connect__established, mp, tcp->tcp_connp, (ipha_t *)(void *)mp->b_rptr, tcp, tcph);
	seg->seq++;
	seg->flags = (seg->flags & ~(uint_t)TH_SYN) | TH_ACK_NEEDED;
	seg->force_ack = true;
	if (tcp->tcp_unsent > 0)
		seg->flags |= TH_XMIT_NEEDED;
	tcp_conn_con(tcp);
	tcp_ka_start(tcp);
	return true;
}

/* Trim to [rnxt, rnxt + rwnd).  Says how many bytes of data remain by seg->len; false: only an ACK is due. */
ALWAYS_INLINE bool tcp_rput_trim(tcp_t *tcp, mblk_t **mpp, tcp_seg_t *seg)
{
	int32_t gap;
	int64_t rgap; /* a gap may be 2^31 wide */

	if ((seg->flags & TH_SYN) && SEQ_LT(seg->seq, tcp->tcp_rnxt)) {
		seg->seq++;
		seg->flags &= ~(uint_t)TH_SYN;
		if (seg->urp > 1)
			seg->urp--;
		seg->flags |= TH_ACK_NEEDED;
		seg->force_ack = true;
	}
	gap = (int32_t)(seg->seq - tcp->tcp_rnxt);
	if (gap < 0) {
		uint32_t old = (uint32_t)-gap;

		seg->flags |= TH_ACK_NEEDED;
		seg->force_ack = true;
		if (old > seg->len || (old == seg->len && !(seg->flags & TH_FIN))) {
			if (seg->len > 0) {
				BUMP_MIB(&tcp_mib, tcpInDataDupSegs);
				UPDATE_MIB(&tcp_mib, tcpInDataDupBytes, seg->len);
			}
			/* An ACK of ours was lost, or was late: acknowledge sooner. */
			tcp->tcp_rack_cur_max = MIN(tcp->tcp_rack_cur_max, 1);
			if (tcp->tcp_rack_abs_max > 2 &&
			    SEQ_GEQ(seg->seq, tcp->tcp_rack - tcp->tcp_rack_abs_max * tcp->tcp_mss))
				tcp->tcp_rack_abs_max--;
			if (seg->flags & TH_RST) {
				seg->flags = 0;
				return false;
			}
			seg->len = 0;
			seg->seq = tcp->tcp_rnxt;
			seg->flags &= ~(uint_t)(TH_FIN | TH_PUSH | TH_URG);
			return true;
		}
		if (seg->len > 0) {
			BUMP_MIB(&tcp_mib, tcpInDataPartDupSegs);
			UPDATE_MIB(&tcp_mib, tcpInDataPartDupBytes, old);
		}
		*mpp = tcp_strip(*mpp, old);
		seg->seq = tcp->tcp_rnxt;
		seg->len -= old;
		seg->urp = seg->urp > old ? (uint16_t)(seg->urp - old) : 0;
		gap = 0;
	}
	rgap = (int64_t)tcp->tcp_rwnd - gap - seg->len;
	if (rgap < 0) {
		uint32_t excess = (uint32_t)MIN(-rgap, (int64_t)seg->len);

		seg->flags |= TH_ACK_NEEDED;
		seg->force_ack = true;
		if (seg->len > 0 && tcp->tcp_rwnd == 0 && gap == 0) {
			BUMP_MIB(&tcp_mib, tcpInWinProbe);
		} else if (seg->len > 0) {
			BUMP_MIB(&tcp_mib, tcpInDataPastWinSegs);
			UPDATE_MIB(&tcp_mib, tcpInDataPastWinBytes, excess);
		}
		if (gap > (int32_t)tcp->tcp_rwnd || (seg->len == 0 && gap > 0)) {
			if (seg->flags & TH_RST)
				seg->flags = 0;
			return false;
		}
		if (excess > 0) {
			seg->flags &= ~(uint_t)(TH_FIN | TH_PUSH);
			seg->len -= excess;
			if (seg->len > 0)
				(void)adjmsg(*mpp, -(ssize_t)excess);
		}
	}
	return true;
}

/* Out of order, or more is waiting: through reassembly.  The data to deliver, or NULL. */
static mblk_t *tcp_rput_reass(tcp_t *tcp, mblk_t *mp, tcp_seg_t *seg)
{
	uint32_t start = seg->seq, len = seg->len, end = start + len;
	bool inorder = start == tcp->tcp_rnxt;

	if (seg->flags & TH_FIN) {
		tcp->tcp_ofo_fin_seq = end;
		tcp->tcp_valid_bits |= TCP_OFO_FIN_VALID;
		seg->flags &= ~(uint_t)TH_FIN;
	}
	if (len > 0)
		mp = tcp_reass(tcp, mp, start, &len);
	if (tcp->tcp_snd_sack_ok && tcp_sack_alloc(tcp)) {
		if (!inorder && seg->len > 0)
			tcp_sack_insert(tcp, start, end);
		tcp_sack_remove(tcp, tcp->tcp_rnxt + (mp != NULL ? len : 0));
	}
	seg->flags |= TH_ACK_NEEDED;
	seg->force_ack = true;
	seg->filled = true;
	seg->seq = tcp->tcp_rnxt;
	seg->len = mp != NULL ? len : 0;
	if (mp != NULL)
		seg->flags |= TH_PUSH;
	if ((tcp->tcp_valid_bits & TCP_OFO_FIN_VALID) && tcp->tcp_ofo_fin_seq == tcp->tcp_rnxt + seg->len) {
		tcp->tcp_valid_bits &= (uint8_t)~TCP_OFO_FIN_VALID;
		seg->flags |= TH_FIN;
	}
	return mp;
}

/* The handshake is over (passive, or simultaneous open); ipha is a copy of the segment's headers. */
static void tcp_rput_established(tcp_t *tcp, ipha_t *ipha, tcp_seg_t *seg, void *sqp)
{
	mblk_t *ind = tcp->tcp_conn.tcp_eager_conn_ind;
	tcph_t *tcph = (tcph_t *)(void *)((uchar_t *)ipha + IPH_HDR_LENGTH(ipha));

	tcp->tcp_valid_bits &= (uint8_t)~TCP_ISS_VALID;
	tcp->tcp_suna = tcp->tcp_iss + 1;
	tcp->tcp_swnd = seg->swnd;
	tcp->tcp_max_swnd = MAX(tcp->tcp_max_swnd, seg->swnd);
	tcp->tcp_swl1 = seg->seq;
	tcp->tcp_swl2 = seg->ack;
	tcp->tcp_rexmit = 0;
	tcp->tcp_timer_backoff = tcp->tcp_ms_we_have_waited = 0;
	tcp_timeout_cancel(&tcp->tcp_timer_tid);
	TCP_SET_STATE(tcp, TCPS_ESTABLISHED);
	if (tcp->tcp_listener == NULL)
		TCP_PROBE(connect__established, NULL, tcp->tcp_connp, ipha, tcp, tcph);
	else
		TCP_PROBE(accept__established, NULL, tcp->tcp_connp, ipha, tcp, tcph);
	if (tcp->tcp_snd_ts_ok && (seg->optbits & TCP_OPT_TSTAMP_PRESENT) && seg->opt.tcp_opt_ts_ecr != 0 &&
	    SEQ_GEQ(TCP_TSVAL(tcp), seg->opt.tcp_opt_ts_ecr) && !TCP_FREE(tcp))
		tcp_set_rto(tcp, (int32_t)TICK_TO_MSEC((clock_t_)(TCP_TSVAL(tcp) - seg->opt.tcp_opt_ts_ecr)));
	if (tcp->tcp_listener == NULL) {
		tcp_conn_con(tcp);
		tcp_ka_start(tcp);
	} else if (ind != NULL) {
		conn_t *lconnp = tcp->tcp_listener->tcp_connp;
		tcp->tcp_conn.tcp_eager_conn_ind = NULL;
		tcp_send_conn_ind(lconnp, ind, sqp);
	}
}

/* The acknowledged bytes leave the transmit list. */
void tcp_acked(tcp_t *tcp, uint32_t bytes)
{
	mblk_t *mp;

	while (bytes > 0 && (mp = tcp->tcp_xmit_head) != NULL) {
		uint32_t n = MIN(bytes, (uint32_t)MBLKL(mp));

		mp->b_rptr += n;
		bytes -= n;
		if (MBLKL(mp) > 0)
			return;
		tcp->tcp_xmit_head = mp->b_cont;
		if (tcp->tcp_xmit_tail == mp)
			tcp->tcp_xmit_tail = mp->b_cont;
		if (tcp->tcp_xmit_head == NULL)
			tcp->tcp_xmit_last = tcp->tcp_xmit_tail = NULL;
		mp->b_cont = mp->b_next = mp->b_prev = NULL;
		freeb(mp);
	}
}

/* Has the peer said by SACK what it lacks? */
ALWAYS_INLINE bool tcp_holes_known(const tcp_t *tcp)
{
	return tcp->tcp_snd_sack_ok && tcp->tcp_sack_info != NULL && tcp->tcp_notsack_list != NULL;
}

/* An ACK that acknowledges nothing new. */
ALWAYS_INLINE void tcp_rput_dupack(tcp_t *tcp, tcp_seg_t *seg)
{
	uint32_t flight = tcp->tcp_snxt - tcp->tcp_suna, npkt;

	if (seg->ack != tcp->tcp_suna || seg->len != 0 || seg->filled || seg->swnd != tcp->tcp_swnd ||
	    (seg->flags & (TH_FIN | TH_ACK_NEEDED)))
		return;
	BUMP_MIB(&tcp_mib, tcpInDupAck);
	if (flight == 0 || tcp->tcp_zero_win_probe || tcp->tcp_rexmit)
		return;
	tcp->tcp_dupack_cnt++;
	if (tcp->tcp_dupack_cnt < tcp_param.tcp_dupack_fast_retransmit) {
		if (tcp->tcp_unsent > 0 && !tcp->tcp_recovering)
			seg->flags |= TH_LIMIT_XMIT;
		return;
	}
	if (tcp->tcp_dupack_cnt > tcp_param.tcp_dupack_fast_retransmit || tcp->tcp_recovering) {
		tcp->tcp_cwnd = MIN(tcp->tcp_cwnd + tcp->tcp_mss, tcp->tcp_cwnd_max);
		seg->flags |= tcp_holes_known(tcp) ? TH_NEED_SACK_REXMIT : TH_XMIT_NEEDED;
		return;
	}
	npkt = (flight >> 1) / tcp->tcp_mss;
	tcp->tcp_cwnd_ssthresh = MAX(npkt, 2U) * tcp->tcp_mss;
	tcp->tcp_cwnd = (npkt + tcp->tcp_dupack_cnt) * tcp->tcp_mss;
	tcp->tcp_cwnd_cnt = 0;
	tcp->tcp_recovering = 1;
	tcp->tcp_rexmit_max = tcp->tcp_snxt;
	if (tcp_holes_known(tcp)) {
		tcp->tcp_sack_snxt = tcp->tcp_suna;
		seg->flags |= TH_NEED_SACK_REXMIT;
	} else {
		seg->flags |= TH_REXMIT_NEEDED;
	}
}

/* Grow cwnd for an ACK of new data (RFC 2581). */
static void tcp_cwnd_grow(tcp_t *tcp)
{
	uint32_t add = tcp->tcp_mss;

	if (tcp->tcp_cwnd >= tcp->tcp_cwnd_ssthresh) {
		tcp->tcp_cwnd_cnt += add;
		if (tcp->tcp_cwnd_cnt <= tcp->tcp_cwnd)
			return;
		tcp->tcp_cwnd_cnt -= tcp->tcp_cwnd;
	}
	tcp->tcp_cwnd = MIN(tcp->tcp_cwnd + add, tcp->tcp_cwnd_max);
}

/* The time the acknowledged data was under way, from the timestamp or the block's send time; -1 unknown. */
static int32_t tcp_rtt_sample(const tcp_t *tcp, const tcp_seg_t *seg)
{
	const mblk_t *mp = tcp->tcp_xmit_head;
	uintptr_t sent;

	if (tcp->tcp_snd_ts_ok && (seg->optbits & TCP_OPT_TSTAMP_PRESENT)) {
		if (seg->opt.tcp_opt_ts_ecr == 0 || SEQ_LT(TCP_TSVAL(tcp), seg->opt.tcp_opt_ts_ecr))
			return -1;
		return (int32_t)TICK_TO_MSEC((clock_t_)(TCP_TSVAL(tcp) - seg->opt.tcp_opt_ts_ecr));
	}
	if (mp == NULL)
		return -1;
	sent = (uintptr_t)mp->b_next;
	if ((sent >> 32) != 0 || SEQ_LEQ(seg->ack, (uint32_t)sent))
		return -1;
	return (int32_t)TICK_TO_MSEC(ddi_get_lbolt() - (clock_t_)(intptr_t)mp->b_prev);
}

/* An ACK of new data; bytes_acked > 0. */
ALWAYS_INLINE void tcp_rput_newack(tcp_t *tcp, tcp_seg_t *seg, uint32_t bytes_acked)
{
	int32_t rtt;

	BUMP_MIB(&tcp_mib, tcpInAckSegs);
	UPDATE_MIB(&tcp_mib, tcpInAckBytes, bytes_acked);
	if (tcp->tcp_recovering) {
		if (SEQ_GEQ(seg->ack, tcp->tcp_rexmit_max)) {
			tcp->tcp_recovering = 0;
			tcp->tcp_cwnd = MIN(tcp->tcp_cwnd, tcp->tcp_cwnd_ssthresh);
			tcp->tcp_cwnd_cnt = 0;
		} else if (tcp_holes_known(tcp)) {
			seg->flags |= TH_NEED_SACK_REXMIT;
		} else {
			/* Partial: the next segment is missing too (NewReno). */
			tcp->tcp_cwnd = tcp->tcp_cwnd_ssthresh + tcp_param.tcp_dupack_fast_retransmit * tcp->tcp_mss;
			seg->flags |= TH_REXMIT_NEEDED;
		}
	} else {
		tcp_cwnd_grow(tcp);
	}
	tcp->tcp_dupack_cnt = 0;
	if (tcp->tcp_rexmit && SEQ_GEQ(seg->ack, tcp->tcp_rexmit_max)) {
		tcp->tcp_rexmit = 0;
		tcp->tcp_snd_burst = TCP_CWND_NORMAL;
	}
	rtt = tcp_rtt_sample(tcp, seg);
	if (rtt >= 0)
		tcp_set_rto(tcp, rtt);
	else
		BUMP_MIB(&tcp_mib, tcpRttNoUpdate);
	tcp->tcp_ms_we_have_waited = 0;
	tcp->tcp_client_errno = 0;
	if (!tcp->tcp_rexmit)
		tcp->tcp_timer_backoff = 0;
	tcp->tcp_zero_win_probe = 0;
	if (tcp->tcp_fin_sent && !tcp->tcp_fin_acked && seg->ack == tcp->tcp_fss + 1) {
		tcp->tcp_fin_acked = 1;
		tcp->tcp_valid_bits &= (uint8_t)~TCP_FSS_VALID;
		bytes_acked--;
	}
	if ((tcp->tcp_valid_bits & TCP_URG_VALID) && SEQ_GEQ(seg->ack, tcp->tcp_urg))
		tcp->tcp_valid_bits &= (uint8_t)~TCP_URG_VALID;
	tcp_acked(tcp, bytes_acked);
	tcp->tcp_suna = seg->ack;
	if (tcp->tcp_snd_sack_ok && tcp->tcp_sack_info != NULL)
		tcp_notsack_update(tcp, seg->ack, &seg->opt);
	if (tcp->tcp_suna == tcp->tcp_snxt)
		tcp_timeout_cancel(&tcp->tcp_timer_tid);
	else
		tcp_timer_restart(tcp, (uint32_t)tcp->tcp_rto);
	if (tcp->tcp_unsent > 0 || tcp->tcp_rexmit)
		seg->flags |= TH_XMIT_NEEDED;
	if (tcp->tcp_closewait != NULL && tcp->tcp_suna == tcp->tcp_snxt && tcp->tcp_unsent == 0)
		cv_signal(tcp->tcp_closewait);
}

/* The ACK field and the window.  False: an acknowledgement of what we have not sent. */
ALWAYS_INLINE bool tcp_rput_ack(tcp_t *tcp, tcp_seg_t *seg)
{
	int32_t bytes_acked;

	/* a recorded peer acknowledges what the recorded host sent, though the capture may have it later, or not */
	if ((tcp->tcp_plan_bits & TCP_PLAN_FREE) && SEQ_GT(seg->ack, tcp->tcp_snxt))
		seg->ack = tcp->tcp_snxt;
	bytes_acked = (int32_t)(seg->ack - tcp->tcp_suna);
	if (SEQ_GT(seg->ack, tcp->tcp_snxt)) {
		BUMP_MIB(&tcp_mib, tcpInAckUnsent);
		seg->flags |= TH_ACK_NEEDED;
		seg->force_ack = true;
		return false;
	}
	if ((seg->optbits & TCP_OPT_SACK_PRESENT) && tcp->tcp_snd_sack_ok && bytes_acked <= 0 && bytes_acked == 0)
		tcp_notsack_update(tcp, seg->ack, &seg->opt);
	if (bytes_acked > 0)
		tcp_rput_newack(tcp, seg, (uint32_t)bytes_acked);
	else
		tcp_rput_dupack(tcp, seg);
	if (SEQ_LT(tcp->tcp_swl1, seg->seq) ||
	    (tcp->tcp_swl1 == seg->seq &&
	     (SEQ_LT(tcp->tcp_swl2, seg->ack) || (tcp->tcp_swl2 == seg->ack && seg->swnd > tcp->tcp_swnd)))) {
		if (seg->swnd != tcp->tcp_swnd) {
			if (bytes_acked <= 0 && seg->len == 0)
				BUMP_MIB(&tcp_mib, tcpInWinUpdate);
			if (seg->swnd > tcp->tcp_swnd)
				seg->flags |= TH_XMIT_NEEDED;
		}
		if (tcp->tcp_swnd == 0 && seg->swnd > 0) {
			tcp->tcp_zero_win_probe = 0;
			tcp->tcp_timer_backoff = 0;
		}
		tcp->tcp_swnd = seg->swnd;
		tcp->tcp_max_swnd = MAX(tcp->tcp_max_swnd, seg->swnd);
		tcp->tcp_swl1 = seg->seq;
		tcp->tcp_swl2 = seg->ack;
	} else if (tcp->tcp_zero_win_probe) {
		tcp->tcp_ms_we_have_waited = 0; /* the peer is alive, its reader sleeps */
	}
	if (tcp->tcp_zero_win_probe)
		tcp->tcp_ms_we_have_waited = 0;
	return true;
}

/* Our FIN has been acknowledged.  False: the connection is gone. */
static bool tcp_rput_fin_acked(tcp_t *tcp)
{
	switch (tcp->tcp_state) {
	case TCPS_FIN_WAIT_1:
		TCP_SET_STATE(tcp, TCPS_FIN_WAIT_2);
		if (TCP_IS_DETACHED(tcp))
			tcp_timer_restart(tcp, tcp_param.tcp_fin_wait_2_flush_interval);
		break;
	case TCPS_CLOSING:
		tcp_time_wait_enter(tcp);
		break;
	case TCPS_LAST_ACK:
		(void)tcp_clean_death(tcp, 0);
		return false;
	default:
		break;
	}
	return true;
}

/* The peer's FIN, in order: rnxt has passed it. */
static void tcp_rput_fin(tcp_t *tcp, tcp_seg_t *seg)
{
	seg->flags |= TH_ACK_NEEDED | TH_ORDREL_NEEDED;
	seg->force_ack = true;
	tcp->tcp_fin_rcvd = 1;
	switch (tcp->tcp_state) {
	case TCPS_SYN_RCVD:
	case TCPS_ESTABLISHED:
		TCP_SET_STATE(tcp, TCPS_CLOSE_WAIT);
		break;
	case TCPS_FIN_WAIT_1:
		TCP_SET_STATE(tcp, TCPS_CLOSING);
		break;
	case TCPS_FIN_WAIT_2:
		tcp_time_wait_enter(tcp);
		break;
	default:
		break;
	}
}

/* The acknowledgement policy (12.7) for `len' new bytes; `before' were unacknowledged before them. */
static void tcp_rput_ackpolicy(tcp_t *tcp, tcp_seg_t *seg, uint32_t before, uint32_t len)
{
	tcp->tcp_rack_cnt++;
	if (tcp->tcp_rack_cnt >= tcp->tcp_rack_cur_max) {
		seg->flags |= TH_ACK_NEEDED;
		if (tcp->tcp_rack_cur_max < tcp->tcp_rack_abs_max)
			tcp->tcp_rack_cur_max++;
	} else if (TCP_IS_DETACHED(tcp)) {
		seg->flags |= TH_ACK_NEEDED;
	} else if (len < tcp->tcp_mss && before % tcp->tcp_mss != 0) {
		seg->flags |= TH_ACK_NEEDED;
	} else {
		seg->flags |= TH_ACK_TIMER_NEEDED;
	}
}

/* RST in the window (RFC 793 p. 70). */
static void tcp_rput_rst(tcp_t *tcp)
{
	switch (tcp->tcp_state) {
	case TCPS_SYN_RCVD:
		(void)tcp_clean_death(tcp, ECONNREFUSED);
		break;
	case TCPS_ESTABLISHED:
	case TCPS_FIN_WAIT_1:
	case TCPS_FIN_WAIT_2:
	case TCPS_CLOSE_WAIT:
		(void)tcp_clean_death(tcp, ECONNRESET);
		break;
	default:
		(void)tcp_clean_death(tcp, 0);
		break;
	}
}

/* Up to two segments beyond cwnd (RFC 3042). */
static void tcp_limited_xmit(tcp_t *tcp)
{
	uint32_t cwnd = tcp->tcp_cwnd;

	tcp->tcp_cwnd = tcp->tcp_snxt - tcp->tcp_suna + tcp->tcp_mss;
	tcp_wput_data(tcp, NULL, B_FALSE);
	tcp->tcp_cwnd = cwnd;
}

static void tcp_time_wait_processing(tcp_t *tcp, mblk_t *mp, const tcp_seg_t *seg, void *sqp);

/* Read the header. False: it makes no sense. */
static bool tcp_seg_read(const tcp_t *tcp, mblk_t *mp, tcp_seg_t *seg)
{
	const ipha_t *ipha = (const ipha_t *)(const void *)mp->b_rptr;
	uint32_t iphlen = (uint32_t)IPH_HDR_LENGTH(ipha), total = ntohs(ipha->ipha_length);
	const tcph_t *tcph = (const tcph_t *)(const void *)(mp->b_rptr + iphlen);

	seg->hdrlen = iphlen + (uint32_t)TCP_HDR_LENGTH(tcph);
	if (seg->hdrlen > total || MBLKL(mp) < (ptrdiff_t)seg->hdrlen)
		return false;
	seg->seq = BE32_GET(tcph->th_seq);
	seg->ack = BE32_GET(tcph->th_ack);
	seg->len = total - seg->hdrlen;
	seg->flags = tcph->th_flags[0];
	seg->swnd = BE16_GET(tcph->th_win) << (seg->flags & TH_SYN ? 0 : tcp->tcp_snd_ws);
	seg->urp = (uint16_t)BE16_GET(tcph->th_urp);
	seg->force_ack = seg->filled = false;
	seg->empty = seg->len == 0 && !(seg->flags & (TH_SYN | TH_FIN));
	seg->optbits = 0;
	seg->opt.sack_cnt = 0;
	return true;
}

/*
 * Two ends whose sequence numbers do not fit together answer each other's
 * empty acknowledgements for ever, and on one machine in no time.  So few such
 * answers are given in one tick (RFC 5961, 10 limits them too).
 */
#define EMPTY_ANSWERS 10

static bool tcp_ack_storm(tcp_t *tcp, const tcp_seg_t *seg)
{
	clock_t_ now = ddi_get_lbolt();

	if (!seg->empty || tcp->tcp_tw_cut)
		return false;
	if (tcp->tcp_empty_time != now)
		tcp->tcp_empty_acks = 0;
	tcp->tcp_empty_time = now;
	return ++tcp->tcp_empty_acks > EMPTY_ANSWERS;
}

void tcp_rput_data(void *arg, mblk_t *mp, void *arg2)
{
	conn_t *connp = arg;
	tcp_t *tcp = connp->conn_tcp;
	const tcph_t *tcph;
	tcp_seg_t seg;
	uint32_t before, sent;
	uint32_t hdr[(IP_MAX_HDR_LENGTH + TCP_MAX_HDR_LENGTH) / 4]; /* of what ends a handshake, for its probe */
	mblk_t *mp1;
	queue_t *q;

	if (DB_TYPE(mp) != M_DATA) {
		tcp_rput_common(tcp, mp);
		return;
	}
	if (!tcp_seg_read(tcp, mp, &seg)) {
		freemsg(mp);
		return;
	}
	tcph = (const tcph_t *)(const void *)(mp->b_rptr + IPH_HDR_LENGTH(mp->b_rptr));
	tcp->tcp_ibsegs++;
	if (tcp->tcp_state != TCPS_TIME_WAIT) /* there it may be for another connection */
		TCP_PROBE(receive, mp, connp, (ipha_t *)(void *)mp->b_rptr, tcp, tcph);
	switch (tcp->tcp_state) {
	case TCPS_TIME_WAIT:
		tcp_time_wait_processing(tcp, mp, &seg, arg2);
		return;
	case TCPS_CLOSED:
	case TCPS_IDLE:
	case TCPS_BOUND:
	case TCPS_LISTEN:
		freemsg(mp);
		return;
	case TCPS_SYN_SENT:
		tcp->tcp_last_recv_time = ddi_get_lbolt();
		if (!tcp_rput_syn_sent(tcp, mp, &seg, tcph))
			return;
		goto acceptable;
	case TCPS_SYN_RCVD:
		if (((seg.flags & (TH_SYN | TH_ACK)) == (TH_SYN | TH_ACK) && !tcp->tcp_active_open) ||
		    ((seg.flags & TH_ACK) && (SEQ_LEQ(seg.ack, tcp->tcp_suna) || SEQ_GT(seg.ack, tcp->tcp_snxt)))) {
			if (!(seg.flags & TH_RST))
				tcp_xmit_ctl("TCPS_SYN_RCVD-bad_ack", tcp, seg.ack, 0, TH_RST);
			freemsg(mp);
			return;
		}
		if ((seg.flags & TH_SYN) && !(seg.flags & TH_ACK) && seg.seq == tcp->tcp_irs) {
			/* Our SYN and ACK was lost. */
			freemsg(mp);
			mp1 = tcp_xmit_mp(tcp, NULL, 0, tcp->tcp_iss, B_TRUE, NULL);
			if (mp1 != NULL) {
				BUMP_MIB(&tcp_mib, tcpRetransSegs);
				tcp_send_data(tcp, TCP_WQ(tcp), mp1);
			}
			return;
		}
		break;
	default:
		break;
	}
	tcp->tcp_last_recv_time = ddi_get_lbolt();
	if (TCP_IS_DETACHED(tcp) && tcp->tcp_listener == NULL && seg.len > 0 && !(seg.flags & TH_RST) &&
	    SEQ_GT(seg.seq + seg.len, tcp->tcp_rnxt)) {
		BUMP_MIB(&tcp_mib, tcpInClosed);
		freemsg(mp);
		tcp_xmit_ctl("new data when detached", tcp, tcp->tcp_snxt, 0, TH_RST);
		(void)tcp_clean_death(tcp, EPROTO);
		return;
	}
	if (TCP_HDR_LENGTH(tcph) > TCP_MIN_HEADER_LENGTH)
		seg.optbits = tcp_parse_options(tcph, &seg.opt);
	if (tcp->tcp_snd_ts_ok && !tcp_paws_check(tcp, &seg)) {
		freemsg(mp);
		mp = NULL;
		seg.flags = TH_ACK_NEEDED;
		seg.force_ack = true;
		goto ack_check;
	}
acceptable:
	if (tcp->tcp_state == TCPS_SYN_RCVD)
		memcpy(hdr, mp->b_rptr, seg.hdrlen);
	mp = tcp_strip(mp, seg.hdrlen);
	if (!tcp_rput_trim(tcp, &mp, &seg)) {
		freemsg(mp);
		mp = NULL;
		seg.flags &= TH_ACK_NEEDED;
		goto ack_check;
	}
	if (seg.len == 0) {
		freemsg(mp);
		mp = NULL;
	}
	if (seg.flags & TH_RST) {
		freemsg(mp);
		tcp_rput_rst(tcp);
		return;
	}
	if (seg.flags & TH_SYN) {
		freemsg(mp);
		tcp_xmit_ctl("TH_SYN", tcp, seg.ack, 0, TH_RST);
		(void)tcp_clean_death(tcp, ECONNRESET);
		return;
	}
	if (!(seg.flags & TH_ACK)) {
		freemsg(mp);
		return;
	}
	if (tcp->tcp_state == TCPS_SYN_RCVD)
		tcp_rput_established(tcp, (ipha_t *)(void *)hdr, &seg, arg2);
	if (!tcp_rput_ack(tcp, &seg)) {
		freemsg(mp);
		mp = NULL;
		seg.flags &= TH_ACK_NEEDED;
		goto ack_check;
	}
	if (tcp->tcp_fin_acked && !tcp_rput_fin_acked(tcp)) {
		freemsg(mp);
		return;
	}
	if (tcp->tcp_fin_rcvd) {
		/* Nothing can come behind a FIN. */
		freemsg(mp);
		mp = NULL;
		seg.len = 0;
		seg.flags &= ~(uint_t)(TH_FIN | TH_URG);
	}
	if (seg.flags & TH_URG)
		tcp_urgent_note(tcp, &seg);
	if ((seg.len > 0 || (seg.flags & TH_FIN)) && (seg.seq != tcp->tcp_rnxt || tcp->tcp_reass_head != NULL)) {
		mp = tcp_rput_reass(tcp, mp, &seg);
	} else if (seg.len > 0) {
		BUMP_MIB(&tcp_mib, tcpInDataInorderSegs);
		UPDATE_MIB(&tcp_mib, tcpInDataInorderBytes, seg.len);
	}
	before = tcp->tcp_rnxt - tcp->tcp_rack;
	tcp->tcp_rnxt += seg.len;
	if (seg.flags & TH_FIN) {
		tcp->tcp_rnxt++;
		tcp_rput_fin(tcp, &seg);
	}
	if (mp != NULL) {
		q = tcp->tcp_rq;
		if (q == NULL || tcp->tcp_listener != NULL || tcp->tcp_hard_binding) {
			/* Nobody above yet. */
			tcp_rcv_enqueue(tcp, mp, seg.len);
			tcp_rwnd_shrink(tcp, seg.len);
		} else if (tcp->tcp_urp_last_valid && tcp_urgent_split(tcp, mp, seg.seq, seg.len)) {
			seg.flags |= tcp_rcv_drain(q, tcp);
		} else if ((seg.flags & (TH_PUSH | TH_FIN)) || tcp->tcp_rcv_cnt + seg.len >= q->q_hiwat >> 3) {
			if (tcp->tcp_rcv_list == NULL) {
				putnext(q, mp);
				if (!canputnext(q))
					tcp_rwnd_shrink(tcp, seg.len);
			} else {
				tcp_rcv_enqueue(tcp, mp, seg.len);
				seg.flags |= tcp_rcv_drain(q, tcp);
			}
		} else {
			tcp_rcv_enqueue(tcp, mp, seg.len);
			if (tcp->tcp_push_tid == NULL)
				tcp->tcp_push_tid =
				    tcp_timeout(connp, tcp_push_timer, MSEC_TO_TICK(tcp_param.tcp_push_timer_interval));
		}
		tcp_rput_ackpolicy(tcp, &seg, before, seg.len);
	}

	sent = tcp->tcp_obsegs;
	if (seg.flags & TH_REXMIT_NEEDED) {
		mp1 = tcp_xmit_mp(tcp, NULL, (int32_t)tcp->tcp_mss, tcp->tcp_suna, B_TRUE, &before);
		if (mp1 != NULL) {
			BUMP_MIB(&tcp_mib, tcpRetransSegs);
			UPDATE_MIB(&tcp_mib, tcpRetransBytes, before);
			BUMP_MIB(&tcp_mib, tcpOutFastRetrans);
			tcp_send_data(tcp, TCP_WQ(tcp), mp1);
		}
		if (tcp->tcp_unsent > 0)
			seg.flags |= TH_XMIT_NEEDED;
	}
	if (seg.flags & TH_NEED_SACK_REXMIT)
		tcp_sack_rxmit(tcp, &seg.flags);
	if (seg.flags & TH_LIMIT_XMIT)
		tcp_limited_xmit(tcp);
	if (seg.flags & TH_XMIT_NEEDED) {
		if (tcp->tcp_rexmit)
			tcp_ss_rexmit(tcp);
		if (!tcp->tcp_rexmit)
			tcp_wput_data(tcp, NULL, B_FALSE);
	}
	if (sent != tcp->tcp_obsegs && !seg.force_ack && tcp->tcp_rack == tcp->tcp_rnxt)
		seg.flags &= ~(uint_t)(TH_ACK_NEEDED | TH_ACK_TIMER_NEEDED);

ack_check:
	if ((seg.flags & TH_ACK_NEEDED) && !tcp_ack_storm(tcp, &seg)) {
		mp1 = tcp_ack_mp(tcp);
		if (mp1 != NULL) {
			BUMP_MIB(&tcp_mib, tcpOutAck);
			tcp_send_data(tcp, TCP_WQ(tcp), mp1);
		}
		if (!tcp->tcp_tw_cut)
			tcp_timeout_cancel(&tcp->tcp_ack_tid);
	} else if ((seg.flags & TH_ACK_TIMER_NEEDED) && tcp->tcp_ack_tid == NULL) {
		tcp->tcp_ack_tid = tcp_timeout(connp, tcp_ack_timer,
					       MSEC_TO_TICK(tcp->tcp_localnet ? tcp_param.tcp_local_dack_interval
									      : tcp_param.tcp_deferred_ack_interval));
	}
	if (seg.flags & TH_ORDREL_NEEDED)
		tcp_ordrel_up(tcp);
}

/* ---- TIME_WAIT ---- */

#define ISS_INCR 250000U

static KLOCAL uint32_t tcp_iss_next; /* for a SYN that takes over a connection in TIME_WAIT; 0 = none */

/* The initial sequence number for a new connection (RFC 1948 asks for an unpredictable one). */
uint32_t tcp_iss_get(void)
{
	uint32_t iss = tcp_iss_next;

	tcp_iss_next = 0;
	return iss != 0 ? iss : (uint32_t)machine_random();
}

/*
 * Nothing of our own remains to be said, but the peer may not know it.  A SYN
 * beyond what was received begins a new connection (RFC 1122 4.2.2.13).
 */
static void tcp_time_wait_processing(tcp_t *tcp, mblk_t *mp, const tcp_seg_t *seg, void *sqp)
{
	conn_t *connp;
	uint_t flags = seg->flags;
	uint32_t iss = tcp->tcp_snxt + ISS_INCR;

	if ((flags & (TH_SYN | TH_ACK | TH_RST)) == TH_SYN && SEQ_GT(seg->seq, tcp->tcp_rnxt)) {
		(void)tcp_clean_death(tcp, 0);
		connp = ipcl_classify_v4(mp, IPPROTO_TCP, (uint_t)IPH_HDR_LENGTH(mp->b_rptr), (uint_t)DB_RECVIF(mp));
		if (connp == NULL) {
			tcp_xmit_listeners_reset(mp, (uint_t)IPH_HDR_LENGTH(mp->b_rptr));
			return;
		}
		tcp_iss_next = iss != 0 ? iss : 1;
		(*connp->conn_recv)(connp, mp, sqp);
		tcp_iss_next = 0;
		CONN_DEC_REF(connp);
		return;
	}
	TCP_PROBE(receive, mp, tcp->tcp_connp, (ipha_t *)(void *)mp->b_rptr, tcp, TCPH_OF(mp));
	freemsg(mp);
	if (flags & TH_RST) {
		if (seg->seq == tcp->tcp_rnxt)
			(void)tcp_clean_death(tcp, 0);
		return;
	}
	if (seg->len > 0) {
		if (SEQ_GT(seg->seq + seg->len, tcp->tcp_rnxt))
			BUMP_MIB(&tcp_mib, tcpInClosed);
		else
			BUMP_MIB(&tcp_mib, tcpInDataDupSegs);
	}
	if (seg->len == 0 && !(flags & (TH_FIN | TH_SYN)) && seg->seq == tcp->tcp_rnxt)
		return;
	if ((flags & TH_FIN) && seg->seq + seg->len + 1 == tcp->tcp_rnxt)
		tcp_time_wait_enter(tcp);
	tcp_xmit_ctl("time wait", tcp, tcp->tcp_snxt, tcp->tcp_rnxt, TH_ACK);
}

/* ---- other messages ---- */

/* Next lower plateau (RFC 1191 7.1), for routers that do not say their MTU. */
static uint32_t tcp_plateau(uint32_t mtu)
{
	static const uint16_t plateau[] = {32000, 17914, 8166, 4352, 2002, 1492, 1006, 508, 296, 68};

	for (uint_t i = 0; i < sizeof(plateau) / sizeof(plateau[0]); i++) {
		if (plateau[i] < mtu)
			return plateau[i];
	}
	return 68;
}

/* Path MTU discovery: smaller segments from now on, and what was too big again. */
static void tcp_icmp_frag_needed(tcp_t *tcp, const icmph_t *icmph)
{
	uint32_t mtu = ntohs(icmph->icmph_u.u_frag.mtu), hdr = tcp->tcp_hdr_len + tcp->tcp_ipsec_overhead;

	if (mtu == 0)
		mtu = tcp_plateau(tcp->tcp_mss + hdr);
	if (mtu < 68 || mtu <= hdr || mtu - hdr >= tcp->tcp_mss)
		return;
	uint32_t cwnd = tcp->tcp_cwnd;
	tcp_mss_set(tcp, mtu - hdr);
	tcp->tcp_cwnd = MIN(cwnd, tcp->tcp_cwnd);
	if (tcp->tcp_state >= TCPS_ESTABLISHED && tcp->tcp_suna != tcp->tcp_snxt) {
		tcp->tcp_rexmit = 1;
		tcp->tcp_rexmit_nxt = tcp->tcp_suna;
		tcp->tcp_rexmit_max = tcp->tcp_snxt;
		tcp_ss_rexmit(tcp);
	}
}

/* An ICMP error about a segment of ours (RFC 1122 4.2.3.9): outer IP, ICMP, quoted IP and 8 bytes of TCP. */
void tcp_icmp_error(tcp_t *tcp, mblk_t *mp)
{
	const ipha_t *outer, *inner;
	const icmph_t *icmph;
	uint32_t seq, off;
	bool opening = tcp->tcp_state == TCPS_SYN_SENT || tcp->tcp_state == TCPS_SYN_RCVD;

	if (tcp->tcp_state <= TCPS_LISTEN || tcp->tcp_state == TCPS_TIME_WAIT ||
	    MBLKL(mp) < IP_SIMPLE_HDR_LENGTH + ICMPH_SIZE + IP_SIMPLE_HDR_LENGTH)
		goto out;
	outer = (const ipha_t *)(const void *)mp->b_rptr;
	off = (uint32_t)IPH_HDR_LENGTH(outer);
	icmph = (const icmph_t *)(const void *)(mp->b_rptr + off);
	off += ICMPH_SIZE;
	inner = (const ipha_t *)(const void *)(mp->b_rptr + off);
	off += (uint32_t)IPH_HDR_LENGTH(inner);
	if (MBLKL(mp) < (ptrdiff_t)off + 8)
		goto out;
	seq = BE32_GET(mp->b_rptr + off + 4);
	if (SEQ_LT(seq, tcp->tcp_suna) || SEQ_GT(seq, tcp->tcp_snxt))
		goto out; /* not about anything under way */
	switch (icmph->icmph_type) {
	case ICMP_DEST_UNREACHABLE:
		switch (icmph->icmph_code) {
		case ICMP_FRAGMENTATION_NEEDED:
			tcp_icmp_frag_needed(tcp, icmph);
			break;
		case ICMP_PORT_UNREACHABLE:
		case ICMP_PROTOCOL_UNREACHABLE:
			if (opening)
				(void)tcp_clean_death(tcp, ECONNREFUSED);
			break;
		default:
			/* Soft: told when the connection gives up. */
			if (opening)
				tcp->tcp_client_errno = EHOSTUNREACH;
			break;
		}
		break;
	case ICMP_SOURCE_QUENCH:
		if (tcp->tcp_snxt != tcp->tcp_suna) {
			uint32_t npkt = ((tcp->tcp_snxt - tcp->tcp_suna) >> 1) / tcp->tcp_mss;
			tcp->tcp_cwnd_ssthresh = MAX(npkt, 2U) * tcp->tcp_mss;
			tcp->tcp_cwnd = tcp->tcp_mss;
		}
		break;
	default:
		break;
	}
out:
	freemsg(mp);
}

void tcp_rput_common(tcp_t *tcp, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_CTL)
		tcp_icmp_error(tcp, mp);
	else
		freemsg(mp);
}

void tcp_input(void *arg, mblk_t *mp, void *arg2)
{
	conn_t *connp = arg, *other;
	tcp_t *tcp = connp->conn_tcp;

	if (tcp->tcp_state == TCPS_CLOSED || tcp->tcp_state == TCPS_BOUND) {
		/* It waited for a connection that is gone; somebody else may want it. */
		if (DB_TYPE(mp) != M_DATA) {
			freemsg(mp);
			return;
		}
		uint_t hlen = (uint_t)IPH_HDR_LENGTH(mp->b_rptr);
		other = ipcl_classify_v4(mp, IPPROTO_TCP, hlen, (uint_t)DB_RECVIF(mp));
		if (other == NULL || other == connp || other->conn_tcp->tcp_state == TCPS_LISTEN) {
			if (other != NULL)
				CONN_DEC_REF(other);
			tcp_xmit_listeners_reset(mp, hlen);
			return;
		}
		(*other->conn_recv)(other, mp, arg2);
		CONN_DEC_REF(other);
		return;
	}
	if (DB_TYPE(mp) == M_DATA) {
		tcp_rput_data(connp, mp, arg2);
		return;
	}
	tcp_rput_common(tcp, mp);
}

/* ---- replay ---- */

/* The receive side goes on at seq; what waits beyond it is delivered when it joins. */
void tcp_repair_rcv(tcp_t *tcp, uint32_t seq)
{
	mblk_t *mp;
	uint32_t len;

	while ((mp = tcp->tcp_reass_head) != NULL && SEQ_LT(TCP_REASS_SEQ(mp), seq)) {
		uint32_t start = TCP_REASS_SEQ(mp), end = TCP_REASS_END(mp);

		if (SEQ_GT(end, seq)) {
			(void)adjmsg(mp, (ssize_t)(seq - start));
			TCP_REASS_SET(mp, seq, end);
			break;
		}
		tcp->tcp_reass_head = mp->b_next;
		mp->b_next = mp->b_prev = NULL;
		freemsg(mp);
	}
	if (tcp->tcp_reass_head == NULL)
		tcp->tcp_reass_tail = NULL;
	tcp->tcp_rnxt = tcp->tcp_rack = seq;
	mp = tcp_reass_take(tcp, &len);
	if (mp != NULL) {
		tcp->tcp_rnxt += len;
		tcp_rcv_enqueue(tcp, mp, len);
		if (tcp->tcp_rq != NULL && tcp->tcp_listener == NULL && !tcp->tcp_hard_binding)
			(void)tcp_rcv_drain(tcp->tcp_rq, tcp);
	}
	if (tcp->tcp_sack_info != NULL)
		tcp_sack_remove(tcp, tcp->tcp_rnxt);
	if ((tcp->tcp_valid_bits & TCP_OFO_FIN_VALID) && tcp->tcp_ofo_fin_seq == tcp->tcp_rnxt) {
		tcp_seg_t seg = {0};

		tcp->tcp_valid_bits &= (uint8_t)~TCP_OFO_FIN_VALID;
		tcp->tcp_rnxt++;
		tcp_rput_fin(tcp, &seg);
		tcp_xmit_ctl(NULL, tcp, tcp->tcp_snxt, tcp->tcp_rnxt, TH_ACK);
		tcp_ordrel_up(tcp);
	}
}

/* The send side goes on at seq: nothing is unacknowledged or unsent. */
void tcp_repair_snd(tcp_t *tcp, uint32_t seq)
{
	tcp_xmit_free(tcp);
	tcp_notsack_clear(tcp);
	tcp_timeout_cancel(&tcp->tcp_timer_tid);
	tcp->tcp_suna = tcp->tcp_snxt = seq;
	tcp->tcp_swl2 = seq;
	tcp->tcp_rexmit = 0;
	tcp->tcp_recovering = 0;
	tcp->tcp_dupack_cnt = 0;
	tcp->tcp_timer_backoff = 0;
	tcp->tcp_valid_bits &= (uint8_t)~TCP_URG_VALID;
	if (tcp->tcp_sack_info != NULL)
		tcp->tcp_fack = tcp->tcp_sack_snxt = seq;
	if (tcp->tcp_flow_stopped)
		tcp_clrqfull(tcp);
}
