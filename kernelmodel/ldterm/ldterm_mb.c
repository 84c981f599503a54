/*
 * ldterm, code sets with characters of several bytes (sys/euc.h).
 *
 * A line is bytes, and an erase takes a whole character off: where it begins
 * is found by reading the line from its first byte, for in some code sets a
 * later byte can look like a first one.  A sequence that breaks off, or a byte
 * that begins nothing, is ordinary bytes.
 */
#include <string.h>

#include "ldterm/ldterm.h"
#include "sys/errno.h"

/* ---- choosing ---- */

/* Take the description over: characters of several bytes, or of no ordinary width, need TS_MEUC. */
static void ldterm_set_codeset(ldtermstd_state_t *tp, const ldterm_cs_data_user_t *cs)
{
	bool wide = cs->codeset_type == LDTERM_CS_TYPE_UTF8;

	tp->t_maxeuc = wide ? 4 : 1;
	tp->t_csdata = *cs;
	for (size_t i = 0; i < cs->csinfo_num && cs->codeset_type != LDTERM_CS_TYPE_UTF8; i++) {
		size_t shift = cs->codeset_type == LDTERM_CS_TYPE_EUC && i >= 2 && cs->eucpc_data[i].byte_length != 0;
		size_t len = cs->eucpc_data[i].byte_length + shift;

		tp->t_maxeuc = MAX(tp->t_maxeuc, len);
		if (len > 1 || (len == 1 && cs->eucpc_data[i].screen_width != 1))
			wide = true;
	}
	memset(&tp->t_inmb, 0, sizeof(tp->t_inmb));
	memset(&tp->t_outmb, 0, sizeof(tp->t_outmb));
	memset(&tp->t_echomb, 0, sizeof(tp->t_echomb));
	tp->t_state = wide ? tp->t_state | TS_MEUC : tp->t_state & ~TS_MEUC;
}

int ldterm_set_eucw(ldtermstd_state_t *tp, const eucioc_t *euc)
{
	ldterm_cs_data_user_t cs = {
	    .version = LDTERM_DATA_VERSION, .codeset_type = LDTERM_CS_TYPE_EUC, .csinfo_num = 4};

	for (int i = 0; i < 4; i++) {
		if (euc->eucw[i] > EUC_MAXW || euc->scrw[i] > EUC_MAXW)
			return ERANGE;
		cs.eucpc_data[i].byte_length = euc->eucw[i];
		cs.eucpc_data[i].screen_width = euc->scrw[i];
	}
	/* ASCII is what everything else stands on. */
	cs.eucpc_data[0].byte_length = cs.eucpc_data[0].screen_width = 1;
	tp->t_eucwioc = *euc;
	ldterm_set_codeset(tp, &cs);
	return 0;
}

int ldterm_set_csdata(ldtermstd_state_t *tp, const ldterm_cs_data_user_t *cs)
{
	eucioc_t euc;

	if (cs->version != LDTERM_DATA_VERSION || cs->codeset_type < LDTERM_CS_TYPE_EUC ||
	    cs->codeset_type > LDTERM_CS_TYPE_UTF8 || cs->csinfo_num > LDTERM_CS_MAX_CODESETS ||
	    (cs->codeset_type == LDTERM_CS_TYPE_EUC && cs->csinfo_num != 4) ||
	    (cs->codeset_type == LDTERM_CS_TYPE_PCCS && cs->csinfo_num == 0))
		return ERANGE;
	for (size_t i = 0; i < cs->csinfo_num; i++)
		if (cs->eucpc_data[i].byte_length > LDTERM_CS_MAX_BYTE_LENGTH ||
		    cs->eucpc_data[i].screen_width > EUC_MAXW ||
		    cs->eucpc_data[i].msb_start > cs->eucpc_data[i].msb_end)
			return ERANGE;
	if (cs->codeset_type == LDTERM_CS_TYPE_EUC) {
		for (size_t i = 0; i < 4; i++) {
			euc.eucw[i] = cs->eucpc_data[i].byte_length;
			euc.scrw[i] = cs->eucpc_data[i].screen_width;
		}
		(void)ldterm_set_eucw(tp, &euc);
		memcpy(tp->t_csdata.locale_name, cs->locale_name, sizeof(cs->locale_name));
		return 0;
	}
	ldterm_set_codeset(tp, cs);
	return 0;
}

/* ---- reading ---- */

/* The entry of a character that begins with c; NULL: it is one byte of no such set. */
static const ldterm_eucpc_data_t *ldterm_mb_set(const ldterm_cs_data_user_t *cs, uchar_t c)
{
	const ldterm_eucpc_data_t *d = cs->eucpc_data;

	if (cs->codeset_type == LDTERM_CS_TYPE_PCCS) {
		for (; d < &cs->eucpc_data[cs->csinfo_num]; d++)
			if (c >= d->msb_start && c <= d->msb_end)
				return d;
		return NULL;
	}
	if (c == EUC_SS2)
		return &d[2];
	if (c == EUC_SS3)
		return &d[3];
	return c >= 0xa0 ? &d[1] : NULL;
}

