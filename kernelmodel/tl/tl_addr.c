/*
 * tl: addresses.
 *
 * An address is any string of octets (ticots(7D)); a socket's is a so_ux_addr_t:
 * the vnode that is its name, or a number of tl's own with the magic word
 * SOU_MAGIC_IMPLICIT.  Each of the six transports has addresses of its own.
 * Two tables find endpoints, by address and by minor number (that is also the
 * acceptor's identifier); they double when they are full.
 */
#include <string.h>

#include "sys/errno.h"
#include "sys/socketvar.h"
#include "sys/tiuser.h"
#include "tl/tl.h"

enum { TL_HASH_FIRSTSIZE = 64 };

typedef struct tl_hash {
	tl_endpt_t **th_table;
	uint32_t th_size, th_count;
} tl_hash_t;

static KLOCAL tl_endpt_t *tl_firsttab[TL_NHASH][TL_HASH_FIRSTSIZE];
static KLOCAL tl_hash_t tl_hash[TL_NHASH];
static KLOCAL uint32_t tl_lastanon; /* the address chosen last for an endpoint that did not care */

/* ---- tables ---- */

static tl_endpt_t **tl_bucket(int which, uint32_t hval)
{
	tl_hash_t *th = &tl_hash[which];

	if (th->th_table == NULL) {
		th->th_table = tl_firsttab[which];
		th->th_size = TL_HASH_FIRSTSIZE;
	}
	return &th->th_table[hval * 2654435761U >> 8 & (th->th_size - 1)];
}

static void tl_hash_link(int which, tl_endpt_t *tep)
{
	tl_endpt_t **bucket = tl_bucket(which, tep->te_hval[which]);

	tep->te_hnext[which] = *bucket;
	*bucket = tep;
}

static void tl_hash_free(int which, tl_endpt_t **table, uint32_t size)
{
	if (table == tl_firsttab[which])
		memset(tl_firsttab[which], 0, sizeof(tl_firsttab[which]));
	else if (table != NULL)
		kmem_free(table, size * sizeof(*table));
}

/* Without memory it stays as it is. */
static void tl_hash_grow(int which)
{
	tl_hash_t *th = &tl_hash[which];
	tl_endpt_t **old = th->th_table, **table = kmem_zalloc(2 * th->th_size * sizeof(*table), KM_NOSLEEP), *next;
	uint32_t oldsize = th->th_size;

	if (table == NULL)
		return;
	th->th_table = table;
	th->th_size *= 2;
	for (uint32_t i = 0; i < oldsize; i++) {
		for (tl_endpt_t *tep = old[i]; tep != NULL; tep = next) {
			next = tep->te_hnext[which];
			tl_hash_link(which, tep);
		}
	}
	tl_hash_free(which, old, oldsize);
}

void tl_hash_insert(int which, tl_endpt_t *tep, uint32_t hval)
{
	tep->te_hval[which] = hval;
	tl_hash_link(which, tep);
	if (++tl_hash[which].th_count > tl_hash[which].th_size)
		tl_hash_grow(which);
}

void tl_hash_remove(int which, tl_endpt_t *tep)
{
	tl_endpt_t **pp = tl_bucket(which, tep->te_hval[which]);

	while (*pp != tep)
		pp = &(*pp)->te_hnext[which];
	*pp = tep->te_hnext[which];
	tl_hash[which].th_count--;
}

void tl_addr_fini(void)
{
	for (int i = 0; i < TL_NHASH; i++) {
		tl_hash_free(i, tl_hash[i].th_table, tl_hash[i].th_size);
		tl_hash[i] = (tl_hash_t){NULL, 0, 0};
	}
	tl_lastanon = 0;
}

/* ---- finding ---- */

/* The bytes and the transport (FNV-1a). */
static uint32_t tl_addr_hval(uint_t transport, const uchar_t *addr, t_scalar_t alen)
{
	uint32_t h = (2166136261U ^ transport) * 16777619U;

	for (t_scalar_t i = 0; i < alen; i++)
		h = (h ^ addr[i]) * 16777619U;
	return h;
}

