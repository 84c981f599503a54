/*
 * Clauses with `if'.
 *
 * Neither the kernel nor the instruction set knows conditional actions: what a
 * clause does is settled by its predicate.  A clause that contains an `if' is
 * therefore cut into several clauses on the same probes, which run one after
 * the other in one firing:
 *
 *	probe /p/ { a; if (x) b; else c; }
 *
 *	probe { self->%error = 0; this->%cond1 = !!(p); }
 *	probe /!self->%error && this->%cond1/ { a; }
 *	probe /!self->%error/ { this->%cond2 = this->%cond1 && !!(x); }
 *	probe /!self->%error && this->%cond2/ { b; }
 *	probe /!self->%error/ { this->%cond3 = this->%cond1 && !this->%cond2; }
 *	probe /!self->%error && this->%cond3/ { c; }
 *
 * A fault ends the whole of the original clause: a clause on dtrace:::ERROR,
 * one for the program, marks it in self->%error.
 */
#include "d/dt_impl.h"

typedef struct split {
	dt_t *dt;
	const node_t *clause; /* the one as it was written */
	node_t *first, *last;
} split_t;

static const char error_name[] = "%error";

static void split_list(split_t *s, node_t *list, const char *cond);

/* ---- pieces of program text that nobody wrote ---- */

static node_t *at_line(node_t *n, int line)
{
	n->n_line = line;
	return n;
}

static node_t *set(dt_t *dt, id_scope_t scope, const char *name, node_t *value)
{
	return node_op2(dt, OP_ASGN, node_ident(dt, name, scope), value);
}

static node_t *get(dt_t *dt, id_scope_t scope, const char *name)
{
	return node_ident(dt, name, scope);
}

/* A constant condition stays one: it was folded before. */
static node_t *truth(dt_t *dt, node_t *n)
{
	int line = n->n_line;

	return at_line(node_op1(dt, OP_LNOT, at_line(node_op1(dt, OP_LNOT, n), line)), line);
}

static const char *new_condition(dt_t *dt)
{
	return dt_sprintf(dt, "%%cond%u", ++dt->d_nconds);
}

static node_t *condition(dt_t *dt, const char *cond)
{
	node_t *n = node_op1(dt, OP_LNOT, get(dt, SC_SELF, error_name));

	return cond == NULL ? n : node_op2(dt, OP_LAND, n, get(dt, SC_THIS, cond));
}

/* ---- the clauses ---- */

static void add_clause(split_t *s, node_t *pred, node_t *stmts)
{
	node_t *n = node_new(s->dt, N_CLAUSE);

	n->n_args = s->clause->n_args;
	n->n_line = s->clause->n_line;
	n->n_left = pred;
	n->n_right = stmts;
	if (s->last != NULL)
		s->last->n_next = n;
	else
		s->first = n;
	s->last = n;
}

static node_t *both(dt_t *dt, const char *cond, node_t *n)
{
	return cond == NULL ? n : node_op2(dt, OP_LAND, get(dt, SC_THIS, cond), n);
}

static void split_if(split_t *s, node_t *n, const char *cond)
{
	dt_t *dt = s->dt;
	const char *yes = new_condition(dt), *no;
	int line = n->n_left->n_line;

	add_clause(s, condition(dt, NULL), at_line(set(dt, SC_THIS, yes, both(dt, cond, truth(dt, n->n_left))), line));
	split_list(s, n->n_right, yes);
	if (n->n_third == NULL)
		return;
	no = new_condition(dt);
	add_clause(s, condition(dt, NULL),
		   set(dt, SC_THIS, no, both(dt, cond, node_op1(dt, OP_LNOT, get(dt, SC_THIS, yes)))));
	split_list(s, n->n_third, no);
}

/* Runs of plain statements, and what lies between them. */
static void split_list(split_t *s, node_t *list, const char *cond)
{
	node_t *run = NULL, *tail = NULL, *next;

	for (node_t *n = list; n != NULL; n = next) {
		next = n->n_next;
		n->n_next = n->n_tail = NULL;
		if (n->n_kind != N_IF) {
			if (run == NULL)
				run = n;
			else
				tail->n_next = n;
			tail = n;
			continue;
		}
		if (run != NULL)
			add_clause(s, condition(s->dt, cond), run);
		run = NULL;
		split_if(s, n, cond);
	}
	if (run != NULL)
		add_clause(s, condition(s->dt, cond), run);
}

static bool has_if(const node_t *list)
{
	for (; list != NULL; list = list->n_next) {
		if (list->n_kind == N_IF)
			return true;
	}
	return false;
}

node_t *dt_split_clause(dt_t *dt, node_t *clause)
{
	split_t s = {.dt = dt, .clause = clause};
	const char *cond = NULL;
	node_t *start;

	if (!has_if(clause->n_right))
		return clause;
	dt->d_pcb->p_split = true;
	start = set(dt, SC_SELF, error_name, node_int(dt, 0, dt->t.i));
	if (clause->n_left != NULL) {
		int line = clause->n_left->n_line;

		cond = new_condition(dt);
		start->n_next = at_line(set(dt, SC_THIS, cond, truth(dt, clause->n_left)), line);
	}
	add_clause(&s, NULL, start);
	split_list(&s, clause->n_right, cond);
	return s.first;
}

node_t *dt_error_clause(dt_t *dt)
{
	static const dtrace_probedesc_t error = {
	    .dtpd_provider = "dtrace", .dtpd_mod = "", .dtpd_func = "", .dtpd_name = "ERROR"};
	node_t *desc = node_new(dt, N_DESC), *n = node_new(dt, N_CLAUSE);

	desc->n_desc = dt_alloc(dt, sizeof(*desc->n_desc));
	*desc->n_desc = error;
	n->n_args = desc;
	n->n_right = set(dt, SC_SELF, error_name, node_int(dt, 1, dt->t.i));
	return n;
}
