/*
 * The grammar of D.
 */
%{
#include <string.h>

#include "d/dt_impl.h"

static int yylex(union dt_token *val, dt_t *dt);
static void yyerror(dt_t *dt, const char *msg);

/* The parser's stack lies on the host's from the start: an error leaves with longjmp. */
#define YYINITDEPTH DT_MAXSTACK
#define YYMAXDEPTH DT_MAXSTACK

static void add_item(dt_t *dt, node_t *n);
static node_t *make_clause(dt_t *dt, node_t *descs, node_t *pred, int predline, node_t *body, bool hasbody);
static node_t *make_if(dt_t *dt, node_t *cond, node_t *yes, node_t *no);
static node_t *make_desc(dt_t *dt, const char *text);
static node_t *make_name(dt_t *dt, const char *name);
static declmod_t *make_tuple(dt_t *dt, int kind, cparam_t *params, bool varargs);
%}

%code requires {
#include "d/dt_impl.h"
}
%define api.pure full
%define api.prefix {dtgram_}
%define api.value.type {union dt_token}
%define parse.error custom
%parse-param {dt_t *dt}
%lex-param {dt_t *dt}

%token <str> PSPEC IDENT TNAME AGG STR
%token <integer> INT
%token <op> OPASGN
%token <line> PRED
%token EPRED
%token AUTO CHAR CONST DOUBLE ENUM EXTERN FLOAT INLINE INTTYPE LONG OFFSETOF PROBE PROVIDER REGISTER
%token IF ELSE RESTRICT SELF SHORT SIGNED SIZEOF STATIC STRING STRINGOF STRUCT THIS TRANSLATOR TYPEDEF UNION UNSIGNED
%token USERLAND VOID VOLATILE XLATE RESERVED
%token ELLIPSIS ARROW INC DEC SHL SHR LE GE EQ NE LAND LOR LXOR

%type <node> descs pred_opt stmts seq stmt body
%type <node> expr assign cond lor lxor land or xor and equality relation shift additive multiplicative cast unary
%type <node> postfix primary args args_opt const_expr member_name
%type <spec> specs decl_specs specs_begin
%type <declr> declr abstract abstract_opt direct direct_abstract
%type <mod> pointer quals brackets
%type <type> sou sou_body enum_spec enum_body type_name
%type <params> params params_opt param_list
%type <param> param named_param
%type <xlator> xlator_head
%type <probe> probes probe
%type <num> sou_kw
%type <line> here
%type <str> tag_opt word

%precedence IF_ALONE
%precedence ELSE

%%

program:
	items
	;

items:
	%empty
|	items item
	;

item:
	';'
|	clause
|	declaration
|	inline
|	translator
|	provider
	;

here:	%empty { $$ = dt_here(dt); }
	;

/* ---- clauses ---- */

clause:
	descs { add_item(dt, make_clause(dt, $1, NULL, 0, NULL, false)); }
|	descs PRED expr EPRED { add_item(dt, make_clause(dt, $1, $3, $2, NULL, false)); }
|	descs pred_opt '{' stmts '}' { add_item(dt, make_clause(dt, $1, $2, 0, $4, true)); }
	;

pred_opt:
	%empty { $$ = NULL; }
|	PRED expr EPRED { $$ = $2; }
	;

descs:
	PSPEC { $$ = make_desc(dt, $1); }
|	descs ',' PSPEC { $$ = node_link($1, make_desc(dt, $3)); }
	;

stmts:
	seq
|	seq expr { $$ = node_link($1, $2); }
	;

seq:
	%empty { $$ = NULL; }
|	seq stmt { $$ = node_link($1, $2); }
	;

stmt:
	';' { $$ = NULL; }
|	expr ';'
|	IF '(' expr ')' body %prec IF_ALONE { $$ = make_if(dt, $3, $5, NULL); }
|	IF '(' expr ')' body ELSE body { $$ = make_if(dt, $3, $5, $7); }
	;

body:
	stmt
