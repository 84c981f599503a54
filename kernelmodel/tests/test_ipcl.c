/* The classifier: who gets a packet, at one conn and at a hundred thousand. */
#include "strtest.h"
#include "ip/ip.h"
#include "ip/ipclassifier.h"
#include "sys/errno.h"

STR_SUITE(ipcl);

#define A htonl(0x0a000001U)
#define B htonl(0x0a000002U)
#define C htonl(0x0a000003U)

static uint32_t ports(uint16_t lport, uint16_t fport)
{
	conn_t c;

	c.conn_lport = htons(lport);
	c.conn_fport = htons(fport);
	return c.conn_ports;
}

static conn_t *fresh(void)
{
	conn_t *connp = ipcl_conn_create(IPCL_IPCCONN, KM_NOSLEEP);

	cr_assert_not_null(connp);
	cr_assert_eq(connp->conn_ref, 1);
	return connp;
}

/* Look up and let go of the reference again. */
static conn_t *look(uint8_t proto, ipaddr_t src, uint16_t sport, ipaddr_t dst, uint16_t dport, uint_t ifindex)
{
	conn_t *connp = ipcl_lookup_v4(proto, src, htons(sport), dst, htons(dport), ifindex);

	if (connp != NULL) {
		cr_assert_geq(connp->conn_ref, 2);
		CONN_DEC_REF(connp);
	}
	return connp;
}

Test(ipcl, connected_before_bound_before_any)
{
	conn_t *con = fresh(), *bound = fresh(), *any = fresh();

	cr_assert_eq(ipcl_bind_insert(any, IPPROTO_TCP, INADDR_ANY, htons(80)), 0);
	cr_assert_eq(ipcl_bind_insert(bound, IPPROTO_TCP, A, htons(80)), 0);
	cr_assert_eq(ipcl_conn_insert(con, IPPROTO_TCP, A, B, ports(80, 1000)), 0);
	cr_assert(IPCL_IS_CONNECTED(con));
	cr_assert(IPCL_IS_BOUND(any));
	cr_assert_eq(look(IPPROTO_TCP, B, 1000, A, 80, 1), con);
	cr_assert_eq(look(IPPROTO_TCP, B, 1001, A, 80, 1), bound);
	cr_assert_eq(look(IPPROTO_TCP, B, 1000, C, 80, 1), any);
	cr_assert_null(look(IPPROTO_TCP, B, 1000, A, 81, 1));
	cr_assert_null(look(IPPROTO_UDP, B, 1000, A, 80, 1));
	cr_assert_eq(con->conn_ref, 1);
	/* Another TCP connection with that four-tuple is refused; it is in no table then. */
	cr_assert_eq(ipcl_conn_insert(bound, IPPROTO_TCP, A, B, ports(80, 1000)), EADDRINUSE);
	cr_assert_eq(bound->conn_flags & (IPCL_BOUND | IPCL_CONNECTED), 0);
	cr_assert_eq(look(IPPROTO_TCP, B, 1001, A, 80, 1), any);
	cr_assert_eq(ipcl_count(), 2);
	CONN_DEC_REF(con);
	cr_assert_eq(look(IPPROTO_TCP, B, 1000, A, 80, 1), any);
	ipcl_hash_remove(any);
	ipcl_hash_remove(any);
	cr_assert_null(look(IPPROTO_TCP, B, 1000, A, 80, 1));
	CONN_DEC_REF(any);
	CONN_DEC_REF(bound);
	cr_assert_eq(ipcl_count(), 0);
}

/* One four-tuple in two VLANs, and one for the rest. */
Test(ipcl, interfaces)
{
	conn_t *c[3];

	for (uint_t i = 0; i < 3; i++) {
		c[i] = fresh();
		c[i]->conn_ifindex = i;
		cr_assert_eq(ipcl_conn_insert(c[i], IPPROTO_TCP, A, B, ports(80, 1000)), 0);
	}
	for (uint_t i = 0; i < 5; i++)
		cr_assert_eq(look(IPPROTO_TCP, B, 1000, A, 80, i), c[i < 3 ? i : 0]);
	CONN_DEC_REF(c[1]);
	cr_assert_eq(look(IPPROTO_TCP, B, 1000, A, 80, 1), c[0]);
	CONN_DEC_REF(c[0]);
	cr_assert_null(look(IPPROTO_TCP, B, 1000, A, 80, 1));
	cr_assert_eq(look(IPPROTO_TCP, B, 1000, A, 80, 2), c[2]);
	CONN_DEC_REF(c[2]);
}

