/*
 * TCP output.
 *
 * Theory.  Data waits on tcp_xmit_head..tcp_xmit_last until it is acknowledged:
 * [tcp_suna, tcp_snxt) has been sent, tcp_unsent bytes more have not, and
 * tcp_xmit_tail is the block the next byte to send is in (its last
 * tcp_xmit_tail_unsent bytes are unsent).  A segment is a header in front of
 * dup()ed blocks, so nothing is copied; if the block has room in front and
 * nobody else uses it, the header goes right there.  What a segment's flags
 * are follows from its place in the sequence space: tcp_valid_bits tell where
 * SYN, FIN and urgent data stand.
 *
 * Order of this file: segments, windows and options, sending data, control
 * segments, resets without a connection.
 */
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
/* The model's own names ("sys/sdt.h") follow. */
#undef DTRACE_PROBE
#undef DTRACE_PROBE1
#undef DTRACE_PROBE2
#undef DTRACE_PROBE3
#undef DTRACE_PROBE4
#undef DTRACE_PROBE5

#include <string.h>

#include "ip/tcp_impl.h"

/* For bpftrace, perf, SystemTap, gdb: not zero while somebody is attached. */
extern unsigned short strsim_tcp_output_semaphore;
unsigned short strsim_tcp_output_semaphore __attribute__((section(".probes"), used));

#define TCP_SACK_OPT_LEN(n) (4U + 8U * (uint32_t)(n))

static uint32_t tcp_num_sack(const tcp_t *tcp)
{
	if (!tcp->tcp_snd_sack_ok || tcp->tcp_sack_info == NULL)
		return 0;
	return (uint32_t)MIN(tcp->tcp_num_sack_blk, tcp->tcp_max_sack_blk);
}

/* ---- segments ---- */

static uint8_t *tcp_put_sack(const tcp_t *tcp, uint8_t *p, uint32_t n)
{
	*p++ = TCPOPT_NOP;
	*p++ = TCPOPT_NOP;
	*p++ = TCPOPT_SACK;
	*p++ = (uint8_t)(2 + 8 * n);
	for (uint32_t i = 0; i < n; i++, p += 8) {
		BE32_PUT(p, tcp->tcp_sack_list[i].begin);
		BE32_PUT(p + 4, tcp->tcp_sack_list[i].end);
	}
	return p;
}

static uint8_t *tcp_put_tstamp(const tcp_t *tcp, uint8_t *p, uint32_t ecr)
{
	p[0] = TCPOPT_TSTAMP;
	p[1] = TCPOPT_TSTAMP_LEN;
	BE32_PUT(p + 2, TCP_TSVAL(tcp));
	BE32_PUT(p + 6, ecr);
	return p + TCPOPT_TSTAMP_LEN;
}

/* Options of a SYN: MSS, window scale, SACK permitted, timestamp; as offered, or as far as the peer offered them. */
static uint8_t *tcp_put_syn_options(const tcp_t *tcp, uint8_t *p)
{
	uint32_t mss = tcp->tcp_plan_bits & TCP_PLAN_ISS
			   ? tcp->tcp_plan_mss
			   : tcp->tcp_if_mtu - IP_SIMPLE_HDR_LENGTH - TCP_MIN_HEADER_LENGTH;
	bool ts = tcp->tcp_snd_ts_ok, sack = tcp->tcp_snd_sack_ok;

	if (mss != 0) {
		*p++ = TCPOPT_MAXSEG;
		*p++ = TCPOPT_MAXSEG_LEN;
		BE16_PUT(p, mss);
		p += 2;
	}
	if (tcp->tcp_snd_ws_ok) {
		*p++ = TCPOPT_NOP;
		*p++ = TCPOPT_WSCALE;
		*p++ = TCPOPT_WS_LEN;
		*p++ = tcp->tcp_rcv_ws;
	}
	if (sack) {
		if (!ts) {
			*p++ = TCPOPT_NOP;
			*p++ = TCPOPT_NOP;
		}
		*p++ = TCPOPT_SACK_PERMITTED;
		*p++ = TCPOPT_SACK_OK_LEN;
	} else if (ts) {
		*p++ = TCPOPT_NOP;
		*p++ = TCPOPT_NOP;
	}
	if (ts)
		p = tcp_put_tstamp(tcp, p, tcp->tcp_state == TCPS_SYN_SENT ? 0 : tcp->tcp_ts_recent);
	return p;
}

#define TCP_MAX_SYN_OPTIONS 20

static void tcp_put_window(const tcp_t *tcp, uint8_t *p, bool syn)
{
	uint32_t win = syn ? tcp->tcp_rwnd : tcp->tcp_rwnd >> tcp->tcp_rcv_ws;

	win = MIN(win, (uint32_t)TCP_MAXWIN);
	BE16_PUT(p, win);
}