|	'{' stmts '}' { $$ = $2; }
	;

/* ---- declarations ---- */

declaration:
	decl_specs ';' { dt_decl_end(dt, $1); }
|	decl_specs init_list ';'
	;

init_list:
	declr { dt_decl_var(dt, $<spec>0, $1); }
|	init_list ',' declr { dt_decl_var(dt, $<spec>0, $3); }
	;

specs_begin:
	%empty { $$ = dt_decl_spec(dt); }
	;

decl_specs:
	specs_begin decl_spec { $$ = $1; }
|	decl_specs decl_spec { $$ = $1; }
	;

decl_spec:
	spec
|	SELF { dt_decl_class(dt, $<spec>0, DC_SELF); }
|	THIS { dt_decl_class(dt, $<spec>0, DC_THIS); }
	;

/* of a type name, parameter or member: self and this begin an expression there */
specs:
	specs_begin spec { $$ = $1; }
|	specs spec { $$ = $1; }
	;

spec:
	AUTO { dt_decl_class(dt, $<spec>0, DC_AUTO); }
|	REGISTER { dt_decl_class(dt, $<spec>0, DC_REGISTER); }
|	STATIC { dt_decl_class(dt, $<spec>0, DC_STATIC); }
|	EXTERN { dt_decl_class(dt, $<spec>0, DC_EXTERN); }
|	TYPEDEF { dt_decl_class(dt, $<spec>0, DC_TYPEDEF); }
|	CHAR { dt_decl_base(dt, $<spec>0, DB_CHAR, NULL); }
|	INTTYPE { dt_decl_base(dt, $<spec>0, DB_INT, NULL); }
|	VOID { dt_decl_base(dt, $<spec>0, DB_VOID, NULL); }
|	FLOAT { dt_decl_base(dt, $<spec>0, DB_FLOAT, NULL); }
|	DOUBLE { dt_decl_base(dt, $<spec>0, DB_DOUBLE, NULL); }
|	STRING { dt_decl_base(dt, $<spec>0, DB_TYPE, dt->t.string); }
|	TNAME { dt_decl_base(dt, $<spec>0, DB_TYPE, ctf_lookup_typedef(dt, $1)); }
|	sou { dt_decl_base(dt, $<spec>0, DB_TYPE, $1); $<spec>0->ds_tagged = true; }
|	enum_spec { dt_decl_base(dt, $<spec>0, DB_TYPE, $1); $<spec>0->ds_tagged = true; }
|	SHORT { dt_decl_attr(dt, $<spec>0, 's'); }
|	LONG { dt_decl_attr(dt, $<spec>0, 'l'); }
|	SIGNED { dt_decl_attr(dt, $<spec>0, '+'); }
|	UNSIGNED { dt_decl_attr(dt, $<spec>0, 'u'); }
|	CONST { dt_decl_attr(dt, $<spec>0, 'c'); }
|	VOLATILE { dt_decl_attr(dt, $<spec>0, 'v'); }
|	RESTRICT { dt_decl_attr(dt, $<spec>0, 'r'); }
|	USERLAND { dt_decl_attr(dt, $<spec>0, 'U'); }
	;

sou_kw:
	STRUCT { $$ = CT_STRUCT; }
|	UNION { $$ = CT_UNION; }
	;

tag_opt:
	%empty { $$ = NULL; }
|	IDENT
	;

sou:
	sou_body '}' { $$ = $1; $$->c_incomplete = false; }
|	sou_kw IDENT { $$ = dt_decl_tag(dt, (ctype_kind_t)$1, $2); }
	;

sou_body:
	sou_kw tag_opt '{' { $$ = dt_decl_sou_begin(dt, (ctype_kind_t)$1, $2); }
|	sou_body { $<type>$ = $1; } member { $$ = $1; }
	;

member:
	specs { $<type>$ = $<type>0; } member_list ';'
