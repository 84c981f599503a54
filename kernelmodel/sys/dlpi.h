/* Data Link Provider Interface, version 2 (dlpi(7P)): primitives between a link-level driver and its user. */
#ifndef STRSIM_SYS_DLPI_H
#define STRSIM_SYS_DLPI_H

#include "sys/types.h"

#define DL_INFO_REQ 0x00
#define DL_BIND_REQ 0x01
#define DL_UNBIND_REQ 0x02
#define DL_INFO_ACK 0x03
#define DL_BIND_ACK 0x04
#define DL_ERROR_ACK 0x05
#define DL_OK_ACK 0x06
#define DL_UNITDATA_REQ 0x07
#define DL_UNITDATA_IND 0x08
#define DL_UDERROR_IND 0x09
#define DL_ATTACH_REQ 0x0b
#define DL_DETACH_REQ 0x0c
#define DL_ENABMULTI_REQ 0x1d
#define DL_DISABMULTI_REQ 0x1e
#define DL_PROMISCON_REQ 0x1f
#define DL_PROMISCOFF_REQ 0x20
#define DL_PHYS_ADDR_REQ 0x31
#define DL_PHYS_ADDR_ACK 0x32
#define DL_SET_PHYS_ADDR_REQ 0x33
#define DL_NOTIFY_REQ 0x100
#define DL_NOTIFY_ACK 0x101
#define DL_NOTIFY_IND 0x102
#define DL_CAPABILITY_REQ 0x110
#define DL_CAPABILITY_ACK 0x111

/* dl_current_state */
#define DL_UNBOUND 0x00
#define DL_BIND_PENDING 0x01
#define DL_IDLE 0x03
#define DL_UNATTACHED 0x04

/* dl_errno */
#define DL_BADSAP 0x00
#define DL_BADADDR 0x01
#define DL_OUTSTATE 0x03
#define DL_SYSERR 0x04
#define DL_BADDATA 0x06
#define DL_UNSUPPORTED 0x07
#define DL_BADPPA 0x08
#define DL_BADPRIM 0x09
#define DL_NOTSUPPORTED 0x12
#define DL_TOOMANY 0x13
#define DL_NOTENAB 0x14
#define DL_NOAUTO 0x16

#define DL_CLDLS 0x02
#define DL_ETHER 0x04
#define DL_IPV4 0x80000001U /* mac type: IP in IPv4 */
#define DL_STYLE1 0x0500
#define DL_STYLE2 0x0501
#define DL_VERSION_2 0x02
#define DL_PROMISC_PHYS 1
#define DL_PROMISC_SAP 2
#define DL_PROMISC_MULTI 3
#define DL_FACT_PHYS_ADDR 1
#define DL_CURR_PHYS_ADDR 2
#define DL_AUTO_XID 0x01
#define DL_AUTO_TEST 0x02

typedef struct dl_info_req {
	uint32_t dl_primitive;
} dl_info_req_t;

typedef struct dl_info_ack {
	uint32_t dl_primitive;
	uint32_t dl_max_sdu, dl_min_sdu;
	uint32_t dl_addr_length;
	uint32_t dl_mac_type;
	uint32_t dl_reserved;
	uint32_t dl_current_state;
	int32_t dl_sap_length;
	uint32_t dl_service_mode;
	uint32_t dl_qos_length, dl_qos_offset;
	uint32_t dl_qos_range_length, dl_qos_range_offset;
	uint32_t dl_provider_style;
	uint32_t dl_addr_offset;
	uint32_t dl_version;
	uint32_t dl_brdcst_addr_length, dl_brdcst_addr_offset;
	uint32_t dl_growth;
} dl_info_ack_t;

typedef struct dl_attach_req {
	uint32_t dl_primitive;
	uint32_t dl_ppa;
} dl_attach_req_t;

typedef struct dl_detach_req {
	uint32_t dl_primitive;
} dl_detach_req_t;

typedef struct dl_bind_req {
	uint32_t dl_primitive;
	uint32_t dl_sap;
	uint32_t dl_max_conind;
	uint16_t dl_service_mode;
	uint16_t dl_conn_mgmt;
	uint32_t dl_xidtest_flg;
} dl_bind_req_t;

typedef struct dl_bind_ack {
	uint32_t dl_primitive;
	uint32_t dl_sap;
	uint32_t dl_addr_length, dl_addr_offset;
	uint32_t dl_max_conind;
	uint32_t dl_xidtest_flg;
} dl_bind_ack_t;