/* Fill the header in front of `len' bytes of data; hdr is where it goes.  Returns its length. */
static uint32_t tcp_put_header(const tcp_t *tcp, uint8_t *hdr, uint32_t seq, uint32_t len, uint_t flags)
{
	tcph_t *tcph = (tcph_t *)(void *)(hdr + tcp->tcp_ip_hdr_len);
	uint8_t *p = hdr + tcp->tcp_hdr_len;
	uint32_t n = tcp_num_sack(tcp);

	memcpy(hdr, tcp->tcp_iphc, tcp->tcp_hdr_len);
	if (flags & TH_SYN) {
		p = tcp_put_syn_options(tcp, (uint8_t *)(tcph + 1));
	} else {
		if (tcp->tcp_snd_ts_ok)
			(void)tcp_put_tstamp(tcp, (uint8_t *)(tcph + 1) + 2, tcp->tcp_ts_recent);
		if (n > 0 && !(flags & TH_RST))
			p = tcp_put_sack(tcp, p, n);
	}
	BE32_PUT(tcph->th_seq, seq);
	BE32_PUT(tcph->th_ack, flags & TH_ACK ? tcp->tcp_rnxt : 0);
	tcph->th_offset_and_rsrvd[0] = (uint8_t)((p - (uint8_t *)tcph) << 2);
	tcph->th_flags[0] = (uint8_t)flags;
	tcp_put_window(tcp, tcph->th_win, (flags & TH_SYN) != 0);
	if (flags & TH_URG)
		BE16_PUT(tcph->th_urp, MIN(tcp->tcp_urg - seq, 65535U));
	uint32_t hlen = (uint32_t)(p - hdr);
	/* The length stands in the checksum field until the checksum is made. */
	BE16_PUT(tcph->th_sum, hlen - tcp->tcp_ip_hdr_len + len);
	((ipha_t *)(void *)hdr)->ipha_length = htons(hlen + len);
	return hlen;
}

/* Length of the header of a segment that is no SYN. */
ALWAYS_INLINE uint32_t tcp_data_hlen(const tcp_t *tcp)
{
	uint32_t n = tcp_num_sack(tcp);

	return tcp->tcp_hdr_len + (n > 0 ? TCP_SACK_OPT_LEN(n) : 0);
}

/* Flags of the segment [seq, seq + len). */
static uint_t tcp_seg_flags(const tcp_t *tcp, uint32_t seq, uint32_t len)
{
	uint_t flags = TH_ACK;

	if ((tcp->tcp_valid_bits & TCP_ISS_VALID) && seq == tcp->tcp_iss)
		return tcp->tcp_state == TCPS_SYN_SENT ? TH_SYN : TH_SYN | TH_ACK;
	if (len > 0 && seq + len == tcp->tcp_snxt + (uint32_t)tcp->tcp_unsent)
		flags |= TH_PUSH;
	if ((tcp->tcp_valid_bits & TCP_FSS_VALID) && seq + len == tcp->tcp_fss) {
		flags |= TH_FIN;
		if (len > 0)
			flags |= TH_PUSH;
	}
	if ((tcp->tcp_valid_bits & TCP_URG_VALID) && SEQ_GT(tcp->tcp_urg, seq))
		flags |= TH_URG;
	return flags;
}

/* A header message of its own, with room for a link header in front. */
static mblk_t *tcp_header_mp(uint32_t hlen)
{
	mblk_t *mp = allocb(hlen + tcp_param.tcp_wroff_xtra, BPRI_HI);

	if (mp == NULL)
		return NULL;
	mp->b_rptr += tcp_param.tcp_wroff_xtra;
	mp->b_wptr = mp->b_rptr + hlen;
	return mp;
}

/* Blocks that show len bytes from `off' in bp on. */
static mblk_t *tcp_dup_data(mblk_t *bp, uint32_t off, uint32_t len)
{
	mblk_t *head = NULL, **tailp = &head;

	while (len > 0) {
		mblk_t *dup = dupb(bp);
		uint32_t have;

		if (dup == NULL)
			dup = copyb(bp); /* too many references */
		if (dup == NULL) {
			freemsg(head);
			return NULL;
		}
		dup->b_next = dup->b_prev = NULL;
		dup->b_cont = NULL;
		dup->b_rptr += off;
		have = (uint32_t)MBLKL(dup);
		if (have > len) {
			dup->b_wptr = dup->b_rptr + len;
			have = len;
		}
		off = 0;
		len -= have;
		*tailp = dup;
		tailp = &dup->b_cont;
		bp = bp->b_cont;
	}
	return head;
}

/* Note when the blocks of a segment were sent; bit 32 says again, which measures nothing. */
#define TCP_SENT_AGAIN (1ULL << 32)

static void tcp_stamp(mblk_t *bp, uint32_t off, uint32_t len, uint32_t seq, bool again)
{
	clock_t_ now = ddi_get_lbolt();

	while (len > 0) {
		uint32_t have = (uint32_t)MBLKL(bp) - off;

		bp->b_prev = (mblk_t *)(intptr_t)now;
		bp->b_next = (mblk_t *)(uintptr_t)(seq | (again ? TCP_SENT_AGAIN : 0));
		if (have >= len)
			return;
		len -= have;
		seq += have;
		off = 0;
		bp = bp->b_cont;
	}
}

