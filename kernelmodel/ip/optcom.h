/*
 * Option management of the transports: walks the options of a
 * T_SVR4_OPTMGMT_REQ (struct opthdr) or T_OPTMGMT_REQ (struct T_opthdr) and makes
 * the acknowledgement.
 */
#ifndef STRSIM_OPTCOM_H
#define STRSIM_OPTCOM_H

#include "sys/types.h"
#include "sys/stream.h"
#include "sys/tihdr.h"

#define OPT_MAXVAL 256 /* longest value of an option */

/* Set an option (checkonly: only say whether it could be): 0, or errno; OPT_UNKNOWN. */
typedef int (*opt_set_fn)(void *arg, t_uscalar_t level, t_uscalar_t name, const uchar_t *val, size_t len,
			  boolean_t checkonly);
/* Its value into val[OPT_MAXVAL] (dflt: the one it begins with): the length, or -1 for an unknown one. */
typedef int (*opt_get_fn)(void *arg, t_uscalar_t level, t_uscalar_t name, uchar_t *val, boolean_t dflt);
#define OPT_UNKNOWN (-1)

/* Do what mp asks and answer it on q (the provider's write queue) with T_OPTMGMT_ACK or T_ERROR_ACK. */
void svr4_optcom_req(queue_t *q, mblk_t *mp, void *arg, opt_set_fn set, opt_get_fn get);
/* Is any option of the request among those `pred' knows?  A malformed request has none. */
boolean_t optcom_any(mblk_t *mp, boolean_t (*pred)(t_uscalar_t level, t_uscalar_t name));
/* T_ERROR_ACK for the primitive mp (consumed). */
void optcom_err_ack(queue_t *q, mblk_t *mp, t_scalar_t tlierr, int error);

#endif
