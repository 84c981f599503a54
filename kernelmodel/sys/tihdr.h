/* Transport Provider Interface (TPI 1.5): the messages between a transport and its user.  All fields are 32 bits. */
#ifndef STRSIM_SYS_TIHDR_H
#define STRSIM_SYS_TIHDR_H

#include "sys/types.h"

typedef int32_t t_scalar_t;
typedef uint32_t t_uscalar_t;

#define T_CONN_REQ 0
#define O_T_CONN_RES 1
#define T_DISCON_REQ 2
#define T_DATA_REQ 3
#define T_EXDATA_REQ 4
#define T_INFO_REQ 5
#define O_T_BIND_REQ 6
#define T_UNBIND_REQ 7
#define T_UNITDATA_REQ 8
#define T_SVR4_OPTMGMT_REQ 9
#define T_ORDREL_REQ 10
#define T_CONN_IND 11
#define T_CONN_CON 12
#define T_DISCON_IND 13
#define T_DATA_IND 14
#define T_EXDATA_IND 15
#define T_INFO_ACK 16
#define T_BIND_ACK 17
#define T_ERROR_ACK 18
#define T_OK_ACK 19
#define T_UNITDATA_IND 20
#define T_UDERROR_IND 21
#define T_OPTMGMT_ACK 22
#define T_ORDREL_IND 23
#define T_ADDR_REQ 24
#define T_ADDR_ACK 25
#define T_BIND_REQ 26
#define T_OPTMGMT_REQ 27
#define T_CONN_RES 28
#define T_CAPABILITY_REQ 30
#define T_CAPABILITY_ACK 31
#define T_OPTDATA_REQ 0x1001
#define T_OPTDATA_IND 0x1002
#define T_EXTCONN_IND 0x1003

/* CURRENT_state */
#define TS_UNBND 0
#define TS_WACK_BREQ 1
#define TS_WACK_UREQ 2
#define TS_IDLE 3
#define TS_WACK_OPTREQ 4
#define TS_WACK_CREQ 5
#define TS_WCON_CREQ 6
#define TS_WRES_CIND 7
#define TS_WACK_CRES 8
#define TS_DATA_XFER 9
#define TS_WIND_ORDREL 10
#define TS_WREQ_ORDREL 11
#define TS_WACK_DREQ6 12
#define TS_WACK_DREQ7 13
#define TS_WACK_DREQ9 14
#define TS_WACK_DREQ10 15
#define TS_WACK_DREQ11 16

/* SERV_type */
#define T_COTS 1
#define T_COTS_ORD 2
#define T_CLTS 3
/* PROVIDER_flag */
#define SENDZERO 0x1
#define EXPINLINE 0x2
#define XPG4_1 0x4
/* Sizes */
#define T_INFINITE (-1)
#define T_INVALID (-2)
/* CAP_bits1 */
#define TC1_INFO 0x1
#define TC1_ACCEPTOR_ID 0x2
/* MGMT_flags */
#define T_NEGOTIATE 0x004
#define T_CHECK 0x008
#define T_DEFAULT 0x010
#define T_SUCCESS 0x020
#define T_FAILURE 0x040
#define T_CURRENT 0x080
#define T_PARTSUCCESS 0x100
#define T_READONLY 0x200
#define T_NOTSUPPORT 0x400

struct T_conn_req {
	t_scalar_t PRIM_type;
	t_scalar_t DEST_length, DEST_offset, OPT_length, OPT_offset;
};
struct T_conn_res {
	t_scalar_t PRIM_type;
	t_uscalar_t ACCEPTOR_id;
	t_scalar_t OPT_length, OPT_offset, SEQ_number;
};
struct T_discon_req {
	t_scalar_t PRIM_type;
	t_scalar_t SEQ_number;
};
struct T_data_req {
	t_scalar_t PRIM_type;
	t_scalar_t MORE_flag;
};
struct T_exdata_req {
	t_scalar_t PRIM_type;
	t_scalar_t MORE_flag;
};
struct T_info_req {
	t_scalar_t PRIM_type;
};
struct T_bind_req {
	t_scalar_t PRIM_type;
	t_scalar_t ADDR_length, ADDR_offset;
	t_uscalar_t CONIND_number;
};
struct T_unbind_req {
	t_scalar_t PRIM_type;
};
struct T_unitdata_req {
	t_scalar_t PRIM_type;
	t_scalar_t DEST_length, DEST_offset, OPT_length, OPT_offset;
};
struct T_optmgmt_req {
	t_scalar_t PRIM_type;
	t_scalar_t OPT_length, OPT_offset, MGMT_flags;
};
struct T_ordrel_req {
	t_scalar_t PRIM_type;
};
struct T_addr_req {
	t_scalar_t PRIM_type;
};
struct T_capability_req {
	t_scalar_t PRIM_type;
	t_uscalar_t CAP_bits1;
};
struct T_optdata_req {
	t_scalar_t PRIM_type;
	t_scalar_t DATA_flag, OPT_length, OPT_offset;
};

