/* Option management (TPI: T_OPTMGMT_REQ, T_SVR4_OPTMGMT_REQ). */
#include <string.h>

#include "ip/optcom.h"
#include "sys/errno.h"
#include "sys/tiuser.h"

void optcom_err_ack(queue_t *q, mblk_t *mp, t_scalar_t tlierr, int error)
{
	struct T_error_ack ack = {T_ERROR_ACK, ((union T_primitives *)mp->b_rptr)->type, tlierr, error};

	if ((mp = mexchange(q, mp, sizeof(ack), M_PCPROTO, T_ERROR_ACK)) == NULL)
		return;
	memcpy(mp->b_rptr, &ack, sizeof(ack));
	qreply(q, mp);
}

/* One option of a request, whatever its form. */
typedef struct optref {
	t_uscalar_t or_level, or_name;
	uchar_t *or_val;
	size_t or_len;
	size_t or_size; /* of the whole entry */
} optref_t;

/* The option at off in the message's block: B_FALSE when it does not fit into
 * `end'. */
static boolean_t optref_get(const mblk_t *mp, size_t off, size_t end, optref_t *ref)
{
	boolean_t svr4 = ((union T_primitives *)mp->b_rptr)->type == T_SVR4_OPTMGMT_REQ;
	struct opthdr oh;
	struct T_opthdr th;

	if (svr4) {
		if (off + sizeof(oh) > end)
			return (B_FALSE);
		memcpy(&oh, mp->b_rptr + off, sizeof(oh));
		if (oh.len > end - off - sizeof(oh))
			return (B_FALSE);
		*ref =
		    (optref_t){oh.level, oh.name, mp->b_rptr + off + sizeof(oh), oh.len, sizeof(oh) + OPTLEN(oh.len)};
		return (B_TRUE);
	}
	if (off + sizeof(th) > end)
		return (B_FALSE);
	memcpy(&th, mp->b_rptr + off, sizeof(th));
	if (th.len < sizeof(th) || th.len > end - off)
		return (B_FALSE);
	*ref = (optref_t){th.level, th.name, mp->b_rptr + off + sizeof(th), th.len - sizeof(th), _T_ALIGN(th.len)};
	return (B_TRUE);
}

/* The part of the block with options: B_FALSE when the request is malformed. */
static boolean_t optcom_range(const mblk_t *mp, size_t *off, size_t *end)
{
	const struct T_optmgmt_req *req = (const struct T_optmgmt_req *)mp->b_rptr;
	ssize_t len = MBLKL(mp);

	if (len < (ssize_t)sizeof(*req) || req->OPT_offset < 0 || req->OPT_length < 0 || req->OPT_offset > len ||
	    req->OPT_length > len - req->OPT_offset)
		return (B_FALSE);
	*off = (size_t)req->OPT_offset;
	*end = *off + (size_t)req->OPT_length;
	return (B_TRUE);
}

boolean_t optcom_any(mblk_t *mp, boolean_t (*pred)(t_uscalar_t level, t_uscalar_t name))
{
	size_t off, end;
	optref_t ref;

	if (!optcom_range(mp, &off, &end))
		return (B_FALSE);
	for (; off < end && optref_get(mp, off, end, &ref); off += ref.or_size)
		if (pred(ref.or_level, ref.or_name))
			return (B_TRUE);
	return (B_FALSE);
}

/* Set all options; the first error ends it.  0, errno, or OPT_UNKNOWN; *badopt:
 * the list is malformed. */
static int optcom_set_all(const mblk_t *mp, size_t off, size_t end, void *arg, opt_set_fn set, boolean_t check,
			  boolean_t *badopt)
{
	optref_t ref;
	int error;

	for (; off < end; off += ref.or_size) {
		if (!optref_get(mp, off, end, &ref)) {
			*badopt = B_TRUE;
			return (0);
		}
		if ((error = set(arg, ref.or_level, ref.or_name, ref.or_val, ref.or_len, check)) != 0)
			return (error);
	}
	return (0);
}

