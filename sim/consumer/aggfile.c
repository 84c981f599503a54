/* Aggregations as folded stacks and as JSON. */
#include "aggfile.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cells.h"

static int close_file(FILE *fp)
{
	int bad = ferror(fp);

	return fclose(fp) != 0 || bad ? -1 : 0;
}

/* Words of a stack that are in use; the first one of a user stack is the process id. */
static uint32_t frames(const dif_type_t *t, const void *data)
{
	const uint64_t *pcs = data;
	uint32_t n = t->dt_kind == DIF_USTACK;

	while (n < t->dt_size / 8 && pcs[n])
		n++;
	return n;
}

/* The total of a distribution, the number of anything else. */
static int64_t total(const agg_entry_t *e)
{
	const agg_desc_t *d = &e->ae_av->av_desc;
	int64_t sum = 0;

	if (!cells_is_dist(d))
		return cells_number(d, e->ae_cells, e->ae_normal, false);
	for (uint32_t i = 0; i < cells_count(d); i++)
		sum += e->ae_cells[i];
	return sum;
}

/* ---- folded ---- */

static void folded_text(FILE *fp, const char *s, size_t max)
{
	for (size_t i = 0; i < max && s[i]; i++)
		fputc(s[i] == ';' || s[i] == '\n' ? '_' : s[i], fp);
}

static void folded_part(FILE *fp, const dif_type_t *t, const void *data)
{
	const uint64_t *pcs = data;
	char buf[SYMTEXT_MAX];

	switch (t->dt_kind) {
	case DIF_STACK:
	case DIF_USTACK:
		for (uint32_t n = frames(t, data); n > 0; n--)
			fprintf(fp, "%s%s", print_symtext(pcs[n - 1], buf), n > 1 ? ";" : "");
		break;
	case DIF_STRING:
	case DIF_BYTES:
		folded_text(fp, data, t->dt_size);
		break;
	case DIF_INT:
		fprintf(fp, "%" PRId64, print_getint(t, data));
		break;
	default:
		fputs(print_kindtext(t->dt_kind, pcs[0], buf), fp);
	}
}

static void folded_entry(void *arg, const agg_entry_t *e)
{
	const void *parts[AGG_MAXPARTS];
	uint32_t n = aggprint_keyparts(e->ae_av, e->ae_key, parts);
	FILE *fp = arg;
	bool any = false;

	if (n == 0)
		fputs(e->ae_av->av_name, fp);
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < n; i++) {
			const dif_type_t *t = &e->ae_av->av_keys[i];

			if ((t->dt_kind == DIF_STACK) != (pass == 1))
				continue;
			if (any)
				fputc(';', fp);
			folded_part(fp, t, parts[i]);
			any = true;
		}
	}
	fprintf(fp, " %" PRId64 "\n", total(e));
}

int aggfile_folded(const char *file, aggprint_t *ap, dtrace_aggvar_t *const *avs, size_t navs)
{
	FILE *fp = fopen(file, "w");

	if (!fp)
		return -1;
	aggprint_walk(ap, avs, navs, folded_entry, fp);
	return close_file(fp);
}

/* ---- JSON ---- */

static void json_string(FILE *fp, const char *s, size_t max)
{
	fputc('"', fp);
	for (size_t i = 0; i < max && s[i]; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == '"' || c == '\\')
			fprintf(fp, "\\%c", c);
		else if (c < ' ' || c >= 0x7f)
			fprintf(fp, "\\u%04x", c);
		else
			fputc(c, fp);
	}
	fputc('"', fp);
}

static void json_part(FILE *fp, const dif_type_t *t, const void *data)
{
	const uint64_t *pcs = data;
	char buf[SYMTEXT_MAX];

	switch (t->dt_kind) {
	case DIF_STACK:
	case DIF_USTACK:
		fputc('[', fp);
		for (uint32_t i = 0, n = frames(t, data); i < n; i++) {
			if (i)
				fputs(", ", fp);
			json_string(fp, print_symtext(pcs[i], buf), SYMTEXT_MAX);
		}
		fputc(']', fp);
		break;
	case DIF_STRING:
	case DIF_BYTES:
		json_string(fp, data, t->dt_size);
		break;
	case DIF_INT:
		fprintf(fp, t->dt_signed ? "%" PRId64 : "%" PRIu64, print_getint(t, data));
		break;
	default:
		json_string(fp, print_kindtext(t->dt_kind, pcs[0], buf), SYMTEXT_MAX);
	}
}

static void json_value(FILE *fp, const agg_entry_t *e)
{
	const agg_desc_t *d = &e->ae_av->av_desc;
	char label[CELLS_LABEL_MAX];
	bool first = true;

	if (!cells_is_dist(d)) {
		fprintf(fp, "%" PRId64, cells_number(d, e->ae_cells, e->ae_normal, false));
		return;
	}
	fputc('[', fp);
	for (uint32_t i = 0; i < cells_count(d); i++) {
		if (e->ae_cells[i] == 0)
			continue;
		cells_label(d, i, label);
		fprintf(fp, "%s[", first ? "" : ", ");
		json_string(fp, label, sizeof(label));
		fprintf(fp, ", %" PRId64 "]", e->ae_cells[i]);
		first = false;
	}
	fputc(']', fp);
}

typedef struct json {
	FILE *j_fp;
	const dtrace_aggvar_t *j_av; /* the one being written */
} json_t;

static void json_entry(void *arg, const agg_entry_t *e)
{
	static const char *const funcs[] = {"count",  "sum",      "min",       "max",       "avg",
					    "stddev", "quantize", "lquantize", "llquantize"};
	const void *parts[AGG_MAXPARTS];
	uint32_t n = aggprint_keyparts(e->ae_av, e->ae_key, parts);
	json_t *j = arg;

	if (j->j_av != e->ae_av) {
		fputs(j->j_av ? "\n\t]},\n\t{\"name\": " : "\n\t{\"name\": ", j->j_fp);
		json_string(j->j_fp, e->ae_av->av_name, SIZE_MAX);
		fprintf(j->j_fp, ", \"function\": \"%s\", \"entries\": [", funcs[e->ae_av->av_desc.ad_func]);
	}
	fputs(j->j_av == e->ae_av ? ",\n\t\t{\"key\": [" : "\n\t\t{\"key\": [", j->j_fp);
	j->j_av = e->ae_av;
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			fputs(", ", j->j_fp);
		json_part(j->j_fp, &e->ae_av->av_keys[i], parts[i]);
	}
	fputs("], \"value\": ", j->j_fp);
	json_value(j->j_fp, e);
	fputc('}', j->j_fp);
}

int aggfile_json(const char *file, aggprint_t *ap, dtrace_aggvar_t *const *avs, size_t navs)
{
	json_t j = {.j_fp = fopen(file, "w")};

	if (!j.j_fp)
		return -1;
	fputs("{\"aggregations\": [", j.j_fp);
	aggprint_walk(ap, avs, navs, json_entry, &j);
	fputs(j.j_av ? "\n\t]}\n]}\n" : "]}\n", j.j_fp);
	return close_file(j.j_fp);
}