/* The segment [seq, seq + len), whose data begins `off' bytes into bp.  NULL when there is no memory. */
static mblk_t *tcp_seg_mp(tcp_t *tcp, mblk_t *bp, uint32_t off, uint32_t len, uint32_t seq, bool again)
{
	uint_t flags = tcp_seg_flags(tcp, seq, len);
	uint32_t hlen = flags & TH_SYN ? tcp->tcp_ip_hdr_len + TCP_MIN_HEADER_LENGTH + (uint32_t)TCP_MAX_SYN_OPTIONS
				       : tcp_data_hlen(tcp);
	mblk_t *data = NULL, *mp;

	if (len > 0 && (data = tcp_dup_data(bp, off, len)) == NULL)
		return NULL;
	if (len > 0 && off == 0 && DB_REF(data) == 2 &&
	    MBLKHEAD(data) >= (ptrdiff_t)(hlen + tcp_param.tcp_wroff_xtra) && OFFSET_ALIGNED(data->b_rptr)) {
		mp = data;
		mp->b_rptr -= hlen;
		(void)tcp_put_header(tcp, mp->b_rptr, seq, len, flags);
	} else {
		mp = tcp_header_mp(hlen);
		if (mp == NULL) {
			freemsg(data);
			return NULL;
		}
		mp->b_wptr = mp->b_rptr + tcp_put_header(tcp, mp->b_rptr, seq, len, flags);
		mp->b_cont = data;
	}
	if (len > 0)
		tcp_stamp(bp, off, len, seq, again);
	if (flags & TH_URG)
		BUMP_MIB(&tcp_mib, tcpOutUrg);
	tcp->tcp_rack = tcp->tcp_rnxt;
	tcp->tcp_rack_cnt = 0;
	return mp;
}

/* The block that byte seq is in, and its place there; NULL when nothing is there. */
mblk_t *tcp_xmit_find(tcp_t *tcp, uint32_t seq, uint32_t *offset)
{
	uint32_t first = tcp->tcp_suna + (tcp->tcp_suna == tcp->tcp_iss && (tcp->tcp_valid_bits & TCP_ISS_VALID));
	uint32_t off = seq - first;
	mblk_t *bp;

	for (bp = tcp->tcp_xmit_head; bp != NULL && off >= (uint32_t)MBLKL(bp); bp = bp->b_cont)
		off -= (uint32_t)MBLKL(bp);
	*offset = off;
	return bp;
}

/*
 * The segment that begins at seq, with at most max_to_send bytes of data that
 * is on the transmit list (*seg_len says how many), SYN or FIN and urgent
 * pointer as seq demands.  mp is not used up; NULL finds the data by seq.
 */
mblk_t *tcp_xmit_mp(tcp_t *tcp, mblk_t *mp, int32_t max_to_send, uint32_t seq, boolean_t rexmit, uint32_t *seg_len)
{
	uint32_t off = 0, len = 0;
	mblk_t *bp = mp;

	if (max_to_send > 0) {
		if (bp == NULL)
			bp = tcp_xmit_find(tcp, seq, &off);
		uint32_t have = 0;
		for (const mblk_t *b = bp; b != NULL && have < off + (uint32_t)max_to_send; b = b->b_cont)
			have += (uint32_t)MBLKL(b);
		len = bp == NULL ? 0 : MIN(have - off, (uint32_t)max_to_send);
	}
	if (seg_len != NULL)
		*seg_len = len;
	mp = tcp_seg_mp(tcp, bp, off, len, seq, rexmit != B_FALSE);
	if (mp != NULL && len == 0)
		BUMP_MIB(&tcp_mib, tcpOutControl);
	return mp;
}

/* A pure acknowledgement of all that has come. */
mblk_t *tcp_ack_mp(tcp_t *tcp)
{
	mblk_t *mp = tcp_header_mp(tcp_data_hlen(tcp));

	if (mp == NULL)
		return NULL;
	(void)tcp_put_header(tcp, mp->b_rptr, tcp->tcp_snxt, 0, TH_ACK);
	tcp->tcp_rack = tcp->tcp_rnxt;
	tcp->tcp_rack_cnt = 0;
	return mp;
}

/* ---- handing a segment to IP ---- */

/* The cached route of the connection, looked up again if it is gone; NULL when there is none now. */
static ire_t *tcp_ire_get(conn_t *connp, ipaddr_t dst)
{
	ire_t *ire = connp->conn_ire_cache;

	if (ire != NULL) {
		connp->conn_ire_cache = NULL;
		IRE_REFRELE(ire);
	}
	ire = ire_cache_lookup(dst, connp->conn_zoneid, connp->conn_ifindex);
	if (ire != NULL && ire->ire_type == IRE_CACHE)
		connp->conn_ire_cache = ire; /* keeps the reference */
	else if (ire != NULL) {
		IRE_REFRELE(ire);
		ire = NULL;
	}
	return ire;
}