|	specs ';' {
		if (!ctf_is_sou(dt, dt_decl_type(dt, $1, NULL)))
			yyerror(dt, "syntax error");
		dt_decl_member(dt, $<type>0, $1, NULL, NULL);
	}
|	';'
	;

member_list:
	{ $<spec>$ = $<spec>-1; } { $<type>$ = $<type>0; } bits
|	member_list ',' { $<spec>$ = $<spec>-1; } { $<type>$ = $<type>0; } bits
	;

bits:
	declr { dt_decl_member(dt, $<type>0, $<spec>-1, $1, NULL); }
|	declr ':' const_expr { dt_decl_member(dt, $<type>0, $<spec>-1, $1, $3); }
|	':' const_expr { dt_decl_member(dt, $<type>0, $<spec>-1, NULL, $2); }
	;

enum_spec:
	enum_body '}' { $$ = $1; $$->c_incomplete = false; }
|	enum_body ',' '}' { $$ = $1; $$->c_incomplete = false; }
|	ENUM IDENT { $$ = dt_decl_tag(dt, CT_ENUM, $2); }
	;

enum_body:
	ENUM tag_opt '{' { $<type>$ = dt_decl_sou_begin(dt, CT_ENUM, $2); } enumr { $$ = $<type>4; }
|	enum_body ',' { $<type>$ = $1; } enumr { $$ = $1; }
	;

enumr:
	IDENT { dt_decl_enumr(dt, $<type>0, $1, NULL); }
|	IDENT '=' const_expr { dt_decl_enumr(dt, $<type>0, $1, $3); }
	;

declr:
	direct
|	pointer declr { $$ = dt_declr_mod(dt, $2, $1); }
	;

pointer:
	'*' quals { $$ = $2; }
	;

quals:
	%empty { $$ = dt_declmod(dt, DM_PTR); }
|	quals CONST { $$ = $1; $$->dm_qual[$$->dm_nqual++ % 3] = CT_CONST; }
|	quals VOLATILE { $$ = $1; $$->dm_qual[$$->dm_nqual++ % 3] = CT_VOLATILE; }
|	quals RESTRICT { $$ = $1; $$->dm_qual[$$->dm_nqual++ % 3] = CT_RESTRICT; }
	;

direct:
	IDENT { $$ = dt_declr(dt, $1); }
|	direct IDENT {
		dt_error(dt, "D_DECL_IDENT", dt_here(dt), "old-style declaration or incorrect type specified");
	}
|	'(' declr ')' { $$ = $2; }
|	direct brackets { $$ = dt_declr_mod(dt, $1, $2); }
|	direct '(' params_opt ')' {
		$$ = dt_declr_mod(dt, $1, make_tuple(dt, DM_FUNC, $3.first, $3.varargs));
	}
	;

brackets:
	'[' ']' { $$ = dt_declmod(dt, DM_NOARRAY); }
|	'[' const_expr ']' { $$ = dt_decl_array(dt, $2); }
|	'[' params ']' { $$ = make_tuple(dt, DM_TUPLE, $2.first, $2.varargs); }
	;

abstract_opt:
	%empty { $$ = NULL; }
|	abstract
	;

abstract:
	pointer { $$ = dt_declr_mod(dt, dt_declr(dt, NULL), $1); }
|	direct_abstract
|	pointer abstract { $$ = dt_declr_mod(dt, $2, $1); }
	;

direct_abstract:
	'(' abstract ')' { $$ = $2; }
|	brackets { $$ = dt_declr_mod(dt, dt_declr(dt, NULL), $1); }
|	direct_abstract brackets { $$ = dt_declr_mod(dt, $1, $2); }
|	'(' params_opt ')' {
		$$ = dt_declr_mod(dt, dt_declr(dt, NULL), make_tuple(dt, DM_FUNC, $2.first, $2.varargs));
	}
|	direct_abstract '(' params_opt ')' {
		$$ = dt_declr_mod(dt, $1, make_tuple(dt, DM_FUNC, $3.first, $3.varargs));
	}
	;

