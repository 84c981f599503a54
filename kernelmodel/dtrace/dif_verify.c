/*
 * Which DIF programs are accepted.  What passes here cannot hang or touch
 * memory of the tracer when it runs: registers and indices are in range,
 * branches lead forward, and the last instruction ends the program.
 */
#include <stdio.h>
#include <string.h>

#include "dtrace_impl.h"

/* Operands of an instruction. */
enum {
	R1 = 0x01, /* reads r1, r2, rd as registers */
	R2 = 0x02,
	RDR = 0x04,
	RDW = 0x08, /* writes rd */
	LABEL = 0x10,
	INT = 0x20, /* index: of integers, strings, builtin variables, subroutines */
	STR = 0x40,
	VAR = 0x80,
	SUBR = 0x100,
	SIZE = 0x200, /* rd is a size */
	LEGAL = 0x400
};

static const struct {
	uint8_t first, last;
	uint16_t what;
} operands[] = {
    {DIF_OR, DIF_UREM, LEGAL | R1 | R2 | RDW},
    {DIF_NOT, DIF_MOV, LEGAL | R1 | RDW},
    {DIF_CMP, DIF_CMP, LEGAL | R1 | R2},
    {DIF_TST, DIF_TST, LEGAL | R1},
    {DIF_SCMP, DIF_SCMP, LEGAL | R1 | R2},
    {DIF_BA, DIF_BLEU, LEGAL | LABEL},
    {DIF_LDSB, DIF_ULDX, LEGAL | R1 | RDW},
    {DIF_STB, DIF_STX, LEGAL | R1 | RDR},
    {DIF_COPYS, DIF_COPYS, LEGAL | R1 | R2 | RDR},
    {DIF_ALLOCS, DIF_ALLOCS, LEGAL | R1 | RDW},
    {DIF_SETX, DIF_SETX, LEGAL | INT | RDW},
    {DIF_SETS, DIF_SETS, LEGAL | STR | RDW},
    {DIF_LDV, DIF_LDV, LEGAL | VAR | RDW},
    {DIF_LDGA, DIF_LDGA, LEGAL | R1 | RDW},
    {DIF_LDGS, DIF_LDGS, LEGAL | RDW},
    {DIF_STGS, DIF_STGS, LEGAL | RDR},
    {DIF_LDTS, DIF_LDTS, LEGAL | RDW},
    {DIF_STTS, DIF_STTS, LEGAL | RDR},
    {DIF_LDLS, DIF_LDLS, LEGAL | RDW},
    {DIF_STLS, DIF_STLS, LEGAL | RDR},
    {DIF_LDGAA, DIF_LDGAA, LEGAL | RDW},
    {DIF_STGAA, DIF_STGAA, LEGAL | RDR},
    {DIF_LDTAA, DIF_LDTAA, LEGAL | RDW},
    {DIF_STTAA, DIF_STTAA, LEGAL | RDR},
    {DIF_PUSHTV, DIF_PUSHTV, LEGAL | R1 | SIZE},
    {DIF_PUSHTS, DIF_PUSHTS, LEGAL | R1},
    {DIF_PUSHTR, DIF_PUSHTR, LEGAL | R1 | R2},
    {DIF_POPTS, DIF_FLUSHTS, LEGAL},
    {DIF_CALL, DIF_CALL, LEGAL | SUBR | RDW},
    {DIF_RET, DIF_RET, LEGAL | RDR},
    {DIF_NOP, DIF_NOP, LEGAL},
};

static uint32_t operands_of(uint32_t op)
{
	size_t i;

	for (i = 0; i < sizeof(operands) / sizeof(*operands); i++)
		if (op >= operands[i].first && op <= operands[i].last)
			return operands[i].what;
	return 0;
}

static const char *check(const dif_t *d, uint32_t pc)
{
	uint32_t i = d->d_text[pc], op = DIF_OP(i), what = operands_of(op);

	if (!(what & LEGAL))
		return "illegal instruction";
	if (((what & R1) && DIF_R1(i) >= DIF_NREGS) || ((what & R2) && DIF_R2(i) >= DIF_NREGS) ||
	    ((what & (RDR | RDW)) && DIF_RD(i) >= DIF_NREGS))
		return "no such register";
	if ((what & RDW) && DIF_RD(i) == 0)
		return "%r0 cannot be written";
	if ((what & LABEL) && DIF_LABEL(i) <= pc)
		return "branch leads backward";
	if ((what & LABEL) && DIF_LABEL(i) >= d->d_len)
		return "branch leads out of the program";
	if ((what & INT) && DIF_IDX(i) >= d->d_nints)
		return "no such integer";
	if ((what & STR) && DIF_IDX(i) >= d->d_strlen)
		return "no such string";
	if ((what & VAR) && DIF_IDX(i) >= DIF_NVARS)
		return "no such builtin variable";
	if ((what & SUBR) && DIF_IDX(i) >= DIF_NSUBR)
		return "no such subroutine";
	if ((what & SIZE) && DIF_RD(i) != 1 && DIF_RD(i) != 2 && DIF_RD(i) != 4 && DIF_RD(i) != 8)
		return "illegal size";
	return NULL;
}

int dif_verify(const dif_t *d, char *errbuf, size_t errlen)
{
	const char *why = NULL;
	uint32_t pc = 0;

	if (d->d_text == NULL || d->d_len == 0)
		why = "empty program";
	else if (d->d_strlen > 0 && d->d_strs[d->d_strlen - 1] != '\0')
		why = "strings do not end";
	for (pc = 0; why == NULL && pc < d->d_len; pc++)
		if ((why = check(d, pc)) != NULL)
			break;
	if (why == NULL && DIF_OP(d->d_text[d->d_len - 1]) != DIF_RET) {
		why = "program does not end";
		pc = d->d_len - 1;
	}
	if (why == NULL)
		return 0;
	(void)snprintf(errbuf, errlen, "DIF offset %u: %s", pc * 4, why);
	return -1;
}

/* The variable of a load or store exists, and is of the kind the instruction is for. */
static bool var_exists(const dtrace_state_t *st, uint32_t op, uint32_t id)
{
	switch (op) {
	case DIF_LDGS:
	case DIF_STGS:
		return id < st->st_nglobals && !st->st_gdyn[id].dv_array;
	case DIF_LDGAA:
	case DIF_STGAA:
		return id < st->st_nglobals && st->st_gdyn[id].dv_array;
	case DIF_LDLS:
	case DIF_STLS:
		return id < st->st_nlocals;
	case DIF_LDTS:
	case DIF_STTS:
		return id < st->st_ntdyn && !st->st_tdyn[id].dv_array;
	case DIF_LDTAA:
	case DIF_STTAA:
		return id < st->st_ntdyn && st->st_tdyn[id].dv_array;
	default:
		return true;
	}
}

int dtrace_dif_check(const dtrace_state_t *st, const dif_t *d, char *errbuf, size_t errlen)
{
	uint32_t pc;

	if (dif_verify(d, errbuf, errlen) != 0)
		return -1;
	for (pc = 0; pc < d->d_len; pc++) {
		if (!var_exists(st, DIF_OP(d->d_text[pc]), DIF_IDX(d->d_text[pc]))) {
			(void)snprintf(errbuf, errlen, "DIF offset %u: no such variable", pc * 4);
			return -1;
		}
	}
	return 0;
}
