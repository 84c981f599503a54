/*
 * Default forms of recorded data.
 *
 * The size of a datum alone decides how trace() and keys show it: 1, 2, 4 or
 * 8 bytes are a number, whatever the C type; everything else is bytes, shown
 * as text when it looks like text.  Kinds that carry a meaning of their own
 * (stacks, symbols) come first.
 */
#include "print.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- symbols ---- */

static const ksym_t *modsym(uint64_t pc)
{
	const ksym_t *ks = ksym_byaddr((uintptr_t)pc);

	return ks && ks->ks_mod ? ks : NULL;
}

const char *print_symtext(uint64_t pc, char buf[SYMTEXT_MAX])
{
	const ksym_t *ks = modsym(pc);

	if (!ks)
		snprintf(buf, SYMTEXT_MAX, "0x%" PRIx64, pc);
	else if (pc == ks->ks_value)
		snprintf(buf, SYMTEXT_MAX, "%s`%s", ksym_mod(ks), ksym_name(ks));
	else
		snprintf(buf, SYMTEXT_MAX, "%s`%s+0x%" PRIx64, ksym_mod(ks), ksym_name(ks), pc - ks->ks_value);
	return buf;
}

const char *print_kindtext(dif_kind_t kind, uint64_t pc, char buf[SYMTEXT_MAX])
{
	const ksym_t *ks = kind == DIF_SYM || kind == DIF_MOD ? modsym(pc) : NULL;

	if (!ks)
		snprintf(buf, SYMTEXT_MAX, "0x%" PRIx64, pc);
	else if (kind == DIF_SYM)
		snprintf(buf, SYMTEXT_MAX, "%s`%s", ksym_mod(ks), ksym_name(ks));
	else
		snprintf(buf, SYMTEXT_MAX, "%s", ksym_mod(ks));
	return buf;
}

/* ---- stacks ---- */

void print_stack(FILE *fp, const uint64_t *pcs, uint32_t depth, int indent, int width)
{
	char buf[SYMTEXT_MAX];

	if (depth == 0)
		return;
	fputc('\n', fp);
	for (uint32_t i = 0; i < depth; i++) {
		uint64_t pc;

		memcpy(&pc, (const char *)pcs + i * sizeof(pc), sizeof(pc));
		if (pc == 0)
			break;
		fprintf(fp, "%*s%*s\n", indent, "", width, print_symtext(pc, buf));
	}
}

/* User addresses have no symbols in the model. */
void print_ustack(FILE *fp, const uint64_t *words, uint32_t nwords, int indent, int width)
{
	if (nwords == 0)
		return;
	fputc('\n', fp);
	for (uint32_t i = 1; i < nwords; i++) {
		char buf[24];
		uint64_t pc;

		memcpy(&pc, (const char *)words + i * sizeof(pc), sizeof(pc));
		if (pc == 0)
			break;
		snprintf(buf, sizeof(buf), "0x%" PRIx64, pc);
		fprintf(fp, "%*s%*s\n", indent, "", width, buf);
	}
}

/* ---- bytes ---- */

void print_dump(FILE *fp, const uint8_t *data, size_t len)
{
	fputs("\n           ", fp);
	for (int i = 0; i < 16; i++)
		fprintf(fp, "  %x", (unsigned)i);
	fputs("  0123456789abcdef\n", fp);
	for (size_t off = 0; off < len; off += 16) {
		size_t n = MIN(len - off, 16);

		fprintf(fp, "     %5zx:", off);
		for (size_t i = 0; i < 16; i++) {
			if (i < n)
				fprintf(fp, " %02x", data[off + i]);
			else
				fputs("   ", fp);
		}
		fputs("  ", fp);
		for (size_t i = 0; i < n; i++)
			fputc(data[off + i] >= ' ' && data[off + i] <= '~' ? data[off + i] : '.', fp);
		fputc('\n', fp);
	}
}

