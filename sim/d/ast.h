/*
 * The syntax tree of D.
 */
#ifndef STRSIM_AST_H
#define STRSIM_AST_H

#include "d/ctf.h"

typedef struct ident ident_t;
typedef struct node node_t;

typedef enum nkind {
	N_INT,
	N_STR,
	N_IDENT, /* a name that was not looked up yet; n_scope says where */
	N_VAR,   /* a variable, with its keys in n_args */
	N_SYM,
	N_AGG,
	N_FUNC, /* a call: n_id, n_args */
	N_TYPE, /* type name as operand of sizeof, offsetof, xlate, cast */
	N_OP1,
	N_OP2,
	N_OP3,
	N_XLATE,  /* n_xlator applied to n_left */
	N_MEMBER, /* member n_str of a translated value: n_left is the N_XLATE */
	N_CLAUSE /* n_args descriptions (N_DESC), n_left predicate, n_right statements */,
	N_DESC,
	N_IF, /* n_left condition, n_right and n_third lists of statements */
	N_PROVIDER,
} nkind_t;

typedef enum op {
	OP_NONE,
	OP_COMMA,
	OP_ASGN,
	OP_ADDA,
	OP_SUBA,
	OP_MULA,
	OP_DIVA,
	OP_MODA,
	OP_ANDA,
	OP_XORA,
	OP_ORA,
	OP_SHLA,
	OP_SHRA,
	OP_COND,
	OP_LOR,
	OP_LXOR,
	OP_LAND,
	OP_OR,
	OP_XOR,
	OP_AND,
	OP_EQ,
	OP_NE,
	OP_LT,
	OP_LE,
	OP_GT,
	OP_GE,
	OP_SHL,
	OP_SHR,
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_DIV,
	OP_MOD,
	OP_NEG,
	OP_POS,
	OP_NOT,
	OP_LNOT,
	OP_PREINC,
	OP_PREDEC,
	OP_POSTINC,
	OP_POSTDEC,
	OP_DEREF,
	OP_ADDROF,
	OP_SIZEOF,
	OP_STRINGOF,
	OP_CAST,
	OP_INDEX,
	OP_PTR, /* -> */
	OP_DOT,
	OP_CALL,
	OP_XLATE,
} op_t;

struct node {
	nkind_t n_kind;
	op_t n_op;
	int n_line;
	uint32_t n_depth;
	bool n_lvalue, n_write, n_checked, n_paren;
	int n_scope; /* id_scope_t of N_IDENT */
	ctype_t *n_type;
	ident_t *n_id;
	uint64_t n_value;
	const char *n_str;
	node_t *n_left, *n_right, *n_third;
	node_t *n_args;
	const cmember_t *n_member; /* OP_DOT and OP_PTR after checking; n_value is the offset */
	struct xlator *n_xlator;
	struct dtrace_probedesc *n_desc; /* N_DESC */
	struct dt_probe_decl *n_probes;  /* N_PROVIDER */
	node_t *n_next;                  /* in a list */
	node_t *n_tail;                  /* of the list that this node heads, while parsing */
};

/* What tokens carry. */
union dt_token {
	node_t *node;
	const char *str;
	uint64_t num;
	op_t op;
	struct declspec *spec;
	struct declr *declr;
	struct declmod *mod;
	ctype_t *type;
	ctuple_t params;
	cparam_t *param;
	struct xlator *xlator;
	struct dt_probe_decl *probe;
	struct {
		uint64_t value;
		ctype_t *type;
	} integer;
	int line;
};

node_t *node_new(dt_t *dt, nkind_t kind);
node_t *node_int(dt_t *dt, uint64_t value, ctype_t *type);
node_t *node_str(dt_t *dt, const char *text);
node_t *node_ident(dt_t *dt, const char *name, int scope);
node_t *node_type(dt_t *dt, ctype_t *type);
/* Operators; constant operands are folded at once. */
node_t *node_op1(dt_t *dt, op_t op, node_t *a);
node_t *node_op2(dt_t *dt, op_t op, node_t *a, node_t *b);
node_t *node_op3(dt_t *dt, node_t *cond, node_t *a, node_t *b);
node_t *node_call(dt_t *dt, node_t *func, node_t *args);
node_t *node_index(dt_t *dt, node_t *array, node_t *args);
node_t *node_offsetof(dt_t *dt, ctype_t *type, const char *member);
node_t *node_xlate(dt_t *dt, ctype_t *type, node_t *expr);
/* Append to a list (NULL: empty). */
node_t *node_link(node_t *list, node_t *n);
uint32_t node_count(const node_t *list);
/* A deep copy of a list or node. */
node_t *node_clone(dt_t *dt, const node_t *n, bool list);
bool node_is_posconst(dt_t *dt, const node_t *n);
const char *op_name(op_t op);
/* The operator that an assignment operator applies. */
op_t op_of_assign(op_t op);

#endif