void tcp_send_data(tcp_t *tcp, queue_t *q, mblk_t *mp)
{
	conn_t *connp = tcp->tcp_connp;
	ipha_t *ipha = (ipha_t *)(void *)mp->b_rptr;
	uint32_t len = ntohs(ipha->ipha_length), hlen;
	uint16_t *sump;
	ire_t *ire;

	tcp->tcp_obsegs++;
	if (!IPCL_IS_TCP4_CONNECTED_NO_POLICY(connp) || connp->conn_dontroute || connp->conn_out_enforce_policy)
		goto slow;
	ire = connp->conn_ire_cache;
	if ((ire == NULL || !IRE_USABLE(ire, ipha->ipha_dst) || ire->ire_type != IRE_CACHE) &&
	    (ire = tcp_ire_get(connp, ipha->ipha_dst)) == NULL)
		goto slow;
	if (ire->ire_stq == NULL || ire->ire_max_frag < len || ire->ire_fp_mp == NULL)
		goto slow;
	hlen = (uint32_t)MBLKL(ire->ire_fp_mp);
	if (MBLKHEAD(mp) < (ptrdiff_t)hlen)
		goto slow;

	sump = (uint16_t *)(void *)((uchar_t *)ipha + IP_SIMPLE_HDR_LENGTH + offsetof(tcpha_t, tha_sum));
	*sump = 0;
	*sump = (uint16_t)~ip_cksum(mp, IP_SIMPLE_HDR_LENGTH,
				    ip_pseudo_sum(ipha->ipha_src, ipha->ipha_dst) + htons(IPPROTO_TCP) +
					htons(len - IP_SIMPLE_HDR_LENGTH));
	ipha->ipha_ident = htons(++ire->ire_ident);
	ipha->ipha_fragment_offset_and_flags |= htons(ire->ire_frag_flag);
	ipha->ipha_hdr_checksum = 0;
	ipha->ipha_hdr_checksum = ip_csum_hdr(ipha);
	TCP_PROBE(send, mp, connp, ipha, tcp, TCPH_OF(mp));
	IP_PROBE(send, mp, connp, ipha, ire->ire_ipif->ipif_ill);
	mp->b_rptr -= hlen;
	memcpy(mp->b_rptr, ire->ire_fp_mp->b_rptr, hlen);
	ire->ire_ob_pkt_count++;
	BUMP_MIB(&ip_mib, ipOutRequests);
	putnext(ire->ire_stq, mp);
	return;
slow:
	TCP_PROBE(send, mp, connp, ipha, tcp, TCPH_OF(mp));
	ip_output(connp, mp, q, IP_WPUT);
}

/* ---- segment size, window scale ---- */

/* The MSS is known, or has changed: what depends on it. */
void tcp_mss_set(tcp_t *tcp, uint32_t mss)
{
	uint32_t old = tcp->tcp_mss, init;

	mss = MIN(MAX(mss, tcp_param.tcp_mss_min), tcp_param.tcp_mss_max_ipv4);
	if (tcp->tcp_naglim > mss || tcp->tcp_naglim == old || tcp->tcp_naglim == tcp_param.tcp_naglim_def)
		tcp->tcp_naglim = tcp->tcp_nodelay ? 1 : mss;
	if (tcp->tcp_xmit_hiwater < mss * 4)
		tcp->tcp_xmit_hiwater = mss * 4;
	tcp->tcp_mss = mss;
	init = MIN(tcp_param.tcp_slow_start_initial * mss, MIN(4 * mss, MAX(2 * mss, 4380 / mss * mss)));
	if (tcp->tcp_init_cwnd != 0)
		init = tcp->tcp_init_cwnd * mss;
	tcp->tcp_cwnd = init;
}

/* The shift with which the receive buffer fits the window field (RFC 1323). */
void tcp_set_ws_value(tcp_t *tcp)
{
	uint32_t rwnd = tcp->tcp_rwnd;
	uint8_t ws;

	for (ws = 0; rwnd > TCP_MAXWIN && ws < TCP_MAX_WINSHIFT; ws++)
		rwnd >>= 1;
	tcp->tcp_rcv_ws = ws;
}

/* ---- data ---- */

static void tcp_xmit_append(tcp_t *tcp, mblk_t *mp)
{
	if (tcp->tcp_xmit_last == NULL)
		tcp->tcp_xmit_head = mp;
	else
		tcp->tcp_xmit_last->b_cont = mp;
	while (mp->b_cont != NULL)
		mp = mp->b_cont;
	tcp->tcp_xmit_last = mp;
}

/* Everything on the transmit list goes. */
void tcp_xmit_free(tcp_t *tcp)
{
	mblk_t *mp;

	while ((mp = tcp->tcp_xmit_head) != NULL) {
		tcp->tcp_xmit_head = mp->b_cont;
		mp->b_cont = mp->b_next = mp->b_prev = NULL;
		freeb(mp);
	}
	tcp->tcp_xmit_last = tcp->tcp_xmit_tail = NULL;
	tcp->tcp_xmit_tail_unsent = 0;
	tcp->tcp_unsent = 0;
}

/* After an idle time the old window says nothing (RFC 2581 4.1). */
static void tcp_idle_restart(tcp_t *tcp)
{
	if (tcp->tcp_suna == tcp->tcp_snxt && !tcp->tcp_localnet &&
	    TICK_TO_MSEC(ddi_get_lbolt() - tcp->tcp_last_recv_time) >= tcp->tcp_rto) {
		uint32_t cwnd = tcp_param.tcp_slow_start_after_idle * tcp->tcp_mss;
		tcp->tcp_cwnd = MIN(cwnd, MAX(tcp->tcp_cwnd, tcp->tcp_mss));
	}
}

ALWAYS_INLINE bool tcp_nagle_holds(const tcp_t *tcp, uint32_t len, uint32_t mss)
{
	return len < mss && tcp->tcp_suna != tcp->tcp_snxt && len < tcp->tcp_naglim &&
	       tcp->tcp_last_sent_len < tcp->tcp_naglim && !TCP_FREE(tcp);
}

