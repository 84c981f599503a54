/*
 * Subroutines of D other than those on strings.
 */
#include "probectx.h"
#include "sys/stream.h"
#include "sys/thread.h"
#include "dtrace_impl.h"

enum { MAXBLOCKS = 128 }; /* of a message, before it is taken for a loop */

/* Fewest arguments of each subroutine. */
uint32_t dif_subr_nargs(uint32_t subr)
{
	switch (subr) {
	case DIF_SUBR_RAND:
	case DIF_SUBR_SPECULATION:
		return 0;
	case DIF_SUBR_COPYIN:
	case DIF_SUBR_STRJOIN:
	case DIF_SUBR_STRCHR:
	case DIF_SUBR_STRRCHR:
	case DIF_SUBR_STRSTR:
	case DIF_SUBR_STRTOK:
	case DIF_SUBR_SUBSTR:
	case DIF_SUBR_INDEX:
	case DIF_SUBR_RINDEX:
	case DIF_SUBR_INET_NTOP:
	case DIF_SUBR_LINK_NTOP:
	case DIF_SUBR_JSON:
	case DIF_SUBR_DDI_PATHNAME:
		return 2;
	case DIF_SUBR_COPYINTO:
	case DIF_SUBR_COPYOUT:
	case DIF_SUBR_COPYOUTSTR:
	case DIF_SUBR_BCOPY:
		return 3;
	default:
		return 1;
	}
}

static int bad(mstate_t *ms, uint64_t addr)
{
	ms->ms_faddr = addr;
	return DTRACEFLT_BADADDR;
}

/* Bytes of a message: of all blocks, or of its data blocks.  The message may be anything. */
int dif_msgsize(mstate_t *ms, uint64_t mp, bool data_only, uint64_t *result)
{
	uint64_t rptr, wptr, datap, type, size = 0;
	int n;

	for (n = 0; mp != 0; n++) {
		if (n > MAXBLOCKS)
			return DTRACEFLT_ILLOP;
		if (!fetch_u64(&rptr, mp + offsetof(mblk_t, b_rptr)) ||
		    !fetch_u64(&wptr, mp + offsetof(mblk_t, b_wptr)) ||
		    !fetch_u64(&datap, mp + offsetof(mblk_t, b_datap)))
			return bad(ms, mp);
		if (data_only && !fetch_u8(&type, datap + offsetof(dblk_t, db_type)))
			return bad(ms, datap);
		if (wptr < rptr)
			return bad(ms, rptr);
		if (!data_only || type == M_DATA)
			size += wptr - rptr;
		if (!fetch_u64(&mp, mp + offsetof(mblk_t, b_cont)))
			return bad(ms, mp);
	}
	*result = size;
	return 0;
}

/* copyin(addr, n) and copyinstr(addr[, max]). */
static int copy_in(mstate_t *ms, bool string, uint64_t *result)
{
	uint64_t addr = ms->ms_tuple[0].val, n = ms->ms_state->st_conf.c_strsize;
	char *p;

	if (!string || (ms->ms_ntuple > 1 && ms->ms_tuple[1].val < n))
		n = ms->ms_tuple[1].val;
	p = dif_scratch(ms, MAX(n, 1));
	if (p == NULL)
		return DTRACEFLT_NOSCRATCH;
	*result = (uintptr_t)p;
	if (string ? dtrace_copystr(p, (const char *)(uintptr_t)addr, MAX(n, 1)) < 0
		   : dtrace_copyfrom(p, (const void *)(uintptr_t)addr, n) != 0)
		return bad(ms, addr);
	return 0;
}

/* n bytes to memory that D programs may write. */
static int copy_to(mstate_t *ms, uint64_t from, uint64_t to, uint64_t n)
{
	if (!dif_canstore(ms, to, n))
		return bad(ms, to);
	return dtrace_copyfrom((void *)(uintptr_t)to, (const void *)(uintptr_t)from, n) == 0 ? 0 : bad(ms, from);
}

/*
 * copyout(buf, uaddr, n) and copyoutstr(str, uaddr, max).  A modelled process has its memory in this very program, and
 * nothing tells it from the tracer's; so it is refused as to a program without the privilege to change it.
 */