params_opt:
	%empty { $$.first = NULL; $$.varargs = false; }
|	params
	;

params:
	param_list
|	param_list ',' ELLIPSIS { $$ = $1; $$.varargs = true; }
|	ELLIPSIS { $$.first = NULL; $$.varargs = true; }
	;

param_list:
	param { $$.first = $1; $$.varargs = false; }
|	param_list ',' param {
		cparam_t *p = $1.first;

		while (p->p_next != NULL)
			p = p->p_next;
		p->p_next = $3;
		$$ = $1;
	}
	;

param:
	specs { $$ = dt_decl_param(dt, $1, NULL); }
|	specs declr { $$ = dt_decl_param(dt, $1, $2); }
|	specs abstract { $$ = dt_decl_param(dt, $1, $2); }
	;

type_name:
	specs abstract_opt { $$ = dt_decl_type(dt, $1, $2); }
	;

named_param:
	specs declr { $$ = dt_decl_param(dt, $1, $2); }
	;

inline:
	INLINE decl_specs declr '=' { dt_inline_begin(dt, $2, $3); } assign ';' { dt_inline_end(dt, $2, $3, $6); }
|	INLINE decl_specs ';' { dt_error(dt, "D_DECL_USELESS", dt_here(dt), "inline declaration requires a name"); }
	;

translator:
	xlator_head '}' ';' { dt_xlator_end(dt, $1); }
	;

xlator_head:
	TRANSLATOR type_name '<' named_param '>' '{' { $$ = dt_xlator_begin(dt, $2, $4); }
|	xlator_head word '=' assign ';' { dt_xlator_member(dt, $1, $2, $4); $$ = $1; }
	;

/* the name of a member, which some of D's own words may be */
word:
	IDENT
|	TNAME
|	PROBE { $$ = $<str>1; }
|	PROVIDER { $$ = $<str>1; }
|	SELF { $$ = $<str>1; }
|	STRING { $$ = $<str>1; }
|	STRINGOF { $$ = $<str>1; }
|	TRANSLATOR { $$ = $<str>1; }
|	USERLAND { $$ = $<str>1; }
|	XLATE { $$ = $<str>1; }
	;

provider:
	PROVIDER IDENT '{' probes '}' ';' { add_item(dt, dt_provider(dt, $2, $4)); }
	;

probes:
	%empty { $$ = NULL; }
|	probes probe {
		dt_probe_decl_t *p = $1;

		while (p != NULL && p->dp_next != NULL)
			p = p->dp_next;
		if (p != NULL)
			p->dp_next = $2;
		$$ = $1 != NULL ? $1 : $2;
	}
	;

probe:
	PROBE here IDENT '(' params_opt ')' ';' { $$ = dt_probe_decl(dt, $3, $2, $5, (ctuple_t){0}, false); }
|	PROBE here IDENT '(' params_opt ')' ':' '(' params_opt ')' ';' {
		$$ = dt_probe_decl(dt, $3, $2, $5, $9, true);
	}
	;

/* ---- expressions ---- */

const_expr:
	cond
	;

expr:
	assign
|	expr ',' assign { $$ = node_op2(dt, OP_COMMA, $1, $3); }
	;

assign:
	cond
|	unary '=' assign { $$ = node_op2(dt, OP_ASGN, $1, $3); }
|	unary OPASGN assign { $$ = node_op2(dt, $2, $1, $3); }
	;

cond:
	lor
|	lor '?' expr ':' cond { $$ = node_op3(dt, $1, $3, $5); }
	;

lor:
	lxor
|	lor LOR lxor { $$ = node_op2(dt, OP_LOR, $1, $3); }
	;

lxor:
	land
|	lxor LXOR land { $$ = node_op2(dt, OP_LXOR, $1, $3); }
	;

land:
	or
|	land LAND or { $$ = node_op2(dt, OP_LAND, $1, $3); }
	;

or:
	xor
|	or '|' xor { $$ = node_op2(dt, OP_OR, $1, $3); }
	;