void tcp_output(void *arg, mblk_t *mp, void *arg2)
{
	conn_t *connp = arg;
	tcp_t *tcp = connp->conn_tcp;
	uint32_t len = (uint32_t)MBLKL(mp), mss, num;
	int32_t usable;

	(void)arg2;
	if (UNLIKELY(strsim_tcp_output_semaphore != 0))
		STAP_PROBE3(strsim, tcp_output, connp, mp, msgdsize(mp));
	tcp->tcp_squeue_bytes -= (int32_t)msgdsize(mp);
	num = tcp_num_sack(tcp);
	mss = tcp->tcp_mss - (num > 0 ? TCP_SACK_OPT_LEN(num) : 0);
	if (tcp->tcp_unsent != 0 || tcp->tcp_cork || mp->b_cont != NULL || tcp->tcp_state != TCPS_ESTABLISHED ||
	    len == 0 || len > mss || tcp->tcp_valid_bits != 0) {
		tcp_wput_data(tcp, mp, B_FALSE);
		return;
	}
	tcp_xmit_append(tcp, mp);
	tcp_idle_restart(tcp);
	usable = (int32_t)(TCP_SENDWND(tcp) - (tcp->tcp_snxt - tcp->tcp_suna));
	tcp->tcp_unsent = (int32_t)len;
	tcp->tcp_xmit_tail = mp;
	tcp->tcp_xmit_tail_unsent = (int32_t)len;
	if ((int32_t)len > usable) {
		tcp_wput_data(tcp, NULL, B_FALSE);
		return;
	}
	if (tcp_nagle_holds(tcp, len, mss))
		return;
	if (tcp->tcp_suna == tcp->tcp_snxt)
		tcp_timer_restart(tcp, (uint32_t)tcp->tcp_rto);
	mblk_t *seg = tcp_seg_mp(tcp, mp, 0, len, tcp->tcp_snxt, false);
	if (seg == NULL)
		return; /* unsent: the timer, or the next write, tries again */
	tcp->tcp_unsent = 0;
	tcp->tcp_xmit_tail_unsent = 0;
	tcp->tcp_snxt += len;
	tcp->tcp_last_sent_len = len;
	BUMP_MIB(&tcp_mib, tcpOutDataSegs);
	UPDATE_MIB(&tcp_mib, tcpOutDataBytes, len);
	tcp_send_data(tcp, TCP_WQ(tcp), seg);
}

/* Step over len bytes that were sent, and the FIN if it went with them. */
void tcp_tail_advance(tcp_t *tcp, uint32_t len)
{
	tcp->tcp_unsent -= (int32_t)len;
	tcp->tcp_snxt += len;
	while (len > 0) {
		uint32_t n = MIN(len, (uint32_t)tcp->tcp_xmit_tail_unsent);

		tcp->tcp_xmit_tail_unsent -= (int32_t)n;
		len -= n;
		if (tcp->tcp_xmit_tail_unsent == 0 && tcp->tcp_xmit_tail->b_cont != NULL) {
			tcp->tcp_xmit_tail = tcp->tcp_xmit_tail->b_cont;
			tcp->tcp_xmit_tail_unsent = (int32_t)MBLKL(tcp->tcp_xmit_tail);
		}
	}
	if ((tcp->tcp_valid_bits & TCP_FSS_VALID) && tcp->tcp_snxt == tcp->tcp_fss) {
		tcp->tcp_fin_sent = 1;
		tcp->tcp_snxt++;
	}
}

/*
 * Sender's silly window avoidance (RFC 1122 4.2.3.4): may a segment shorter
 * than the data there is, and than the MSS, be sent because the window is no
 * larger?
 */
ALWAYS_INLINE bool tcp_sws_allows(const tcp_t *tcp, int32_t usable, uint32_t mss)
{
	return usable >= (int32_t)mss || (uint32_t)usable >= tcp->tcp_max_swnd / 2;
}

/* Send unsent data as segments, `usable' bytes at most.  Returns whether something was sent. */
static bool tcp_send(tcp_t *tcp, queue_t *q, uint32_t mss, int32_t usable)
{
	uint32_t burst = TCP_FREE(tcp) || tcp->tcp_localnet ? TCP_CWND_INFINITE : tcp->tcp_snd_burst;
	bool sent = false;

	for (; tcp->tcp_unsent > 0 && usable > 0 && burst > 0; burst--) {
		uint32_t len = MIN(mss, (uint32_t)tcp->tcp_unsent);
		mblk_t *mp;

		if (len > (uint32_t)usable) {
			if (!tcp_sws_allows(tcp, usable, mss))
				break;
			len = (uint32_t)usable;
		}
		mp = tcp_seg_mp(tcp, tcp->tcp_xmit_tail,
				(uint32_t)(MBLKL(tcp->tcp_xmit_tail) - tcp->tcp_xmit_tail_unsent), len, tcp->tcp_snxt,
				false);
		if (mp == NULL)
			break;
		tcp_tail_advance(tcp, len);
		tcp->tcp_last_sent_len = len;
		usable -= (int32_t)len;
		sent = true;
		BUMP_MIB(&tcp_mib, tcpOutDataSegs);
		UPDATE_MIB(&tcp_mib, tcpOutDataBytes, len);
		tcp_send_data(tcp, q, mp);
	}
	return sent;
}