tl_endpt_t *tl_find_addr(uint_t transport, const void *addr, t_scalar_t alen)
{
	uint32_t hval = tl_addr_hval(transport, addr, alen);
	tl_endpt_t *tep = *tl_bucket(TL_HASH_ADDR, hval);

	while (tep != NULL && (tep->te_hval[TL_HASH_ADDR] != hval || tep->te_transport != transport ||
			       tep->te_alen != alen || memcmp(tep->te_abuf, addr, (size_t)alen) != 0))
		tep = tep->te_hnext[TL_HASH_ADDR];
	return tep;
}

tl_endpt_t *tl_find_minor(minor_t minor)
{
	tl_endpt_t *tep = *tl_bucket(TL_HASH_MINOR, (uint32_t)minor);

	while (tep != NULL && tep->te_minor != minor)
		tep = tep->te_hnext[TL_HASH_MINOR];
	return tep;
}

/* ---- having an address ---- */

static bool tl_setaddr(tl_endpt_t *tep, const void *addr, t_scalar_t alen)
{
	tep->te_abuf = kmem_alloc((size_t)alen, KM_NOSLEEP);
	if (tep->te_abuf == NULL)
		return false;
	memcpy(tep->te_abuf, addr, (size_t)alen);
	tep->te_alen = alen;
	return true;
}

bool tl_copyaddr(tl_endpt_t *tep, const tl_endpt_t *from)
{
	return from->te_abuf == NULL || tl_setaddr(tep, from->te_abuf, from->te_alen);
}

void tl_unbind_addr(tl_endpt_t *tep)
{
	if (tep->te_abuf == NULL)
		return;
	if (tep->te_addrhashed)
		tl_hash_remove(TL_HASH_ADDR, tep);
	tep->te_addrhashed = false;
	kmem_free(tep->te_abuf, (size_t)tep->te_alen);
	tep->te_abuf = NULL;
	tep->te_alen = 0;
}

/* ---- T_BIND_REQ ---- */

/* An address that nobody has, into addr; its length. */
static t_scalar_t tl_anon_addr(const tl_endpt_t *tep, so_ux_addr_t *addr)
{
	if (IS_SOCKET(tep)) {
		memset(addr, 0, sizeof(*addr));
		addr->soua_vp = (struct vnode *)(uintptr_t)(uint32_t)tep->te_minor;
		addr->soua_magic = SOU_MAGIC_IMPLICIT;
		return sizeof(*addr);
	}
	do {
		tl_lastanon++;
		memcpy(addr, &tl_lastanon, sizeof(tl_lastanon));
	} while (tl_find_addr(tep->te_transport, addr, sizeof(tl_lastanon)) != NULL);
	return sizeof(tl_lastanon);
}

/* A socket names a vnode. */
static bool tl_socket_addr(const uchar_t *addr, t_scalar_t alen)
{
	so_ux_addr_t ux;

	if (alen != (t_scalar_t)sizeof(ux))
		return false;
	memcpy(&ux, addr, sizeof(ux));
	return ux.soua_magic == SOU_MAGIC_EXPLICIT || ux.soua_magic == SOU_MAGIC_IMPLICIT;
}

/*
 * Bind to the address that the request names, or to one of tl's choosing: 0, or
 * the TLI error with *errorp.  The old form of the request takes another address
 * when the one it wants is taken.
 */
static int tl_dobind(const mblk_t *mp, tl_endpt_t *tep, int *errorp)
{
	const struct T_bind_req *req = (const struct T_bind_req *)mp->b_rptr;
	const void *addr = tl_part(mp, req->ADDR_offset, req->ADDR_length);
	t_scalar_t alen = req->ADDR_length;
	so_ux_addr_t anon;

	*errorp = 0;
	if (alen < 0 || (alen > 0 && addr == NULL) || (addr != NULL && IS_SOCKET(tep) && !tl_socket_addr(addr, alen)))
		return TBADADDR;
	if (addr != NULL && tl_find_addr(tep->te_transport, addr, alen) != NULL) {
		if (req->PRIM_type == T_BIND_REQ || IS_SOCKET(tep))
			return TADDRBUSY;
		addr = NULL;
	}
	if (addr == NULL) {
		alen = tl_anon_addr(tep, &anon);
		addr = &anon;
	}
	if (!tl_setaddr(tep, addr, alen)) {
		*errorp = ENOMEM;
		return TSYSERR;
	}
	return 0;
}

