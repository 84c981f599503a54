/*
 * Arguments of the aggregating functions: the constants that lay out their
 * buckets, and the weight.
 */
#include "d/dt_impl.h"

static const char *plural(int n)
{
	return n == 1 ? "" : "s";
}

/* The weight is the last argument that may be there. */
static node_t *weight(dt_t *dt, node_t *call, int nth, node_t *arg)
{
	const char *name = call->n_id->i_name;
	int n = (int)node_count(call->n_args);

	if (arg == NULL)
		return NULL;
	if (!ctf_is_scalar(dt, arg->n_type) || dt_node_is_dyn(arg))
		dt_error(dt, "D_PROTO_ARG", call->n_line, "%s( ) increment value (argument #%d) must be of scalar type",
			 name, nth);
	if (n > nth)
		dt_error(dt, "D_PROTO_LEN", call->n_line,
			 "%s( ) prototype mismatch: %d arg%s passed, at most %d expected", name, n, plural(n), nth);
	return arg;
}

/* ---- lquantize ---- */

static int32_t lq_const(dt_t *dt, const node_t *n, int nth, const char *typetag, const char *valtag)
{
	int64_t v = (int64_t)n->n_value;

	if (n->n_kind != N_INT)
		dt_error(dt, typetag, n->n_line, "lquantize( ) argument #%d must be an integer constant", nth);
	if (v > INT32_MAX || v < INT32_MIN)
		dt_error(dt, valtag, n->n_line, "lquantize( ) argument #%d must be a 32-bit quantity", nth);
	return (int32_t)v;
}

static void lq_match(dt_t *dt, const node_t *call, const char *what, int nth, const char *tag, int32_t want,
		     int32_t got)
{
	if (want != got)
		dt_error(dt, tag, call->n_line,
			 "lquantize( ) %s (argument #%d) doesn't match previous declaration: expected %d, found %d",
			 what, nth, want, got);
}

static node_t *define_lquantize(dt_t *dt, node_t *call, agg_desc_t *d, bool first)
{
	node_t *a = call->n_args->n_next, *step = a->n_next->n_next;
	agg_desc_t n = {.ad_step = 1};
	int64_t levels;

	n.ad_base = lq_const(dt, a, 1, "D_LQUANT_BASETYPE", "D_LQUANT_BASEVAL");
	n.ad_limit = lq_const(dt, a->n_next, 2, "D_LQUANT_LIMTYPE", "D_LQUANT_LIMVAL");
	if (n.ad_limit < n.ad_base)
		dt_error(dt, "D_LQUANT_MISMATCH", call->n_line,
			 "lquantize( ) base (argument #1) must be less than limit (argument #2)");
	if (step != NULL) {
		if (!node_is_posconst(dt, step))
			dt_error(dt, "D_LQUANT_STEPTYPE", step->n_line,
				 "lquantize( ) argument #3 must be a non-zero positive integer constant");
		if (step->n_value > UINT16_MAX)
			dt_error(dt, "D_LQUANT_STEPVAL", step->n_line,
				 "lquantize( ) argument #3 must be a 16-bit quantity");
		n.ad_step = (int32_t)step->n_value;
	}
	levels = ((int64_t)n.ad_limit - n.ad_base) / n.ad_step;
	if (levels == 0)
		dt_error(dt, "D_LQUANT_STEPLARGE", call->n_line,
			 "lquantize( ) step (argument #3) too large: must have at least one quantization level");
	if (levels > UINT16_MAX)
		dt_error(dt, "D_LQUANT_STEPSMALL", call->n_line,
			 "lquantize( ) step (argument #3) too small: number of quantization levels must be a 16-bit "
			 "quantity");
	n.ad_limit = (int32_t)(n.ad_base + levels * n.ad_step);
	if (!first) {
		lq_match(dt, call, "base", 1, "D_LQUANT_MATCHBASE", d->ad_base, n.ad_base);
		lq_match(dt, call, "limit", 2, "D_LQUANT_MATCHLIM", d->ad_limit, n.ad_limit);
		lq_match(dt, call, "step", 3, "D_LQUANT_MATCHSTEP", d->ad_step, n.ad_step);
	}
	d->ad_base = n.ad_base;
	d->ad_limit = n.ad_limit;
	d->ad_step = n.ad_step;
	return weight(dt, call, 5, step != NULL ? step->n_next : NULL);
}

/* ---- llquantize ---- */

static uint64_t ll_const(dt_t *dt, const node_t *n, int nth, const char *tag)
{
	if (n->n_kind != N_INT)
		dt_error(dt, tag, n->n_line, "llquantize( ) argument #%d must be an integer constant", nth);
	return n->n_value;
}

static uint64_t ll_mag(dt_t *dt, const node_t *n, int nth, const char *typetag, const char *valtag)
{
	uint64_t v = ll_const(dt, n, nth, typetag);

	if (v > UINT16_MAX)
		dt_error(dt, valtag, n->n_line, "llquantize( ) argument #%d must be an unsigned 16-bit quantity", nth);
	return v;
}

