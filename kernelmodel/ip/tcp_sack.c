/*
 * Selective acknowledgement (RFC 2018; sender's side after RFC 3517).
 *
 * Receiver: tcp_sack_list holds the blocks that came out of order, the one
 * that changed last first.  Sender: tcp_notsack_list holds the holes, the
 * bytes below tcp_fack that no block covered; tcp_sack_snxt is how far they
 * have been retransmitted in this recovery, tcp_pipe what is thought to be in
 * flight.
 */
#include <string.h>

#include "ip/tcp_impl.h"

boolean_t tcp_sack_alloc(tcp_t *tcp)
{
	if (tcp->tcp_sack_info == NULL) {
		tcp->tcp_sack_info = kmem_zalloc(sizeof(tcp_sack_info_t), KM_NOSLEEP);
		if (tcp->tcp_sack_info == NULL)
			return B_FALSE;
		tcp->tcp_max_sack_blk = tcp->tcp_snd_ts_ok ? 3 : 4;
	}
	return B_TRUE;
}

void tcp_notsack_clear(tcp_t *tcp)
{
	notsack_blk_t *blk;

	if (tcp->tcp_sack_info == NULL)
		return;
	while ((blk = tcp->tcp_notsack_list) != NULL) {
		tcp->tcp_notsack_list = blk->next;
		kmem_free(blk, sizeof(*blk));
	}
	tcp->tcp_num_notsack_blk = 0;
	tcp->tcp_cnt_notsack_list = 0;
	tcp->tcp_fack = tcp->tcp_suna;
	tcp->tcp_sack_snxt = tcp->tcp_suna;
	tcp->tcp_pipe = 0;
}

void tcp_sack_free(tcp_t *tcp)
{
	if (tcp->tcp_sack_info == NULL)
		return;
	tcp_notsack_clear(tcp);
	kmem_free(tcp->tcp_sack_info, sizeof(tcp_sack_info_t));
	tcp->tcp_sack_info = NULL;
}

/* ---- receiver ---- */

static void tcp_sack_delete(tcp_t *tcp, int i)
{
	sack_blk_t *list = tcp->tcp_sack_list;

	tcp->tcp_num_sack_blk--;
	memmove(&list[i], &list[i + 1], (size_t)(tcp->tcp_num_sack_blk - i) * sizeof(*list));
}

/* [begin, end) has arrived out of order: it becomes the first block, grown by all it touches. */
void tcp_sack_insert(tcp_t *tcp, uint32_t begin, uint32_t end)
{
	sack_blk_t *list = tcp->tcp_sack_list;

	for (int i = 0; i < tcp->tcp_num_sack_blk;) {
		if (SEQ_LT(list[i].end, begin) || SEQ_GT(list[i].begin, end)) {
			i++;
			continue;
		}
		begin = SEQ_LT(list[i].begin, begin) ? list[i].begin : begin;
		end = SEQ_GT(list[i].end, end) ? list[i].end : end;
		tcp_sack_delete(tcp, i);
	}
	if (tcp->tcp_num_sack_blk == MAX_SACK_BLK)
		tcp->tcp_num_sack_blk--;
	memmove(&list[1], &list[0], (size_t)tcp->tcp_num_sack_blk * sizeof(*list));
	list[0].begin = begin;
	list[0].end = end;
	tcp->tcp_num_sack_blk++;
}

/* All below ack has become in order. */
void tcp_sack_remove(tcp_t *tcp, uint32_t ack)
{
	sack_blk_t *list = tcp->tcp_sack_list;

	for (int i = 0; i < tcp->tcp_num_sack_blk;) {
		if (SEQ_LEQ(list[i].end, ack)) {
			tcp_sack_delete(tcp, i);
			continue;
		}
		if (SEQ_LT(list[i].begin, ack))
			list[i].begin = ack;
		i++;
	}
}

/* ---- sender ---- */

/* No hole reaches below ack. */
static void tcp_notsack_trim(tcp_t *tcp, uint32_t ack)
{
	notsack_blk_t *blk;

	while ((blk = tcp->tcp_notsack_list) != NULL && SEQ_LEQ(blk->end, ack)) {
		tcp->tcp_notsack_list = blk->next;
		kmem_free(blk, sizeof(*blk));
		tcp->tcp_num_notsack_blk--;
	}
	if (blk != NULL && SEQ_LT(blk->begin, ack))
		blk->begin = ack;
}

static notsack_blk_t *tcp_notsack_new(tcp_t *tcp, uint32_t begin, uint32_t end, notsack_blk_t *next)
{
	notsack_blk_t *blk = kmem_alloc(sizeof(*blk), KM_NOSLEEP);

	if (blk == NULL)
		return NULL;
	blk->begin = begin;
	blk->end = end;
	blk->sack_cnt = 0;
	blk->next = next;
	tcp->tcp_num_notsack_blk++;
	return blk;
}