xor:
	and
|	xor '^' and { $$ = node_op2(dt, OP_XOR, $1, $3); }
	;

and:
	equality
|	and '&' equality { $$ = node_op2(dt, OP_AND, $1, $3); }
	;

equality:
	relation
|	equality EQ relation { $$ = node_op2(dt, OP_EQ, $1, $3); }
|	equality NE relation { $$ = node_op2(dt, OP_NE, $1, $3); }
	;

relation:
	shift
|	relation '<' shift { $$ = node_op2(dt, OP_LT, $1, $3); }
|	relation '>' shift { $$ = node_op2(dt, OP_GT, $1, $3); }
|	relation LE shift { $$ = node_op2(dt, OP_LE, $1, $3); }
|	relation GE shift { $$ = node_op2(dt, OP_GE, $1, $3); }
	;

shift:
	additive
|	shift SHL additive { $$ = node_op2(dt, OP_SHL, $1, $3); }
|	shift SHR additive { $$ = node_op2(dt, OP_SHR, $1, $3); }
	;

additive:
	multiplicative
|	additive '+' multiplicative { $$ = node_op2(dt, OP_ADD, $1, $3); }
|	additive '-' multiplicative { $$ = node_op2(dt, OP_SUB, $1, $3); }
	;

multiplicative:
	cast
|	multiplicative '*' cast { $$ = node_op2(dt, OP_MUL, $1, $3); }
|	multiplicative '/' cast { $$ = node_op2(dt, OP_DIV, $1, $3); }
|	multiplicative '%' cast { $$ = node_op2(dt, OP_MOD, $1, $3); }
	;

cast:
	unary
|	'(' type_name ')' cast { $$ = node_op2(dt, OP_CAST, node_type(dt, $2), $4); }
	;

unary:
	postfix
|	INC unary { $$ = node_op1(dt, OP_PREINC, $2); }
|	DEC unary { $$ = node_op1(dt, OP_PREDEC, $2); }
|	'&' cast { $$ = node_op1(dt, OP_ADDROF, $2); }
|	'*' cast { $$ = node_op1(dt, OP_DEREF, $2); }
|	'+' cast { $$ = node_op1(dt, OP_POS, $2); }
|	'-' cast { $$ = node_op1(dt, OP_NEG, $2); }
|	'~' cast { $$ = node_op1(dt, OP_NOT, $2); }
|	'!' cast { $$ = node_op1(dt, OP_LNOT, $2); }
|	SIZEOF unary { $$ = node_op1(dt, OP_SIZEOF, $2); }
|	SIZEOF '(' type_name ')' { $$ = node_op1(dt, OP_SIZEOF, node_type(dt, $3)); }
|	STRINGOF unary { $$ = node_op1(dt, OP_STRINGOF, $2); }
	;

postfix:
	primary
|	postfix '[' args ']' { $$ = node_index(dt, $1, $3); }
|	postfix '(' args_opt ')' { $$ = node_call(dt, $1, $3); }
|	postfix '.' member_name { $$ = node_op2(dt, OP_DOT, $1, $3); }
|	postfix ARROW member_name { $$ = node_op2(dt, OP_PTR, $1, $3); }
|	postfix INC { $$ = node_op1(dt, OP_POSTINC, $1); }
|	postfix DEC { $$ = node_op1(dt, OP_POSTDEC, $1); }
|	OFFSETOF '(' type_name ',' word ')' { $$ = node_offsetof(dt, $3, $5); }
|	XLATE '<' type_name '>' '(' expr ')' { $$ = node_xlate(dt, $3, $6); }
	;

member_name:
	IDENT { $$ = make_name(dt, $1); }
	;

primary:
	IDENT { $$ = make_name(dt, $1); }