/* Space the answer to a request for values may take. */
static size_t optcom_answer_size(const mblk_t *mp, size_t off, size_t end)
{
	size_t size = sizeof(struct T_optmgmt_ack);
	optref_t ref;

	for (; off < end && optref_get(mp, off, end, &ref); off += ref.or_size)
		size += sizeof(struct T_opthdr) + OPT_MAXVAL;
	return (size);
}

/* Append an option with its value to the answer. */
static void optcom_put(mblk_t *ack, boolean_t svr4, const optref_t *ref, const uchar_t *val, size_t len)
{
	size_t hdr = svr4 ? sizeof(struct opthdr) : sizeof(struct T_opthdr);
	struct opthdr oh = {ref->or_level, ref->or_name, (t_uscalar_t)len};
	struct T_opthdr th = {(t_uscalar_t)(hdr + len), ref->or_level, ref->or_name, T_SUCCESS};

	memset(ack->b_wptr, 0, hdr + _T_ALIGN(len));
	memcpy(ack->b_wptr, svr4 ? (const void *)&oh : (const void *)&th, hdr);
	memcpy(ack->b_wptr + hdr, val, len);
	ack->b_wptr += hdr + _T_ALIGN(len);
}

/* Answer with the values asked for. */
static void optcom_get_all(queue_t *q, mblk_t *mp, size_t off, size_t end, void *arg, opt_get_fn get, boolean_t dflt)
{
	boolean_t svr4 = ((union T_primitives *)mp->b_rptr)->type == T_SVR4_OPTMGMT_REQ;
	mblk_t *ack = allocb(optcom_answer_size(mp, off, end), BPRI_MED);
	struct T_optmgmt_ack *toa;
	uchar_t val[OPT_MAXVAL];
	optref_t ref;
	int len;

	if (ack == NULL) {
		optcom_err_ack(q, mp, TSYSERR, ENOMEM);
		return;
	}
	ack->b_wptr += sizeof(*toa);
	for (; off < end; off += ref.or_size) {
		if (!optref_get(mp, off, end, &ref) || (len = get(arg, ref.or_level, ref.or_name, val, dflt)) < 0) {
			freemsg(ack);
			optcom_err_ack(q, mp, TBADOPT, 0);
			return;
		}
		optcom_put(ack, svr4, &ref, val, (size_t)len);
	}
	toa = (struct T_optmgmt_ack *)ack->b_rptr;
	toa->PRIM_type = T_OPTMGMT_ACK;
	toa->OPT_offset = sizeof(*toa);
	toa->OPT_length = (t_scalar_t)(MBLKL(ack) - (ssize_t)sizeof(*toa));
	toa->MGMT_flags = T_SUCCESS;
	DB_TYPE(ack) = M_PCPROTO;
	freemsg(mp);
	qreply(q, ack);
}

void svr4_optcom_req(queue_t *q, mblk_t *mp, void *arg, opt_set_fn set, opt_get_fn get)
{
	struct T_optmgmt_req *req = (struct T_optmgmt_req *)mp->b_rptr;
	boolean_t badopt = B_FALSE;
	size_t off, end;
	int error;

	if (!optcom_range(mp, &off, &end)) {
		optcom_err_ack(q, mp, TBADOPT, 0);
		return;
	}
	switch (req->MGMT_flags) {
	case T_NEGOTIATE:
	case T_CHECK:
		error = optcom_set_all(mp, off, end, arg, set, req->MGMT_flags == T_CHECK, &badopt);
		if (badopt || error == OPT_UNKNOWN) {
			optcom_err_ack(q, mp, TBADOPT, 0);
		} else if (error != 0) {
			optcom_err_ack(q, mp, TSYSERR, error);
		} else {
			DB_TYPE(mp) = M_PCPROTO;
			req->PRIM_type = T_OPTMGMT_ACK;
			req->MGMT_flags = T_SUCCESS;
			qreply(q, mp);
		}
		return;
	case T_CURRENT:
	case T_DEFAULT:
		optcom_get_all(q, mp, off, end, arg, get, req->MGMT_flags == T_DEFAULT);
		return;
	default:
		optcom_err_ack(q, mp, TBADFLAG, 0);
	}
}