/* Length of the text in data, or len + 1 when this is no text: NULs may only follow the text. */
static size_t text_length(const uint8_t *data, size_t len)
{
	size_t n = 0;

	while (n < len && (isprint(data[n]) || isspace(data[n]) || data[n] == '\b' || data[n] == '\a'))
		n++;
	if (n == 0)
		return len + 1;
	for (size_t i = n; i < len; i++)
		if (data[i] != '\0')
			return len + 1;
	return n;
}

static void print_bytes(const print_ctx_t *ctx, const uint8_t *data, size_t len, int width, bool quiet)
{
	size_t n = ctx->pc_rawbytes ? len + 1 : text_length(data, len);

	if (n > len) {
		print_dump(ctx->pc_fp, data, len);
		return;
	}
	if (n < len && quiet)
		fwrite(data, 1, n, ctx->pc_fp);
	else
		fprintf(ctx->pc_fp, "  %-*.*s", width, (int)n, (const char *)data);
}

/* A string's record is its text and zeros up to its size, even if the text alone is kept. */
static void print_string(const print_ctx_t *ctx, const char *text, size_t size, int width, bool quiet)
{
	size_t n = strnlen(text, size);
	uint8_t *rec;

	if (n > 0 && !ctx->pc_rawbytes && n < size && text_length((const uint8_t *)text, n) == n) {
		if (quiet)
			fputs(text, ctx->pc_fp);
		else
			fprintf(ctx->pc_fp, "  %-*s", width, text);
		return;
	}
	rec = calloc(1, size ? size : 1);
	if (!rec)
		return;
	memcpy(rec, text, n);
	print_bytes(ctx, rec, size, width, quiet);
	free(rec);
}

/* ---- numbers ---- */

int64_t print_getint(const dif_type_t *type, const void *data)
{
	uint64_t v = 0;
	unsigned bits = type->dt_size * 8;

	memcpy(&v, data, MIN(type->dt_size, sizeof(v)));
	if (type->dt_signed && bits < 64)
		return (int64_t)(v << (64 - bits)) >> (64 - bits);
	return (int64_t)v;
}

/* 1- and 2-byte numbers are shown unsigned, the others signed. */
static void print_number(FILE *fp, uint32_t size, const void *data, bool quiet)
{
	static const int width[9] = {0, 3, 5, 0, 8, 0, 0, 0, 16};
	const dif_type_t type = {.dt_kind = DIF_INT, .dt_size = size, .dt_signed = size >= 4};
	int64_t v = print_getint(&type, data);

	if (quiet)
		fprintf(fp, "%" PRId64, v);
	else
		fprintf(fp, " %*" PRId64, width[size], v);
}

static bool is_number_size(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* ---- any kind ---- */

static void print_any(const print_ctx_t *ctx, const dif_type_t *type, const void *data, int width, bool quiet)
{
	char buf[SYMTEXT_MAX];
	uint64_t pc;

	switch (type->dt_kind) {
	case DIF_STACK:
		print_stack(ctx->pc_fp, data, type->dt_size / 8, ctx->pc_indent, 0);
		return;
	case DIF_USTACK:
		print_ustack(ctx->pc_fp, data, type->dt_size / 8, ctx->pc_indent, 0);
		return;
	case DIF_SYM:
	case DIF_MOD:
	case DIF_USYM:
	case DIF_UMOD:
	case DIF_UADDR:
		memcpy(&pc, data, sizeof(pc));
		fprintf(ctx->pc_fp, "  %-50s", print_kindtext(type->dt_kind, pc, buf));
		return;
	case DIF_VOID:
		return;
	default:
		break;
	}
	if (is_number_size(type->dt_size))
		print_number(ctx->pc_fp, type->dt_size, data, quiet);
	else if (type->dt_kind == DIF_STRING)
		print_string(ctx, data, type->dt_size, width, quiet);
	else
		print_bytes(ctx, data, type->dt_size, width, quiet);
}

void print_value(const print_ctx_t *ctx, const dif_type_t *type, const void *data)
{
	print_any(ctx, type, data, 33, ctx->pc_quiet);
}

void print_key(const print_ctx_t *ctx, const dif_type_t *type, const void *data)
{
	print_any(ctx, type, data, 50, false);
}
