/*
 * Generated code as text (option -S).
 */
#include "d/dt_impl.h"

#include <stdio.h>

static const char *const op_names[DIF_NOPS] = {
    [DIF_OR] = "or",         [DIF_XOR] = "xor",       [DIF_AND] = "and",     [DIF_SLL] = "sll",
    [DIF_SRL] = "srl",       [DIF_SRA] = "sra",       [DIF_SUB] = "sub",     [DIF_ADD] = "add",
    [DIF_MUL] = "mul",       [DIF_SDIV] = "sdiv",     [DIF_UDIV] = "udiv",   [DIF_SREM] = "srem",
    [DIF_UREM] = "urem",     [DIF_NOT] = "not",       [DIF_MOV] = "mov",     [DIF_CMP] = "cmp",
    [DIF_TST] = "tst",       [DIF_SCMP] = "scmp",     [DIF_BA] = "ba",       [DIF_BE] = "be",
    [DIF_BNE] = "bne",       [DIF_BG] = "bg",         [DIF_BGU] = "bgu",     [DIF_BGE] = "bge",
    [DIF_BGEU] = "bgeu",     [DIF_BL] = "bl",         [DIF_BLU] = "blu",     [DIF_BLE] = "ble",
    [DIF_BLEU] = "bleu",     [DIF_LDSB] = "ldsb",     [DIF_LDSH] = "ldsh",   [DIF_LDSW] = "ldsw",
    [DIF_LDUB] = "ldub",     [DIF_LDUH] = "lduh",     [DIF_LDUW] = "lduw",   [DIF_LDX] = "ldx",
    [DIF_ULDSB] = "uldsb",   [DIF_ULDSH] = "uldsh",   [DIF_ULDSW] = "uldsw", [DIF_ULDUB] = "uldub",
    [DIF_ULDUH] = "ulduh",   [DIF_ULDUW] = "ulduw",   [DIF_ULDX] = "uldx",   [DIF_STB] = "stb",
    [DIF_STH] = "sth",       [DIF_STW] = "stw",       [DIF_STX] = "stx",     [DIF_COPYS] = "copys",
    [DIF_ALLOCS] = "allocs", [DIF_SETX] = "setx",     [DIF_SETS] = "sets",   [DIF_LDV] = "ldv",
    [DIF_LDGA] = "ldga",     [DIF_LDGS] = "ldgs",     [DIF_STGS] = "stgs",   [DIF_LDTS] = "ldts",
    [DIF_STTS] = "stts",     [DIF_LDLS] = "ldls",     [DIF_STLS] = "stls",   [DIF_LDGAA] = "ldgaa",
    [DIF_STGAA] = "stgaa",   [DIF_LDTAA] = "ldtaa",   [DIF_STTAA] = "sttaa", [DIF_PUSHTV] = "pushtv",
    [DIF_PUSHTS] = "pushts", [DIF_PUSHTR] = "pushtr", [DIF_POPTS] = "popts", [DIF_FLUSHTS] = "flushts",
    [DIF_CALL] = "call",     [DIF_RET] = "ret",       [DIF_NOP] = "nop",
};

static void operands(const dif_t *d, uint32_t in, char *buf, size_t len)
{
	uint32_t op = DIF_OP(in), r1 = DIF_R1(in), r2 = DIF_R2(in), rd = DIF_RD(in), idx = DIF_IDX(in);

	if (op <= DIF_UREM)
		snprintf(buf, len, "%%r%u, %%r%u, %%r%u", r1, r2, rd);
	else if (op == DIF_CMP || op == DIF_SCMP || op == DIF_PUSHTR)
		snprintf(buf, len, "%%r%u, %%r%u", r1, r2);
	else if (op == DIF_TST || op == DIF_PUSHTS)
		snprintf(buf, len, "%%r%u", r1);
	else if (op >= DIF_BA && op <= DIF_BLEU)
		snprintf(buf, len, "%u", DIF_LABEL(in));
	else if ((op >= DIF_LDSB && op <= DIF_ULDX) || op == DIF_LDGA)
		snprintf(buf, len, "[%%r%u], %%r%u", r1, rd);
	else if (op >= DIF_STB && op <= DIF_STX)
		snprintf(buf, len, "%%r%u, [%%r%u]", r1, rd);
	else if (op == DIF_COPYS)
		snprintf(buf, len, "%%r%u, %%r%u, [%%r%u]", r1, r2, rd);
	else if (op == DIF_NOT || op == DIF_MOV || op == DIF_ALLOCS)
		snprintf(buf, len, "%%r%u, %%r%u", r1, rd);
	else if (op == DIF_PUSHTV)
		snprintf(buf, len, "%%r%u, %u", r1, rd);
	else if (op == DIF_SETX)
		snprintf(buf, len, "0x%llx, %%r%u", (unsigned long long)d->d_ints[idx], rd);
	else if (op == DIF_SETS)
		snprintf(buf, len, "\"%.160s\", %%r%u", d->d_strs + idx, rd);
	else if (op == DIF_RET)
		snprintf(buf, len, "%%r%u", rd);
	else if (op == DIF_STGS || op == DIF_STTS || op == DIF_STLS || op == DIF_STGAA || op == DIF_STTAA)
		snprintf(buf, len, "%%r%u, var %u", rd, idx);
	else if (op == DIF_LDV || op == DIF_LDGS || op == DIF_LDTS || op == DIF_LDLS || op == DIF_LDGAA ||
		 op == DIF_LDTAA || op == DIF_CALL)
		snprintf(buf, len, "%s %u, %%r%u",
			 op == DIF_CALL  ? "subr"
			 : op == DIF_LDV ? "builtin"
					 : "var",
			 idx, rd);
	else
		buf[0] = '\0';
}

void dt_disassemble(const dif_t *d, void (*out)(void *, const char *), void *arg)
{
	char line[320], ops[256];

	snprintf(line, sizeof(line), "DIFO returns %s (%u bytes)\n%-4s %-8s    %s\n",
		 d->d_rtype.dt_name != NULL ? d->d_rtype.dt_name : "void", d->d_rtype.dt_size, "OFF", "OPCODE",
		 "INSTRUCTION");
	out(arg, line);
	for (uint32_t i = 0; i < d->d_len; i++) {
		uint32_t op = DIF_OP(d->d_text[i]);

		operands(d, d->d_text[i], ops, sizeof(ops));
		snprintf(line, sizeof(line), "%3u: %08x    %-8s%s%s\n", i, d->d_text[i],
			 op < DIF_NOPS ? op_names[op] : "?", ops[0] != '\0' ? " " : "", ops);
		out(arg, line);
	}
}