Test(ipcl, classify_packet)
{
	conn_t *con = fresh(), *found;
	mblk_t *mp = allocb(64, BPRI_MED);
	ipha_t *ipha = (ipha_t *)(void *)mp->b_rptr;

	memset(ipha, 0, 64);
	mp->b_wptr += 44;
	ipha->ipha_version_and_hdr_length = 0x46;
	ipha->ipha_src = B;
	ipha->ipha_dst = A;
	mp->b_rptr[24] = 4;
	mp->b_rptr[25] = 1;
	mp->b_rptr[27] = 80;
	cr_assert_eq(ipcl_conn_insert(con, IPPROTO_TCP, A, B, ports(80, 1025)), 0);
	found = ipcl_classify_v4(mp, IPPROTO_TCP, 24, 3);
	cr_assert_eq(found, con);
	CONN_DEC_REF(found);
	cr_assert_null(ipcl_classify_v4(mp, IPPROTO_GRE, 24, 3));
	freemsg(mp);
	CONN_DEC_REF(con);
}

/* Every UDP endpoint a packet may go to, in the order connected, bound, any; first come first among equals. */
Test(ipcl, udp_walk)
{
	conn_t *c[6], *p;
	uint_t n = 0;

	for (int i = 0; i < 6; i++)
		c[i] = fresh();
	c[3]->conn_ifindex = 4;
	cr_assert_eq(ipcl_bind_insert(c[4], IPPROTO_UDP, INADDR_ANY, htons(53)), 0);
	cr_assert_eq(ipcl_bind_insert(c[5], IPPROTO_UDP, INADDR_ANY, htons(53)), 0);
	cr_assert_eq(ipcl_bind_insert(c[3], IPPROTO_UDP, INADDR_ANY, htons(53)), 0);
	cr_assert_eq(ipcl_bind_insert(c[1], IPPROTO_UDP, A, htons(53)), 0);
	cr_assert_eq(ipcl_bind_insert(c[2], IPPROTO_UDP, A, htons(53)), 0);
	cr_assert_eq(ipcl_conn_insert(c[0], IPPROTO_UDP, A, B, ports(53, 99)), 0);
	for (p = ipcl_udp_first(B, htons(99), A, htons(53), 4); p != NULL;
	     p = ipcl_udp_next(p, B, htons(99), A, htons(53), 4))
		cr_assert_eq(p, c[n++]);
	cr_assert_eq(n, 6);
	p = ipcl_udp_first(B, htons(98), C, htons(53), 5);
	cr_assert_eq(p, c[4]);
	p = ipcl_udp_next(p, B, htons(98), C, htons(53), 5);
	cr_assert_eq(p, c[5]);
	cr_assert_null(ipcl_udp_next(p, B, htons(98), C, htons(53), 5));
	cr_assert_null(ipcl_udp_first(B, htons(98), C, htons(54), 5));
	for (int i = 0; i < 6; i++)
		CONN_DEC_REF(c[i]);
}

Test(ipcl, protocol_walk)
{
	conn_t *any = fresh(), *to = fresh(), *tofrom = fresh(), *p;

	ipcl_v4_set(&to->conn_srcv6, A);
	ipcl_v4_set(&tofrom->conn_srcv6, A);
	ipcl_v4_set(&tofrom->conn_remv6, B);
	cr_assert_eq(ipcl_proto_insert(any, IPPROTO_ENCAP), 0);
	cr_assert_eq(ipcl_proto_insert(to, IPPROTO_ENCAP), 0);
	cr_assert_eq(ipcl_proto_insert(tofrom, IPPROTO_ENCAP), 0);
	p = ipcl_proto_first(IPPROTO_ENCAP, B, A, 1);
	cr_assert_eq(p, any);
	p = ipcl_proto_next(p, B, A, 1);
	cr_assert_eq(p, to);
	p = ipcl_proto_next(p, B, A, 1);
	cr_assert_eq(p, tofrom);
	cr_assert_null(ipcl_proto_next(p, B, A, 1));
	cr_assert_null(ipcl_proto_next(ipcl_proto_next(any, C, A, 1), C, A, 1));
	cr_assert_null(ipcl_proto_next(any, B, C, 1));
	cr_assert_null(ipcl_proto_first(IPPROTO_GRE, B, A, 1));
	CONN_DEC_REF(any);
	CONN_DEC_REF(to);
	CONN_DEC_REF(tofrom);
}

