/* Credentials: counted, immutable once shared (ddi_cred(9F)). */
#include "sys/thread.h"

KLOCAL cred_t *kcred;

cred_t *crget(uid_t uid, gid_t gid)
{
	cred_t *cr = kmem_alloc(sizeof(*cr), KM_SLEEP);

	cr->cr_ref = 1;
	cr->cr_uid = cr->cr_ruid = uid;
	cr->cr_gid = cr->cr_rgid = gid;
	return cr;
}

void crhold(cred_t *cr)
{
	cr->cr_ref++;
}

void crfree(cred_t *cr)
{
	if (--cr->cr_ref == 0)
		kmem_free(cr, sizeof(*cr));
}