/* The FIN by itself: all data is out, it is not. */
static void tcp_send_fin(tcp_t *tcp)
{
	mblk_t *mp = tcp_xmit_mp(tcp, NULL, 0, tcp->tcp_fss, B_FALSE, NULL);

	if (tcp->tcp_timer_tid == NULL || tcp->tcp_suna == tcp->tcp_snxt)
		tcp_timer_restart(tcp, (uint32_t)tcp->tcp_rto);
	tcp->tcp_fin_sent = 1;
	tcp->tcp_snxt = tcp->tcp_fss + 1;
	if (mp != NULL)
		tcp_send_data(tcp, TCP_WQ(tcp), mp);
}

/* Copy a small message behind the last, unsent one; true when it was. */
static bool tcp_xmit_merge(tcp_t *tcp, mblk_t *mp)
{
	mblk_t *last = tcp->tcp_xmit_last;
	ptrdiff_t len = MBLKL(mp);

	if (last == NULL || mp->b_cont != NULL || DB_REF(last) != 1 || len > MBLKTAIL(last) ||
	    tcp->tcp_xmit_tail != last || tcp->tcp_xmit_tail_unsent == 0)
		return false;
	memcpy(last->b_wptr, mp->b_rptr, (size_t)len);
	last->b_wptr += len;
	tcp->tcp_xmit_tail_unsent += (int32_t)len;
	freeb(mp);
	return true;
}

/* Append to the transmit list; false when there was nothing in it. */
static bool tcp_wput_append(tcp_t *tcp, mblk_t *mp, boolean_t urgent)
{
	int32_t len = (int32_t)msgdsize(mp);

	for (mblk_t **pp = &mp; *pp != NULL;) {
		mblk_t *bp = *pp;
		if (MBLKL(bp) > 0 && DB_TYPE(bp) == M_DATA) {
			pp = &bp->b_cont;
			continue;
		}
		*pp = bp->b_cont;
		freeb(bp);
	}
	if (mp == NULL)
		return false;
	if (tcp->tcp_unsent == 0) {
		tcp_xmit_append(tcp, mp);
		tcp->tcp_xmit_tail = mp;
		tcp->tcp_xmit_tail_unsent = (int32_t)MBLKL(mp);
	} else if (urgent || !tcp_xmit_merge(tcp, mp)) {
		bool tail_done = tcp->tcp_xmit_tail_unsent == 0;
		tcp_xmit_append(tcp, mp);
		if (tail_done) {
			tcp->tcp_xmit_tail = mp;
			tcp->tcp_xmit_tail_unsent = (int32_t)MBLKL(mp);
		}
	}
	tcp->tcp_unsent += len;
	if (urgent) {
		tcp->tcp_urg = tcp->tcp_snxt + (uint32_t)tcp->tcp_unsent;
		tcp->tcp_valid_bits |= TCP_URG_VALID;
	}
	return true;
}

/* How much more may be sent; in recovery by SACK the congestion window limits what is in the pipe. */
static int32_t tcp_usable(const tcp_t *tcp)
{
	int32_t flight = (int32_t)(tcp->tcp_snxt - tcp->tcp_suna);
	int32_t byswnd = (int32_t)TCP_PEERWND(tcp) - flight, bycwnd = (int32_t)tcp->tcp_cwnd - flight;

	if (TCP_FREE(tcp))
		return byswnd;
	if (tcp->tcp_recovering && tcp->tcp_snd_sack_ok && tcp->tcp_sack_info != NULL)
		bycwnd = (int32_t)tcp->tcp_cwnd - tcp->tcp_pipe;
	return MIN(byswnd, bycwnd);
}

void tcp_wput_data(tcp_t *tcp, mblk_t *mp, boolean_t urgent)
{
	uint32_t num = tcp_num_sack(tcp), mss = tcp->tcp_mss - (num > 0 ? TCP_SACK_OPT_LEN(num) : 0);
	bool idle;

	if (mp != NULL) {
		if (tcp->tcp_state < TCPS_SYN_SENT || tcp->tcp_state > TCPS_CLOSE_WAIT ||
		    (tcp->tcp_valid_bits & TCP_FSS_VALID)) {
			freemsg(mp);
			return;
		}
		if (!tcp_wput_append(tcp, mp, urgent))
			return;
	}
	if (tcp->tcp_state < TCPS_ESTABLISHED)
		return;
	if (tcp->tcp_unsent > 0 && !(tcp->tcp_cork && (uint32_t)tcp->tcp_unsent < mss) &&
	    (!tcp_nagle_holds(tcp, (uint32_t)tcp->tcp_unsent, mss) || (tcp->tcp_valid_bits & TCP_FSS_VALID))) {
		tcp_idle_restart(tcp);
		idle = tcp->tcp_suna == tcp->tcp_snxt;
		if (idle)
			tcp_timer_restart(tcp, (uint32_t)tcp->tcp_rto);
		(void)tcp_send(tcp, TCP_WQ(tcp), mss, tcp_usable(tcp));
	}
	if ((tcp->tcp_valid_bits & TCP_FSS_VALID) && !tcp->tcp_fin_sent && tcp->tcp_unsent == 0)
		tcp_send_fin(tcp);
	if (tcp->tcp_unsent > 0 && tcp->tcp_timer_tid == NULL)
		tcp_timer_restart(tcp, (uint32_t)tcp->tcp_rto);
	if (tcp->tcp_flow_stopped) {
		if ((uint32_t)(tcp->tcp_unsent + tcp->tcp_squeue_bytes) <= tcp->tcp_xmit_lowater)
			tcp_clrqfull(tcp);
	} else if ((uint32_t)(tcp->tcp_unsent + tcp->tcp_squeue_bytes) >= tcp->tcp_xmit_hiwater) {
		tcp_setqfull(tcp);
	}
}