typedef struct dl_unbind_req {
	uint32_t dl_primitive;
} dl_unbind_req_t;

typedef struct dl_ok_ack {
	uint32_t dl_primitive;
	uint32_t dl_correct_primitive;
} dl_ok_ack_t;

typedef struct dl_error_ack {
	uint32_t dl_primitive;
	uint32_t dl_error_primitive;
	uint32_t dl_errno;
	uint32_t dl_unix_errno;
} dl_error_ack_t;

typedef struct dl_unitdata_req {
	uint32_t dl_primitive;
	uint32_t dl_dest_addr_length, dl_dest_addr_offset;
	struct {
		int32_t dl_min, dl_max;
	} dl_priority;
} dl_unitdata_req_t;

typedef struct dl_unitdata_ind {
	uint32_t dl_primitive;
	uint32_t dl_dest_addr_length, dl_dest_addr_offset;
	uint32_t dl_src_addr_length, dl_src_addr_offset;
	uint32_t dl_group_address;
} dl_unitdata_ind_t;

typedef struct dl_uderror_ind {
	uint32_t dl_primitive;
	uint32_t dl_dest_addr_length, dl_dest_addr_offset;
	uint32_t dl_unix_errno;
	uint32_t dl_errno;
} dl_uderror_ind_t;

/* DL_ENABMULTI_REQ, DL_DISABMULTI_REQ, DL_SET_PHYS_ADDR_REQ */
typedef struct dl_enabmulti_req {
	uint32_t dl_primitive;
	uint32_t dl_addr_length, dl_addr_offset;
} dl_enabmulti_req_t;
typedef dl_enabmulti_req_t dl_disabmulti_req_t;
typedef dl_enabmulti_req_t dl_set_phys_addr_req_t;
typedef dl_enabmulti_req_t dl_phys_addr_ack_t;

/* DL_PROMISCON_REQ, DL_PROMISCOFF_REQ */
typedef struct dl_promiscon_req {
	uint32_t dl_primitive;
	uint32_t dl_level;
} dl_promiscon_req_t;
typedef dl_promiscon_req_t dl_promiscoff_req_t;

typedef struct dl_phys_addr_req {
	uint32_t dl_primitive;
	uint32_t dl_addr_type;
} dl_phys_addr_req_t;

typedef struct dl_notify_req {
	uint32_t dl_primitive;
	uint32_t dl_notifications;
	uint32_t dl_timelimit;
} dl_notify_req_t;
typedef struct dl_notify_ack {
	uint32_t dl_primitive;
	uint32_t dl_notifications;
} dl_notify_ack_t;

typedef struct dl_notify_ind {
	uint32_t dl_primitive;
	uint32_t dl_notification;
	uint32_t dl_data;
	uint32_t dl_addr_length, dl_addr_offset;
} dl_notify_ind_t;
#define DL_NOTE_SDU_SIZE 0x0100 /* dl_data: the largest packet from now on */

typedef struct dl_capability_req {
	uint32_t dl_primitive;
	uint32_t dl_sub_offset, dl_sub_length;
} dl_capability_req_t;
typedef dl_capability_req_t dl_capability_ack_t;

union DL_primitives {
	uint32_t dl_primitive;
	dl_info_req_t info_req;
	dl_info_ack_t info_ack;
	dl_attach_req_t attach_req;
	dl_detach_req_t detach_req;
	dl_bind_req_t bind_req;
	dl_bind_ack_t bind_ack;
	dl_unbind_req_t unbind_req;
	dl_ok_ack_t ok_ack;
	dl_error_ack_t error_ack;
	dl_unitdata_req_t unitdata_req;
	dl_unitdata_ind_t unitdata_ind;
	dl_uderror_ind_t uderror_ind;
	dl_enabmulti_req_t enabmulti_req;
	dl_promiscon_req_t promiscon_req;
	dl_phys_addr_req_t physaddr_req;
	dl_notify_req_t notify_req;
	dl_notify_ind_t notify_ind;
	dl_capability_req_t capability_req;
};

/* M_IOCTL commands of link-level drivers. */
#define DLIOC ('D' << 8)
#define DLIOCRAW (DLIOC | 1)         /* the stream takes and gives whole frames */
#define DL_IOC_HDR_INFO (DLIOC | 10) /* ask for a ready link header */

#endif