/* Bytes of the character that begins with c. */
static size_t ldterm_mb_len(const ldterm_cs_data_user_t *cs, uchar_t c)
{
	const ldterm_eucpc_data_t *d;

	if (cs->codeset_type == LDTERM_CS_TYPE_UTF8)
		return c >= 0xf0 && c < 0xf5 ? 4 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xc2 && c < 0xe0 ? 2 : 1;
	d = ldterm_mb_set(cs, c);
	if (d == NULL || d->byte_length == 0)
		return 1;
	return cs->codeset_type == LDTERM_CS_TYPE_EUC && (c == EUC_SS2 || c == EUC_SS3) ? d->byte_length + 1U
											: d->byte_length;
}

/* Can c be another byte of a character?  PC code sets use all values but the control characters. */
ALWAYS_INLINE bool mb_continues(const ldterm_cs_data_user_t *cs, uchar_t c)
{
	switch (cs->codeset_type) {
	case LDTERM_CS_TYPE_UTF8:
		return (c & 0xc0) == 0x80;
	case LDTERM_CS_TYPE_EUC:
		return c >= 0xa0;
	default:
		return c >= 0x20 && c != 0x7f;
	}
}

/* Ranges of Unicode that take no column, and two (UAX 11: wide and fullwidth; the blocks, not single characters). */
static const struct {
	uint32_t first, last;
	int cols;
} ldterm_ucs_widths[] = {
    {0x0300, 0x036f, 0}, {0x0483, 0x0489, 0},   {0x0591, 0x05bd, 0}, {0x0610, 0x061a, 0}, {0x064b, 0x065f, 0},
    {0x1100, 0x115f, 2}, {0x1ab0, 0x1aff, 0},   {0x1dc0, 0x1dff, 0}, {0x200b, 0x200f, 0}, {0x20d0, 0x20ff, 0},
    {0x2e80, 0x303e, 2}, {0x3041, 0x33ff, 2},   {0x3400, 0x4dbf, 2}, {0x4e00, 0x9fff, 2}, {0xa000, 0xa4cf, 2},
    {0xac00, 0xd7a3, 2}, {0xf900, 0xfaff, 2},   {0xfe20, 0xfe2f, 0}, {0xfe30, 0xfe6f, 2}, {0xff00, 0xff60, 2},
    {0xffe0, 0xffe6, 2}, {0x20000, 0x3fffd, 2},
};

static int ldterm_ucs_cols(const uchar_t *p, size_t n)
{
	uint32_t u = n == 4 ? p[0] & 7 : n == 3 ? p[0] & 15 : p[0] & 31;

	for (size_t i = 1; i < n; i++)
		u = u << 6 | (p[i] & 0x3f);
	for (size_t i = 0; i < sizeof(ldterm_ucs_widths) / sizeof(ldterm_ucs_widths[0]); i++)
		if (u >= ldterm_ucs_widths[i].first && u <= ldterm_ucs_widths[i].last)
			return ldterm_ucs_widths[i].cols;
	return 1;
}

int ldterm_mb_next(const ldtermstd_state_t *tp, mbpos_t *mb, uchar_t c)
{
	const ldterm_cs_data_user_t *cs = &tp->t_csdata;

	if (mb->mb_len == 0 || !mb_continues(cs, c)) {
		size_t len = ldterm_mb_len(cs, c);
		const ldterm_eucpc_data_t *d = cs->codeset_type == LDTERM_CS_TYPE_UTF8 ? NULL : ldterm_mb_set(cs, c);

		mb->mb_len = len > 1 ? (uchar_t)len : 0;
		mb->mb_have = 1;
		mb->mb_buf[0] = c;
		if (len > 1)
			return 0;
		return d != NULL && d->byte_length == 1 && c >= 0x80 ? d->screen_width : -1;
	}
	mb->mb_buf[mb->mb_have++] = c;
	if (mb->mb_have < mb->mb_len)
		return 0;
	mb->mb_len = 0;
	if (cs->codeset_type == LDTERM_CS_TYPE_UTF8)
		return ldterm_ucs_cols(mb->mb_buf, mb->mb_have);
	return ldterm_mb_set(cs, mb->mb_buf[0])->screen_width;
}

size_t ldterm_mb_last(const ldtermstd_state_t *tp, int *colsp)
{
	mbpos_t mb = {0};

	*colsp = -1;
	for (const mblk_t *bp = tp->t_message; bp != NULL; bp = bp->b_cont)
		for (const uchar_t *p = bp->b_rptr; p < bp->b_wptr; p++)
			*colsp = ldterm_mb_next(tp, &mb, *p);
	if (tp->t_msglen == 0)
		return 0;
	if (mb.mb_len != 0) /* it is not complete */
		*colsp = 0;
	return mb.mb_have;
}