/* The answer to a T_BIND_REQ that was done; NULL without memory. */
static mblk_t *tl_bind_ack(const tl_endpt_t *tep, t_uscalar_t qlen)
{
	struct T_bind_ack ack = {T_BIND_ACK, tep->te_alen, sizeof(ack), qlen};
	mblk_t *ackmp = tl_prim_alloc(M_PCPROTO, &ack, sizeof(ack), (size_t)tep->te_alen);

	if (ackmp != NULL)
		tl_append(ackmp, tep->te_abuf, tep->te_alen);
	return ackmp;
}

void tl_bind(mblk_t *mp, tl_endpt_t *tep)
{
	const struct T_bind_req *req = (const struct T_bind_req *)mp->b_rptr;
	mblk_t *ackmp = tl_ack_alloc(tep, mp), *bindmp;
	t_uscalar_t qlen;
	int error = 0, tli;

	if (ackmp == NULL)
		return;
	if (tep->te_state != TS_UNBND) {
		tli = TOUTSTATE;
	} else if (MBLKL(mp) < (ssize_t)sizeof(*req)) {
		tli = TSYSERR;
		error = EINVAL;
	} else {
		tli = tl_dobind(mp, tep, &error);
	}
	if (tli != 0) {
		tl_error_ack(tep, ackmp, TL_PRIM(mp), tli, error);
		freemsg(mp);
		return;
	}
	qlen = IS_CLTS(tep) ? 0 : req->CONIND_number;
	bindmp = tl_bind_ack(tep, qlen);
	if (bindmp == NULL) {
		tl_unbind_addr(tep);
		tl_error_ack(tep, ackmp, TL_PRIM(mp), TSYSERR, ENOMEM);
		freemsg(mp);
		return;
	}
	freemsg(mp);
	freemsg(ackmp);
	tep->te_addrhashed = true;
	tl_hash_insert(TL_HASH_ADDR, tep, tl_addr_hval(tep->te_transport, tep->te_abuf, tep->te_alen));
	tep->te_qlen = qlen;
	tep->te_state = TS_IDLE;
	(void)putnext(tep->te_rq, bindmp);
}

/* ---- T_UNBIND_REQ ---- */

void tl_unbind(mblk_t *mp, tl_endpt_t *tep)
{
	mblk_t *ackmp = tl_ack_alloc(tep, mp);

	if (ackmp == NULL)
		return;
	freemsg(mp);
	if (tep->te_state != TS_IDLE) {
		tl_error_ack(tep, ackmp, T_UNBIND_REQ, TOUTSTATE, 0);
		return;
	}
	tl_unbind_addr(tep);
	tep->te_qlen = 0;
	tep->te_state = TS_UNBND;
	(void)putnextctl1(tep->te_rq, M_FLUSH, FLUSHRW);
	tl_ok_ack(tep, ackmp, T_UNBIND_REQ);
}

/* ---- T_ADDR_REQ ---- */

void tl_addr_req(mblk_t *mp, tl_endpt_t *tep)
{
	const tl_endpt_t *peer = tep->te_conp;
	struct T_addr_ack ack = {.PRIM_type = T_ADDR_ACK, .LOCADDR_length = tep->te_alen};
	mblk_t *ackmp;

	if (peer != NULL)
		ack.REMADDR_length = peer->te_alen;
	if (ack.LOCADDR_length != 0)
		ack.LOCADDR_offset = sizeof(ack);
	if (ack.REMADDR_length != 0)
		ack.REMADDR_offset = (t_scalar_t)sizeof(ack) + ack.LOCADDR_length;
	ackmp = tl_prim_alloc(M_PCPROTO, &ack, sizeof(ack), (size_t)(ack.LOCADDR_length + ack.REMADDR_length));
	if (ackmp == NULL) {
		tl_memrecover(tep, mp, sizeof(ack));
		return;
	}
	tl_append(ackmp, tep->te_abuf, tep->te_alen);
	if (peer != NULL)
		tl_append(ackmp, peer->te_abuf, peer->te_alen);
	freemsg(mp);
	(void)putnext(tep->te_rq, ackmp);
}