/* Slow start after a timeout: what was sent before it again, as the window opens. */
void tcp_ss_rexmit(tcp_t *tcp)
{
	uint32_t burst = TCP_FREE(tcp) ? TCP_CWND_INFINITE : tcp->tcp_snd_burst;

	if (SEQ_LT(tcp->tcp_rexmit_nxt, tcp->tcp_suna))
		tcp->tcp_rexmit_nxt = tcp->tcp_suna;
	for (; burst > 0 && SEQ_LT(tcp->tcp_rexmit_nxt, tcp->tcp_rexmit_max); burst--) {
		int32_t win = (int32_t)(TCP_SENDWND(tcp) - (tcp->tcp_rexmit_nxt - tcp->tcp_suna));
		uint32_t len = MIN(tcp->tcp_mss, tcp->tcp_rexmit_max - tcp->tcp_rexmit_nxt);
		mblk_t *mp;

		if (win <= 0 || (win < (int32_t)len && burst != tcp->tcp_snd_burst))
			return;
		mp = tcp_xmit_mp(tcp, NULL, MIN(win, (int32_t)len), tcp->tcp_rexmit_nxt, B_TRUE, &len);
		if (mp == NULL)
			return;
		tcp->tcp_rexmit_nxt += MAX(len, 1U);
		BUMP_MIB(&tcp_mib, tcpRetransSegs);
		UPDATE_MIB(&tcp_mib, tcpRetransBytes, len);
		tcp_send_data(tcp, TCP_WQ(tcp), mp);
	}
	if (SEQ_GEQ(tcp->tcp_rexmit_nxt, tcp->tcp_rexmit_max)) {
		tcp->tcp_rexmit = 0;
		tcp->tcp_snd_burst = TCP_CWND_NORMAL;
	}
}

/* ---- control segments ---- */

/* ACK or RST with the given numbers; str tells traces why. */
void tcp_xmit_ctl(const char *str, tcp_t *tcp, uint32_t seq, uint32_t ack, int ctl)
{
	uint32_t hlen = ctl & TH_RST ? tcp->tcp_hdr_len : tcp_data_hlen(tcp);
	mblk_t *mp = tcp_header_mp(hlen);

	if (str != NULL)
		DTRACE_PROBE3(tcp__xmit__ctl, const char *, str, tcp_t *, tcp, int, ctl);
	if (mp == NULL)
		return;
	(void)tcp_put_header(tcp, mp->b_rptr, seq, 0, (uint_t)ctl);
	if (ctl & TH_ACK) {
		tcph_t *tcph = (tcph_t *)(void *)(mp->b_rptr + tcp->tcp_ip_hdr_len);
		BE32_PUT(tcph->th_ack, ack);
		tcp->tcp_rack = ack;
		tcp->tcp_rack_cnt = 0;
	}
	if (ctl & TH_RST) {
		BUMP_MIB(&tcp_mib, tcpOutRsts);
		BUMP_MIB(&tcp_mib, tcpOutControl);
	} else {
		BUMP_MIB(&tcp_mib, tcpOutAck);
	}
	tcp_send_data(tcp, TCP_WQ(tcp), mp);
}

/* Our side has nothing more to say: FIN after what is unsent. */
void tcp_xmit_end(tcp_t *tcp)
{
	if (tcp->tcp_valid_bits & TCP_FSS_VALID)
		return;
	switch (tcp->tcp_state) {
	case TCPS_SYN_RCVD:
	case TCPS_ESTABLISHED:
		TCP_SET_STATE(tcp, TCPS_FIN_WAIT_1);
		break;
	case TCPS_CLOSE_WAIT:
		TCP_SET_STATE(tcp, TCPS_LAST_ACK);
		break;
	default:
		return;
	}
	tcp->tcp_fss = tcp->tcp_snxt + (uint32_t)tcp->tcp_unsent;
	tcp->tcp_valid_bits |= TCP_FSS_VALID;
	if (tcp->tcp_unsent == 0)
		tcp_send_fin(tcp);
	else
		tcp_wput_data(tcp, NULL, B_FALSE);
}

/* ---- resets without a connection ---- */

static KLOCAL uint32_t tcp_rst_cnt;
static KLOCAL hrtime_t tcp_last_rst_intrvl;

/* May another reset be sent this second? */
static bool tcp_send_rst_chk(void)
{
	hrtime_t now = machine_now();

	if (tcp_param.tcp_rst_sent_rate == 0)
		return true;
	if (now - tcp_last_rst_intrvl >= 1000000000LL) {
		tcp_last_rst_intrvl = now;
		tcp_rst_cnt = 0;
	}
	return ++tcp_rst_cnt <= tcp_param.tcp_rst_sent_rate;
}

