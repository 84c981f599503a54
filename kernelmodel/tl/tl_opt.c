/*
 * tl: options.  There is one, which is a switch: whether the endpoint's
 * T_CONN_IND and T_UNITDATA_IND show the credentials of who sent them.  It is set
 * by option management or by an ioctl, and is not for sockets.
 */
#include <string.h>

#include "ip/optcom.h"
#include "sys/errno.h"
#include "tl/tl.h"

static int tl_opt_set(void *arg, t_uscalar_t level, t_uscalar_t name, const uchar_t *val, size_t len,
		      boolean_t checkonly)
{
	tl_endpt_t *tep = arg;
	int on;

	if (level != TL_PROT_LEVEL || name != TL_OPT_PEER_CRED || IS_SOCKET(tep))
		return OPT_UNKNOWN;
	if (len != sizeof(on))
		return EINVAL;
	memcpy(&on, val, sizeof(on));
	if (!checkonly)
		tep->te_setcred = on != 0;
	return 0;
}

static int tl_opt_get(void *arg, t_uscalar_t level, t_uscalar_t name, uchar_t *val, boolean_t dflt)
{
	const tl_endpt_t *tep = arg;
	int on = !dflt && tep->te_setcred;

	if (level != TL_PROT_LEVEL || name != TL_OPT_PEER_CRED || IS_SOCKET(tep))
		return -1;
	memcpy(val, &on, sizeof(on));
	return sizeof(on);
}

void tl_optmgmt(mblk_t *mp, tl_endpt_t *tep)
{
	svr4_optcom_req(tep->te_wq, mp, tep, tl_opt_set, tl_opt_get);
}

/* TL_IOC_CREDOPT. */
static void tl_do_ioctl(mblk_t *mp, tl_endpt_t *tep)
{
	int error = IS_SOCKET(tep) ? EINVAL : miocpullup(mp, sizeof(uint32_t));

	if (error != 0) {
		miocnak(tep->te_wq, mp, 0, error);
		return;
	}
	tep->te_setcred = *(const uint32_t *)(const void *)mp->b_cont->b_rptr != 0;
	miocack(tep->te_wq, mp, 0, 0);
}

void tl_do_ioctl_ser(mblk_t *mp, void *arg)
{
	tl_endpt_t *tep = arg;

	tl_do_ioctl(mp, tep);
	tl_serializer_exit(tep);
	tl_refrele(tep);
}

/* ---- credentials in indications ---- */

size_t tl_cred_optlen(const tl_endpt_t *to)
{
	return to->te_setcred ? sizeof(struct T_opthdr) + sizeof(tl_credopt_t) : 0;
}

void tl_cred_append(const tl_endpt_t *to, mblk_t *ind, const mblk_t *mp)
{
	const cred_t *cr = DB_CREDDEF(mp, kcred);
	struct T_opthdr oh = {sizeof(oh) + sizeof(tl_credopt_t), TL_PROT_LEVEL, TL_OPT_PEER_CRED, T_SUCCESS};
	tl_credopt_t tc = {cr->cr_uid, cr->cr_ruid, cr->cr_uid, cr->cr_gid, cr->cr_rgid, cr->cr_gid, 0};

	if (!to->te_setcred)
		return;
	tl_append(ind, &oh, sizeof(oh));
	tl_append(ind, &tc, sizeof(tc));
}