/* b to the power of e; false: does not fit. */
static bool power(uint64_t b, uint64_t e, uint64_t *out)
{
	uint64_t v = 1;

	while (e-- > 0) {
		if (__builtin_mul_overflow(v, b, &v))
			return false;
	}
	*out = v;
	return true;
}

static void ll_steps(dt_t *dt, const node_t *call, uint64_t factor, uint64_t low, uint64_t steps)
{
	int line = call->n_args->n_next->n_line;
	uint64_t p;

	if (steps < factor && factor % steps != 0)
		dt_error(dt, "D_LLQUANT_STEPVAL", line,
			 "llquantize() argument #4 (steps) must evenly divide argument #1 (factor) when steps<factor");
	if (steps <= factor)
		return;
	if (steps % factor != 0)
		dt_error(
		    dt, "D_LLQUANT_STEPVAL", line,
		    "llquantize() argument #4 (steps) must be a multiple of argument #1 (factor) when steps>factor");
	if (low == 0 && factor * factor % steps != 0)
		dt_error(dt, "D_LLQUANT_STEPVAL", line,
			 "llquantize() argument #4 (steps) must evenly divide the square of argument #1 (factor) when "
			 "steps>factor and lmag==0");
	if (low > 0 && (!power(factor, low + 1, &p) || p % steps != 0))
		dt_error(dt, "D_LLQUANT_STEPVAL", line,
			 "llquantize() argument #4 (steps) must evenly divide pow(argument #1 (factor), lmag (argument "
			 "#2) + 1) "
			 "when steps>factor and lmag>0");
}

static void ll_match(dt_t *dt, const node_t *call, const char *what, int nth, const char *tag, int32_t want,
		     uint64_t got)
{
	if ((uint64_t)want != got)
		dt_error(dt, tag, call->n_line,
			 "llquantize() %s (argument #%d) doesn't match previous declaration: expected %d, found %llu",
			 what, nth, want, (unsigned long long)got);
}

static node_t *define_llquantize(dt_t *dt, node_t *call, agg_desc_t *d, bool first)
{
	const node_t *f = call->n_args->n_next, *lo = f->n_next, *hi = lo->n_next, *st = hi->n_next;
	uint64_t factor, low, high, steps, p;

	factor = ll_const(dt, f, 1, "D_LLQUANT_FACTORTYPE");
	if (factor < 2 || factor > UINT16_MAX)
		dt_error(dt, "D_LLQUANT_FACTORVAL", f->n_line,
			 "llquantize( ) argument #1 must be an unsigned 16-bit quantity greater than or equal to 2");
	low = ll_mag(dt, lo, 2, "D_LLQUANT_LMAGTYPE", "D_LLQUANT_LMAGVAL");
	high = ll_mag(dt, hi, 3, "D_LLQUANT_HMAGTYPE", "D_LLQUANT_HMAGVAL");
	if (high < low)
		dt_error(dt, "D_LLQUANT_HMAGVAL", hi->n_line,
			 "llquantize( ) argument #3 (high magnitude) must be at least argument #2 (low magnitude)");
	if (!power(factor, high + 1, &p))
		dt_error(dt, "D_LLQUANT_HMAGVAL", hi->n_line,
			 "llquantize( ) argument #3 (high magnitude) will cause overflow of 64 bits");
	if (!node_is_posconst(dt, st))
		dt_error(dt, "D_LLQUANT_STEPTYPE", st->n_line,
			 "llquantize( ) argument #4 must be a non-zero positive integer constant");
	steps = st->n_value;
	if (steps > UINT16_MAX)
		dt_error(dt, "D_LLQUANT_STEPVAL", st->n_line,
			 "llquantize( ) argument #4 must be an unsigned 16-bit quantity");
	ll_steps(dt, call, factor, low, steps);
	if (!first) {
		ll_match(dt, call, "factor", 1, "D_LLQUANT_MATCHFACTOR", d->ad_factor, factor);
		ll_match(dt, call, "lmag", 2, "D_LLQUANT_MATCHLMAG", d->ad_low, low);
		ll_match(dt, call, "hmag", 3, "D_LLQUANT_MATCHHMAG", d->ad_high, high);
		ll_match(dt, call, "steps", 4, "D_LLQUANT_MATCHSTEPS", d->ad_nsteps, steps);
	}
	d->ad_factor = (int32_t)factor;
	d->ad_low = (int32_t)low;
	d->ad_high = (int32_t)high;
	d->ad_nsteps = (int32_t)steps;
	return weight(dt, call, 6, st->n_next);
}

/* ---- all ---- */

void dt_agg_define(dt_t *dt, node_t *call, dtrace_aggvar_t *av, node_t **incr)
{
	bool first = !av->av_defined;

	av->av_desc.ad_func = (agg_func_t)call->n_id->i_id;
	*incr = NULL;
	switch (av->av_desc.ad_func) {
	case AGG_QUANTIZE:
		*incr = weight(dt, call, 2, call->n_args->n_next);
		break;
	case AGG_LQUANTIZE:
		*incr = define_lquantize(dt, call, &av->av_desc, first);
		break;
	case AGG_LLQUANTIZE:
		*incr = define_llquantize(dt, call, &av->av_desc, first);
		break;
	default:
		break;
	}
	av->av_defined = true;
}