static void tcp_xchg(uchar_t *a, uchar_t *b, int len)
{
	for (; len > 0; len--, a++, b++) {
		uchar_t t = *a;
		*a = *b;
		*b = t;
	}
}

void tcp_xmit_early_reset(const char *str, mblk_t *mp, uint32_t seq, uint32_t ack, int ctl, uint_t ip_hdr_len)
{
	ipha_t *ipha;
	tcph_t *tcph;
	conn_t *connp;
	uint_t ifindex = (uint_t)DB_RECVIF(mp);

	if (str != NULL)
		DTRACE_PROBE2(tcp__early__reset, const char *, str, mblk_t *, mp);
	if (tcp_g_q == NULL || !tcp_send_rst_chk()) {
		freemsg(mp);
		return;
	}
	if (DB_REF(mp) > 1) {
		mblk_t *copy = copyb(mp);
		freemsg(mp);
		if (copy == NULL)
			return;
		copy->b_cont = NULL;
		mp = copy;
	} else if (mp->b_cont != NULL) {
		freemsg(mp->b_cont);
		mp->b_cont = NULL;
	}
	/* No options, neither IP's nor TCP's: the header moves up to the TCP header. */
	if (ip_hdr_len > IP_SIMPLE_HDR_LENGTH) {
		memmove(mp->b_rptr + ip_hdr_len - IP_SIMPLE_HDR_LENGTH, mp->b_rptr, IP_SIMPLE_HDR_LENGTH);
		mp->b_rptr += ip_hdr_len - IP_SIMPLE_HDR_LENGTH;
	}
	mp->b_wptr = mp->b_rptr + IP_SIMPLE_HDR_LENGTH + TCP_MIN_HEADER_LENGTH;
	DB_CKSUMFLAGS(mp) = 0;
	ipha = (ipha_t *)(void *)mp->b_rptr;
	tcph = (tcph_t *)(void *)(mp->b_rptr + IP_SIMPLE_HDR_LENGTH);
	tcp_xchg(tcph->th_fport, tcph->th_lport, 2);
	tcp_xchg((uchar_t *)&ipha->ipha_src, (uchar_t *)&ipha->ipha_dst, sizeof(ipaddr_t));
	ipha->ipha_version_and_hdr_length = IP_SIMPLE_HDR_VERSION;
	ipha->ipha_type_of_service = 0;
	ipha->ipha_length = htons(IP_SIMPLE_HDR_LENGTH + TCP_MIN_HEADER_LENGTH);
	ipha->ipha_ident = NO_IP_IDENT;
	ipha->ipha_fragment_offset_and_flags = 0;
	ipha->ipha_ttl = (uint8_t)tcp_param.tcp_ipv4_ttl;
	BE32_PUT(tcph->th_seq, seq);
	BE32_PUT(tcph->th_ack, ctl & TH_ACK ? ack : 0);
	tcph->th_offset_and_rsrvd[0] = 5 << 4;
	tcph->th_flags[0] = (uint8_t)ctl;
	memset(tcph->th_win, 0, sizeof(tcph->th_win));
	memset(tcph->th_urp, 0, sizeof(tcph->th_urp));
	BE16_PUT(tcph->th_sum, TCP_MIN_HEADER_LENGTH);
	BUMP_MIB(&tcp_mib, tcpOutRsts);
	BUMP_MIB(&tcp_mib, tcpOutControl);
	if (ctl & TH_ACK) /* only a SYN is answered so */
		TCP_PROBE(accept__refused, mp, NULL, ipha, NULL, tcph);
	TCP_PROBE(send, mp, NULL, ipha, NULL, tcph);
	connp = Q_TO_CONN(tcp_g_q);
	connp->conn_ifindex = ifindex; /* it goes back where the segment came from */
	ip_output(connp, mp, tcp_g_q, IP_WPUT);
	connp->conn_ifindex = 0;
}

void tcp_xmit_listeners_reset(mblk_t *mp, uint_t ip_hdr_len)
{
	const ipha_t *ipha = (const ipha_t *)(const void *)mp->b_rptr;
	const tcph_t *tcph = (const tcph_t *)(const void *)(mp->b_rptr + ip_hdr_len);
	uint_t flags = tcph->th_flags[0];
	uint32_t seg_seq = BE32_GET(tcph->th_seq), seg_ack = BE32_GET(tcph->th_ack), seg_len;

	TCP_PROBE(receive, mp, NULL, ipha, NULL, tcph);
	seg_len = ntohs(ipha->ipha_length) - ip_hdr_len - (uint32_t)TCP_HDR_LENGTH(tcph);
	if (flags & TH_RST) {
		freemsg(mp);
	} else if (flags & TH_ACK) {
		tcp_xmit_early_reset("no tcp, reset", mp, seg_ack, 0, TH_RST, ip_hdr_len);
	} else if (flags & TH_SYN) {
		seg_len++;
		if (flags & TH_FIN)
			seg_len++;
		tcp_xmit_early_reset("no tcp, reset/ack", mp, 0, seg_seq + seg_len, TH_RST | TH_ACK, ip_hdr_len);
	} else {
		freemsg(mp);
	}
}