|	AGG { $$ = node_ident(dt, $1, SC_AGG); }
|	SELF ARROW IDENT { $$ = node_ident(dt, $3, SC_SELF); }
|	THIS ARROW IDENT { $$ = node_ident(dt, $3, SC_THIS); }
|	INT { $$ = node_int(dt, $1.value, $1.type); }
|	STR { $$ = node_str(dt, $1); }
|	'(' expr ')' { $$ = $2; }
	;

args:
	assign
|	args ',' assign { $$ = node_link($1, $3); }
	;

args_opt:
	%empty { $$ = NULL; }
|	args
	;

%%

static int yylex(union dt_token *val, dt_t *dt)
{
	return dt_lex(dt, val);
}

/* The parser's own errors name the token at which it gave up. */
static void yyerror(dt_t *dt, const char *msg)
{
	const pcb_t *p = dt->d_pcb;

	if (strcmp(msg, "memory exhausted") == 0)
		dt_error(dt, "D_UNKNOWN", dt_here(dt), "program text is nested too deeply");
	if (p->p_toklen == 0)
		dt_error(dt, "D_SYNTAX", dt_here(dt), "%s near end of input", msg);
	dt_error(dt, "D_SYNTAX", dt_here(dt), "%s near \"%.*s\"", msg, (int)MIN(p->p_toklen, 1024),
	    p->p_src->src_text + p->p_tokpos);
}

static int yyreport_syntax_error(const yypcontext_t *ctx, dt_t *dt)
{
	(void)ctx;
	yyerror(dt, "syntax error");
	return 0;
}

static void add_item(dt_t *dt, node_t *n)
{
	pcb_t *p = dt->d_pcb;

	p->p_content = true;
	if (p->p_itemtail != NULL)
		p->p_itemtail->n_next = n;
	else
		p->p_items = n;
	while (n->n_next != NULL)
		n = n->n_next;
	p->p_itemtail = n;
}

static node_t *make_clause(dt_t *dt, node_t *descs, node_t *pred, int predline, node_t *body, bool hasbody)
{
	const dt_source_t *src = dt->d_pcb->p_src;
	node_t *n;

	if (!hasbody && pred != NULL)
		dt_error(dt, "D_SYNTAX", predline, "expected actions { } following probe description and predicate");
	if (!hasbody && !src->src_empty_ok)
		dt_error(dt, "D_SYNTAX", descs->n_line,
		    "expected predicate and/or actions following probe description");
	n = node_new(dt, N_CLAUSE);
	n->n_args = descs;
	n->n_left = pred;
	n->n_right = body;
	n->n_line = descs->n_line;
	return dt_split_clause(dt, n);
}

static node_t *make_if(dt_t *dt, node_t *cond, node_t *yes, node_t *no)
{
	node_t *n = node_new(dt, N_IF);

	n->n_left = cond;
	n->n_right = yes;
	n->n_third = no;
	n->n_depth = 1 + MAX(MAX(cond->n_depth, yes != NULL ? yes->n_depth : 0), no != NULL ? no->n_depth : 0);
	return n;
}

static node_t *make_desc(dt_t *dt, const char *text)
{
	node_t *n = node_new(dt, N_DESC);

	n->n_str = text;
	dt_desc_parse(dt, n);
	return n;
}

/* Integer-constant inlines and enumerators are constants from here on. */
static node_t *make_name(dt_t *dt, const char *name)
{
	ident_t *id = dt_ident_visible(dt, SC_GLOBAL, name);

	if (id != NULL && id->i_kind == ID_ENUM)
		return node_int(dt, (uint64_t)id->i_value, id->i_type);
	if (id != NULL && id->i_kind == ID_INLINE && !id->i_haskeys && id->i_root != NULL &&
	    id->i_root->n_kind == N_INT)
		return node_int(dt, id->i_root->n_value, id->i_root->n_type);
	return node_ident(dt, name, SC_GLOBAL);
}

static declmod_t *make_tuple(dt_t *dt, int kind, cparam_t *params, bool varargs)
{
	declmod_t *m = dt_declmod(dt, kind);

	m->dm_params = params;
	m->dm_varargs = varargs;
	return m;
}