static int copy_out(mstate_t *ms, bool string)
{
	uint64_t from = ms->ms_tuple[0].val, to = ms->ms_tuple[1].val, n = ms->ms_tuple[2].val, i, v;

	if (!ms->ms_state->st_conf.c_destructive)
		return DTRACEFLT_ILLOP;
	for (i = 0; i < n; i++) {
		if (!fetch_u8(&v, from + i))
			return bad(ms, from + i);
		if (string && v == 0)
			break;
	}
	if (n == 0)
		return 0;
	if (!fetch_u8(&v, to))
		return bad(ms, to);
	return DTRACEFLT_UPRIV;
}

static uint64_t progeny_of(uint64_t pid)
{
	const proc_t *p;

	for (p = curthread == NULL ? p0 : curthread->t_procp; p != NULL; p = p->p_parent)
		if (p->p_pid == (pid_t)pid)
			return 1;
	return 0;
}

static int scratch(mstate_t *ms, uint64_t n, uint64_t *result)
{
	char *p = dif_scratch(ms, n);

	if (p == NULL)
		return DTRACEFLT_NOSCRATCH;
	mem_zero(p, n);
	*result = (uintptr_t)p;
	return 0;
}

static uint64_t swapped(uint32_t subr, uint64_t v)
{
	if (subr == DIF_SUBR_HTONS || subr == DIF_SUBR_NTOHS)
		return __builtin_bswap16((uint16_t)v);
	if (subr == DIF_SUBR_HTONL || subr == DIF_SUBR_NTOHL)
		return __builtin_bswap32((uint32_t)v);
	return __builtin_bswap64(v);
}

int dif_subr(mstate_t *ms, uint32_t subr, uint64_t *result)
{
	uint64_t a0 = ms->ms_tuple[0].val;

	if ((uint32_t)ms->ms_ntuple < dif_subr_nargs(subr))
		return DTRACEFLT_ILLOP;
	switch (subr) {
	case DIF_SUBR_RAND:
		*result = ((uint64_t)mstate_now(ms) * 2416 + 374441) % 1771875;
		return 0;
	case DIF_SUBR_MUTEX_OWNED: /* the model has no locks: nothing is held */
	case DIF_SUBR_MUTEX_OWNER:
	case DIF_SUBR_MUTEX_TYPE_ADAPTIVE:
	case DIF_SUBR_MUTEX_TYPE_SPIN:
	case DIF_SUBR_RW_READ_HELD:
	case DIF_SUBR_RW_WRITE_HELD:
	case DIF_SUBR_RW_ISWRITER:
		*result = 0;
		return 0;
	case DIF_SUBR_COPYIN:
		return copy_in(ms, false, result);
	case DIF_SUBR_COPYINSTR:
		return copy_in(ms, true, result);
	case DIF_SUBR_COPYINTO:
		*result = 0;
		return copy_to(ms, a0, ms->ms_tuple[2].val, ms->ms_tuple[1].val);
	case DIF_SUBR_BCOPY:
		*result = 0;
		return copy_to(ms, a0, ms->ms_tuple[1].val, ms->ms_tuple[2].val);
	case DIF_SUBR_COPYOUT:
	case DIF_SUBR_COPYOUTSTR:
		*result = 0;
		return copy_out(ms, subr == DIF_SUBR_COPYOUTSTR);
	case DIF_SUBR_SPECULATION:
		*result = spec_new(ms->ms_state);
		return 0;
	case DIF_SUBR_PROGENYOF:
		*result = progeny_of(a0);
		return 0;
	case DIF_SUBR_ALLOCA:
		return scratch(ms, a0, result);
	case DIF_SUBR_MSGSIZE:
		return dif_msgsize(ms, a0, false, result);
	case DIF_SUBR_MSGDSIZE:
		return dif_msgsize(ms, a0, true, result);
	case DIF_SUBR_GETMAJOR:
		*result = (uint64_t)(int64_t)getmajor(a0);
		return 0;
	case DIF_SUBR_GETMINOR:
		*result = (uint64_t)(int64_t)getminor(a0);
		return 0;
	case DIF_SUBR_DDI_PATHNAME: /* devices of the model have no tree to have a path in */
		*result = (uintptr_t) "<unknown>";
		return 0;
	case DIF_SUBR_HTONS:
	case DIF_SUBR_HTONL:
	case DIF_SUBR_HTONLL:
	case DIF_SUBR_NTOHS:
	case DIF_SUBR_NTOHL:
	case DIF_SUBR_NTOHLL:
		*result = swapped(subr, a0);
		return 0;
	case DIF_SUBR_TLSADDR:
		*result = (uintptr_t)__builtin_thread_pointer() + a0;
		return 0;
	default:
		return dif_string(ms, subr, result);
	}
}