/* [begin, end) is with the peer: it is no hole, and what lies below it unreported is one. */
static void tcp_notsack_block(tcp_t *tcp, uint32_t begin, uint32_t end)
{
	notsack_blk_t **pp = &tcp->tcp_notsack_list, *blk;

	while ((blk = *pp) != NULL) {
		if (SEQ_LEQ(blk->end, begin)) {
			blk->sack_cnt++; /* something above it came */
			pp = &blk->next;
			continue;
		}
		if (SEQ_GEQ(blk->begin, end))
			return;
		if (SEQ_GEQ(blk->begin, begin) && SEQ_LEQ(blk->end, end)) {
			*pp = blk->next;
			kmem_free(blk, sizeof(*blk));
			tcp->tcp_num_notsack_blk--;
			continue;
		}
		if (SEQ_LT(blk->begin, begin) && SEQ_GT(blk->end, end)) {
			notsack_blk_t *upper = tcp_notsack_new(tcp, end, blk->end, blk->next);
			if (upper != NULL)
				blk->next = upper;
			blk->end = begin;
			return;
		}
		if (SEQ_LT(blk->begin, begin)) {
			blk->end = begin;
			blk->sack_cnt++;
		} else {
			blk->begin = end;
		}
		pp = &blk->next;
	}
	if (SEQ_GT(begin, tcp->tcp_fack)) {
		*pp = tcp_notsack_new(tcp, tcp->tcp_fack, begin, NULL);
		if (*pp != NULL)
			(*pp)->sack_cnt = 1;
	}
	if (SEQ_GT(end, tcp->tcp_fack))
		tcp->tcp_fack = end;
}

static void tcp_pipe_set(tcp_t *tcp)
{
	int32_t pipe = (int32_t)(tcp->tcp_snxt - tcp->tcp_fack);

	for (const notsack_blk_t *blk = tcp->tcp_notsack_list; blk != NULL; blk = blk->next) {
		uint32_t end = SEQ_LT(blk->end, tcp->tcp_sack_snxt) ? blk->end : tcp->tcp_sack_snxt;
		if (SEQ_GT(end, blk->begin))
			pipe += (int32_t)(end - blk->begin);
	}
	tcp->tcp_pipe = pipe;
}

/* Take in an acknowledgement and its blocks. */
void tcp_notsack_update(tcp_t *tcp, uint32_t ack, const tcp_opt_t *opt)
{
	if (!tcp_sack_alloc(tcp))
		return;
	if (SEQ_LT(tcp->tcp_fack, ack) || tcp->tcp_notsack_list == NULL)
		tcp->tcp_fack =
		    SEQ_GT(tcp->tcp_fack, ack) && SEQ_LEQ(tcp->tcp_fack, tcp->tcp_snxt) && tcp->tcp_notsack_list != NULL
			? tcp->tcp_fack
			: ack;
	if (SEQ_LT(tcp->tcp_sack_snxt, ack))
		tcp->tcp_sack_snxt = ack;
	tcp_notsack_trim(tcp, ack);
	for (int i = opt->sack_cnt - 1; i >= 0; i--) {
		uint32_t begin = opt->sack[i].begin, end = opt->sack[i].end;

		/* Nonsense, or a duplicate SACK (RFC 2883) of old data. */
		if (SEQ_GEQ(begin, end) || SEQ_LT(begin, ack) || SEQ_GT(end, tcp->tcp_snxt))
			continue;
		tcp_notsack_block(tcp, begin, end);
	}
	tcp_pipe_set(tcp);
}

/* The next piece of a hole worth retransmitting; false when there is none. */
boolean_t tcp_notsack_pending(tcp_t *tcp, uint32_t *begin, uint32_t *end)
{
	for (notsack_blk_t *blk = tcp->tcp_notsack_list; blk != NULL; blk = blk->next) {
		if (SEQ_LEQ(blk->end, tcp->tcp_sack_snxt))
			continue;
		if (blk->sack_cnt < tcp_param.tcp_dupack_fast_retransmit && SEQ_GT(blk->begin, tcp->tcp_suna) &&
		    tcp->tcp_fack - blk->end < tcp_param.tcp_dupack_fast_retransmit * tcp->tcp_mss)
			return B_FALSE;
		*begin = SEQ_GT(blk->begin, tcp->tcp_sack_snxt) ? blk->begin : tcp->tcp_sack_snxt;
		*end = blk->end;
		return B_TRUE;
	}
	return B_FALSE;
}

/* Fill the pipe up to cwnd with holes; TH_XMIT_NEEDED when none is left and new data may go. */
void tcp_sack_rxmit(tcp_t *tcp, uint_t *flags)
{
	uint32_t begin, end, len;
	mblk_t *mp;

	for (uint32_t burst = 0; TCP_FREE(tcp) || burst < TCP_CWND_NORMAL; burst++) {
		tcp_pipe_set(tcp);
		if (!TCP_FREE(tcp) && (int32_t)tcp->tcp_cwnd - tcp->tcp_pipe < (int32_t)tcp->tcp_mss)
			return;
		if (!tcp_notsack_pending(tcp, &begin, &end)) {
			*flags |= TH_XMIT_NEEDED;
			return;
		}
		len = MIN(end - begin, tcp->tcp_mss);
		mp = tcp_xmit_mp(tcp, NULL, (int32_t)len, begin, B_TRUE, &len);
		if (mp == NULL)
			return;
		if (len == 0) { /* nothing there but a FIN */
			tcp->tcp_sack_snxt = end;
			len = 0;
		} else {
			tcp->tcp_sack_snxt = begin + len;
		}
		BUMP_MIB(&tcp_mib, tcpRetransSegs);
		UPDATE_MIB(&tcp_mib, tcpRetransBytes, len);
		BUMP_MIB(&tcp_mib, tcpOutSackRetransSegs);
		tcp_send_data(tcp, TCP_WQ(tcp), mp);
	}
}