struct T_conn_ind {
	t_scalar_t PRIM_type;
	t_scalar_t SRC_length, SRC_offset, OPT_length, OPT_offset, SEQ_number;
};
struct T_conn_con {
	t_scalar_t PRIM_type;
	t_scalar_t RES_length, RES_offset, OPT_length, OPT_offset;
};
struct T_discon_ind {
	t_scalar_t PRIM_type;
	t_scalar_t DISCON_reason, SEQ_number;
};
struct T_data_ind {
	t_scalar_t PRIM_type;
	t_scalar_t MORE_flag;
};
struct T_exdata_ind {
	t_scalar_t PRIM_type;
	t_scalar_t MORE_flag;
};
struct T_info_ack {
	t_scalar_t PRIM_type;
	t_scalar_t TSDU_size, ETSDU_size, CDATA_size, DDATA_size, ADDR_size, OPT_size, TIDU_size, SERV_type;
	t_scalar_t CURRENT_state, PROVIDER_flag;
};
struct T_bind_ack {
	t_scalar_t PRIM_type;
	t_scalar_t ADDR_length, ADDR_offset;
	t_uscalar_t CONIND_number;
};
struct T_error_ack {
	t_scalar_t PRIM_type;
	t_scalar_t ERROR_prim, TLI_error, UNIX_error;
};
struct T_ok_ack {
	t_scalar_t PRIM_type;
	t_scalar_t CORRECT_prim;
};
struct T_unitdata_ind {
	t_scalar_t PRIM_type;
	t_scalar_t SRC_length, SRC_offset, OPT_length, OPT_offset;
};
struct T_uderror_ind {
	t_scalar_t PRIM_type;
	t_scalar_t DEST_length, DEST_offset, OPT_length, OPT_offset, ERROR_type;
};
struct T_optmgmt_ack {
	t_scalar_t PRIM_type;
	t_scalar_t OPT_length, OPT_offset, MGMT_flags;
};
struct T_ordrel_ind {
	t_scalar_t PRIM_type;
};
struct T_addr_ack {
	t_scalar_t PRIM_type;
	t_scalar_t LOCADDR_length, LOCADDR_offset, REMADDR_length, REMADDR_offset;
};
struct T_capability_ack {
	t_scalar_t PRIM_type;
	t_uscalar_t CAP_bits1;
	struct T_info_ack INFO_ack;
	t_uscalar_t ACCEPTOR_id;
};
struct T_optdata_ind {
	t_scalar_t PRIM_type;
	t_scalar_t DATA_flag, OPT_length, OPT_offset;
};

union T_primitives {
	t_scalar_t type;
	struct T_conn_req conn_req;
	struct T_conn_res conn_res;
	struct T_discon_req discon_req;
	struct T_data_req data_req;
	struct T_exdata_req exdata_req;
	struct T_info_req info_req;
	struct T_bind_req bind_req;
	struct T_unbind_req unbind_req;
	struct T_unitdata_req unitdata_req;
	struct T_optmgmt_req optmgmt_req;
	struct T_ordrel_req ordrel_req;
	struct T_addr_req addr_req;
	struct T_capability_req capability_req;
	struct T_optdata_req optdata_req;
	struct T_conn_ind conn_ind;
	struct T_conn_con conn_con;
	struct T_discon_ind discon_ind;
	struct T_data_ind data_ind;
	struct T_exdata_ind exdata_ind;
	struct T_info_ack info_ack;
	struct T_bind_ack bind_ack;
	struct T_error_ack error_ack;
	struct T_ok_ack ok_ack;
	struct T_unitdata_ind unitdata_ind;
	struct T_uderror_ind uderror_ind;
	struct T_optmgmt_ack optmgmt_ack;
	struct T_ordrel_ind ordrel_ind;
	struct T_addr_ack addr_ack;
	struct T_capability_ack capability_ack;
	struct T_optdata_ind optdata_ind;
};

/* One option of T_SVR4_OPTMGMT_REQ (TLI's struct opthdr): the value follows, padded to 4 bytes. */
struct opthdr {
	t_uscalar_t level;
	t_uscalar_t name;
	t_uscalar_t len;
};
#define OPTLEN(len) (((len) + 3U) & ~3U)
#define OPTVAL(opt) ((char *)((opt) + 1))

/* One option of T_OPTMGMT_REQ and of the OPT part of other primitives (XTI's struct T_opthdr); len includes itself. */
struct T_opthdr {
	t_uscalar_t len;
	t_uscalar_t level;
	t_uscalar_t name;
	t_uscalar_t status;
};
#define _T_ALIGN(n) (((n) + 3U) & ~3U)

#endif