/* Growth by splitting: all are found at every size, removed ones are not, and lookups stay cheap. */
Test(ipcl, many)
{
	enum { N = 100000 };
	conn_t **c = calloc(N, sizeof(*c));

	for (uint32_t i = 0; i < N; i++) {
		c[i] = fresh();
		cr_assert_eq(
		    ipcl_conn_insert(c[i], IPPROTO_TCP, A, htonl(0xc0000000U + i / 7), ports(80, (uint16_t)(i % 7))),
		    0);
		if ((i & (i - 1)) == 0) {
			for (uint32_t k = 0; k <= i; k++)
				if (look(IPPROTO_TCP, htonl(0xc0000000U + k / 7), (uint16_t)(k % 7), A, 80, 1) != c[k])
					cr_assert_fail("%u of %u not found", k, i);
		}
	}
	cr_assert_eq(ipcl_count(), N);
	for (uint32_t i = 0; i < N; i += 2)
		CONN_DEC_REF(c[i]);
	for (uint32_t i = 0; i < N; i++)
		if (look(IPPROTO_TCP, htonl(0xc0000000U + i / 7), (uint16_t)(i % 7), A, 80, 1) != (i & 1 ? c[i] : NULL))
			cr_assert_fail("%u", i);
	for (uint32_t i = 1; i < N; i += 2)
		CONN_DEC_REF(c[i]);
	cr_assert_eq(ipcl_count(), 0);
	free(c);
}

/* Without memory the table stays as it is, and right. */
Test(ipcl, no_memory)
{
	enum { N = 1000 };
	static conn_t *c[N];

	kmem_fail_nth(1);
	cr_assert_null(ipcl_conn_create(IPCL_IPCCONN, KM_NOSLEEP));
	kmem_fail_nth(2);
	cr_assert_null(ipcl_conn_create(IPCL_TCPCONN, KM_NOSLEEP));
	kmem_fail_nth(0);
	for (uint32_t i = 0; i < N; i++)
		c[i] = fresh();
	kmem_fail_nth(-1);
	cr_assert_eq(ipcl_conn_insert(c[0], IPPROTO_TCP, A, B, ports(80, 0)), ENOMEM);
	kmem_fail_nth(0);
	cr_assert_eq(ipcl_conn_insert(c[0], IPPROTO_TCP, A, B, ports(80, 0)), 0);
	kmem_fail_nth(-1);
	for (uint32_t i = 1; i < N; i++)
		cr_assert_eq(ipcl_conn_insert(c[i], IPPROTO_TCP, A, B, ports(80, (uint16_t)i)), 0);
	kmem_fail_nth(0);
	for (uint32_t i = 0; i < N; i++)
		cr_assert_eq(look(IPPROTO_TCP, B, (uint16_t)i, A, 80, 1), c[i]);
	for (uint32_t i = 0; i < N; i++)
		CONN_DEC_REF(c[i]);
}

Test(ipcl, ports)
{
	in_port_t next = 0;

	cr_assert_eq(ipcl_port_anon(IPPROTO_UDP, 32768, 32770, &next), htons(32768));
	ipcl_port_hold(IPPROTO_UDP, htons(32769));
	ipcl_port_hold(IPPROTO_UDP, htons(32769));
	cr_assert_eq(ipcl_port_anon(IPPROTO_UDP, 32768, 32770, &next), htons(32770));
	cr_assert_eq(ipcl_port_anon(IPPROTO_UDP, 32768, 32770, &next), htons(32768));
	ipcl_port_hold(IPPROTO_UDP, htons(32768));
	ipcl_port_hold(IPPROTO_UDP, htons(32770));
	cr_assert_eq(ipcl_port_anon(IPPROTO_UDP, 32768, 32770, &next), 0);
	cr_assert_eq(ipcl_port_anon(IPPROTO_TCP, 32768, 32770, &next), htons(32769));
	ipcl_port_rele(IPPROTO_UDP, htons(32769));
	cr_assert_eq(ipcl_port_users(IPPROTO_UDP, htons(32769)), 1);
	cr_assert_eq(ipcl_port_anon(IPPROTO_UDP, 32768, 32770, &next), 0);
	ipcl_port_rele(IPPROTO_UDP, htons(32769));
	cr_assert_eq(ipcl_port_anon(IPPROTO_UDP, 32768, 32770, &next), htons(32769));
}
