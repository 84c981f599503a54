/*
 * The C types a D program sees: the language's own ones, those it declares,
 * and those of the modelled kernel, read from the debug information of this
 * binary when they are first asked for.
 *
 * A struct, union or enum of the kernel that several compile units describe is
 * one type here; a complete definition is preferred to a declaration.  Only
 * compile units under kernelmodel/ count, so that a program never sees the
 * tracer's own types.
 */
#ifndef STRSIM_CTF_H
#define STRSIM_CTF_H

#include "d/dt.h"

typedef enum ctype_kind {
	CT_VOID,
	CT_INT,
	CT_FLOAT,
	CT_ENUM,
	CT_PTR,
	CT_ARRAY,
	CT_STRUCT,
	CT_UNION,
	CT_FUNC,
	CT_TYPEDEF,
	CT_CONST,
	CT_VOLATILE,
	CT_RESTRICT,
	/* D's own */
	CT_STRING,
	CT_STACK,
	CT_SYMADDR,
	CT_USYMADDR,
	CT_DYN,   /* aggregations, translated data: no value of their own */
	CT_ASSOC, /* an associative array while it is being declared: c_ref[c_params] */
} ctype_kind_t;

typedef struct ctype ctype_t;

typedef struct cmember {
	const char *m_name; /* NULL: anonymous struct or union, searched through */
	ctype_t *m_type;
	uint64_t m_off;              /* bytes */
	uint32_t m_bitoff, m_bitlen; /* of a bit-field, in its storage at m_off; m_bitlen 0: none */
	struct cmember *m_next;
} cmember_t;

typedef struct cenumr {
	const char *e_name;
	int64_t e_value;
	struct cenumr *e_next;
} cenumr_t;

typedef struct cparam {
	const char *p_name; /* NULL: none */
	ctype_t *p_type;
	int p_line;
	struct ident *p_id; /* of a parameter of an inline */
	struct cparam *p_next;
} cparam_t;

/* A list of parameters, perhaps with `...' behind. */
typedef struct ctuple {
	cparam_t *first;
	bool varargs;
} ctuple_t;

struct ctype {
	ctype_kind_t c_kind;
	bool c_signed, c_char, c_incomplete, c_varargs, c_user, c_loading;
	uint32_t c_bits;    /* CT_INT: significant bits */
	const char *c_name; /* base types, typedefs and tags; NULL: anonymous */
	uint64_t c_size;
	uint64_t c_nelem;
	uint64_t c_line;      /* kernel types: where declared, part of their identity */
	ctype_t *c_ref;       /* pointer, array, typedef, qualifier: of; CT_FUNC: result */
	cmember_t *c_members; /* in order of declaration */
	cenumr_t *c_enums;
	cparam_t *c_params;
	uint64_t c_die;     /* debug information still to be read for the members; 0: none */
	ctype_t *c_ptrto;   /* the pointer to this one, once made */
	const char *c_text; /* C spelling, once made */
	ctype_t *c_next;    /* hash chain */
};

/* What is known of a kernel symbol. */
typedef struct csym {
	const char *s_name, *s_mod;
	ctype_t *s_type; /* NULL: no type information */
	uint64_t s_addr; /* address, or offset from the thread pointer */
	bool s_tls;
} csym_t;

/* Base types that the compiler itself uses. */
typedef struct ctf_base {
	ctype_t *v, *c, *s, *i, *l, *ll, *uc, *us, *ui, *ul, *ull, *boolean, *flt, *dbl, *ldbl;
	ctype_t *int8, *int16, *int32, *int64, *uint8, *uint16, *uint32, *uint64, *uintptr, *size;
	ctype_t *string, *stack, *symaddr, *usymaddr, *dyn, *charptr, *voidptr, *func;
} ctf_base_t;

void ctf_init(dt_t *dt);

/* Constructors.  None fails. */
ctype_t *ctf_ptr(dt_t *dt, ctype_t *to);
ctype_t *ctf_array(dt_t *dt, ctype_t *of, uint64_t n);
ctype_t *ctf_qual(dt_t *dt, ctype_kind_t q, ctype_t *of);
ctype_t *ctf_func(dt_t *dt, ctype_t *result, cparam_t *params, bool varargs);
/* A new tagged type, entered under its tag (NULL: anonymous); a forward declaration until ctf_complete(). */
ctype_t *ctf_tagged(dt_t *dt, ctype_kind_t kind, const char *tag);
/* Append a member to a D struct or union by D's own layout rules; false: the name exists already. */
bool ctf_add_member(dt_t *dt, ctype_t *t, const char *name, ctype_t *type, uint32_t bitlen);
void ctf_typedef(dt_t *dt, const char *name, ctype_t *of);

/* Look-ups.  NULL: no such thing. */
ctype_t *ctf_lookup_typedef(dt_t *dt, const char *name);
ctype_t *ctf_lookup_tag(dt_t *dt, ctype_kind_t kind, const char *tag);
/* The type that a piece of C text names: "const char *", "struct queue *", "int [3]". */
ctype_t *ctf_lookup(dt_t *dt, const char *text);
bool ctf_lookup_sym(dt_t *dt, const char *mod, const char *name, csym_t *sym);
bool ctf_module_exists(const char *mod);
/* An enumerator of the kernel, by name. */
ctype_t *ctf_lookup_enumr(dt_t *dt, const char *name, int64_t *value);

/* Without typedefs and qualifiers; members and size are known afterwards if they exist at all. */
ctype_t *ctf_resolve(dt_t *dt, ctype_t *t);
/* Member by name, through anonymous members too; *off gets its offset from the start of t. */
const cmember_t *ctf_member(dt_t *dt, ctype_t *t, const char *name, uint64_t *off);
bool ctf_enum_value(dt_t *dt, ctype_t *t, const char *name, int64_t *value);
const char *ctf_name(dt_t *dt, ctype_t *t);
uint64_t ctf_size(dt_t *dt, ctype_t *t);
/* Same type but for typedefs and qualifiers. */
bool ctf_same(dt_t *dt, ctype_t *a, ctype_t *b);

/* By kind of the resolved type. */
bool ctf_is_int(dt_t *dt, ctype_t *t); /* enums too */
bool ctf_is_float(dt_t *dt, ctype_t *t);
bool ctf_is_arith(dt_t *dt, ctype_t *t);
bool ctf_is_ptr(dt_t *dt, ctype_t *t);
bool ctf_is_scalar(dt_t *dt, ctype_t *t);
bool ctf_is_sou(dt_t *dt, ctype_t *t);
bool ctf_is_strcompat(dt_t *dt, ctype_t *t); /* string, pointer to char, array of char */
bool ctf_is_char_array(dt_t *dt, ctype_t *t);
bool ctf_is_signed(dt_t *dt, ctype_t *t);
/* Its value in a register is an address. */
bool ctf_is_byref(dt_t *dt, ctype_t *t);
uint32_t ctf_bits(dt_t *dt, ctype_t *t);

#endif
