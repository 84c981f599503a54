/*
 * Connections and segments, for the provider tcp.
 */
#pragma D depends_on module ip
#pragma D depends_on provider tcp
#pragma D depends_on library ip.d

inline uint8_t TH_FIN = 0x01;
inline uint8_t TH_SYN = 0x02;
inline uint8_t TH_RST = 0x04;
inline uint8_t TH_PUSH = 0x08;
inline uint8_t TH_ACK = 0x10;
inline uint8_t TH_URG = 0x20;
inline uint8_t TH_ECE = 0x40;
inline uint8_t TH_CWR = 0x80;

inline int32_t TCP_STATE_CLOSED = -6;
inline int32_t TCP_STATE_IDLE = -5;
inline int32_t TCP_STATE_BOUND = -4;
inline int32_t TCP_STATE_LISTEN = -3;
inline int32_t TCP_STATE_SYN_SENT = -2;
inline int32_t TCP_STATE_SYN_RECEIVED = -1;
inline int32_t TCP_STATE_ESTABLISHED = 0;
inline int32_t TCP_STATE_CLOSE_WAIT = 1;
inline int32_t TCP_STATE_FIN_WAIT_1 = 2;
inline int32_t TCP_STATE_CLOSING = 3;
inline int32_t TCP_STATE_LAST_ACK = 4;
inline int32_t TCP_STATE_FIN_WAIT_2 = 5;
inline int32_t TCP_STATE_TIME_WAIT = 6;

inline string tcp_state_string[int32_t state] =
    state == TCP_STATE_CLOSED ? "state-closed" :
    state == TCP_STATE_IDLE ? "state-idle" :
    state == TCP_STATE_BOUND ? "state-bound" :
    state == TCP_STATE_LISTEN ? "state-listen" :
    state == TCP_STATE_SYN_SENT ? "state-syn-sent" :
    state == TCP_STATE_SYN_RECEIVED ? "state-syn-received" :
    state == TCP_STATE_ESTABLISHED ? "state-established" :
    state == TCP_STATE_CLOSE_WAIT ? "state-close-wait" :
    state == TCP_STATE_FIN_WAIT_1 ? "state-fin-wait-1" :
    state == TCP_STATE_CLOSING ? "state-closing" :
    state == TCP_STATE_LAST_ACK ? "state-last-ack" :
    state == TCP_STATE_FIN_WAIT_2 ? "state-fin-wait-2" :
    state == TCP_STATE_TIME_WAIT ? "state-time-wait" :
    "<unknown>";

/* A segment's header, in host byte order. */
typedef struct tcpinfo {
	uint16_t tcp_sport;
	uint16_t tcp_dport;
	uint32_t tcp_seq;
	uint32_t tcp_ack;
	uint8_t tcp_offset; /* bytes */
	uint8_t tcp_flags;
	uint16_t tcp_window;
	uint16_t tcp_checksum;
	uint16_t tcp_urgent;
	tcph_t *tcp_hdr;
} tcpinfo_t;

translator tcpinfo_t < tcph_t *T > {
	tcp_sport = T == NULL ? 0 : ntohs(*(uint16_t *)T->th_lport);
	tcp_dport = T == NULL ? 0 : ntohs(*(uint16_t *)T->th_fport);
	tcp_seq = T == NULL ? 0 : ntohl(*(uint32_t *)T->th_seq);
	tcp_ack = T == NULL ? 0 : ntohl(*(uint32_t *)T->th_ack);
	tcp_offset = T == NULL ? 0 : (*(uint8_t *)T->th_offset_and_rsrvd & 0xf0) >> 2;
	tcp_flags = T == NULL ? 0 : *(uint8_t *)T->th_flags;
	tcp_window = T == NULL ? 0 : ntohs(*(uint16_t *)T->th_win);
	tcp_checksum = T == NULL ? 0 : ntohs(*(uint16_t *)T->th_sum);
	tcp_urgent = T == NULL ? 0 : ntohs(*(uint16_t *)T->th_urp);
	tcp_hdr = T;
};

/* A connection.  Of one that waits in TIME_WAIT only the head remains: what is not in it reads 0. */
typedef struct tcpsinfo {
	uintptr_t tcps_addr;
	int tcps_local;
	int tcps_active;
	uint16_t tcps_lport;
	uint16_t tcps_rport;
	string tcps_laddr;
	string tcps_raddr;
	int32_t tcps_state;
	uint32_t tcps_iss;
	uint32_t tcps_irs;
	uint32_t tcps_suna;
	uint32_t tcps_smax;
	uint32_t tcps_snxt;
	uint32_t tcps_rack;
	uint32_t tcps_rnxt;
	uint32_t tcps_swnd;
	int32_t tcps_snd_ws;
	uint32_t tcps_swl1;
	uint32_t tcps_swl2;
	uint32_t tcps_rup;
	uint32_t tcps_rwnd;
	int32_t tcps_rcv_ws;
	uint32_t tcps_cwnd;
	uint32_t tcps_cwnd_ssthresh;
	uint32_t tcps_sack_fack;
	uint32_t tcps_sack_snxt;
	uint32_t tcps_rto;
	uint32_t tcps_mss;
	int tcps_retransmit;
	int tcps_rtt; /* ms */
} tcpsinfo_t;

translator tcpsinfo_t < tcp_t *T > {
	tcps_addr = (uintptr_t)T;
	tcps_local = T == NULL ? -1 : T->tcp_loopback;
	tcps_active = T == NULL ? -1 : T->tcp_active_open;
	tcps_lport = T == NULL ? 0 : ntohs(T->tcp_connp->u_port.tcpu_ports.tcpu_lport);
	tcps_rport = T == NULL ? 0 : ntohs(T->tcp_connp->u_port.tcpu_ports.tcpu_fport);
	tcps_laddr = T == NULL ? "<unknown>" : inet_ntoa6(&T->tcp_connp->connua_v6addr.connua_laddr);
	tcps_raddr = T == NULL ? "<unknown>" : inet_ntoa6(&T->tcp_connp->connua_v6addr.connua_faddr);
	tcps_state = T == NULL ? TCP_STATE_CLOSED : T->tcp_state;
	tcps_iss = T == NULL ? 0 : T->tcp_iss;
	tcps_irs = T == NULL ? 0 : T->tcp_irs;
	tcps_suna = T == NULL ? 0 : T->tcp_suna;
	tcps_smax = T == NULL || T->tcp_tw_cut ? 0 : T->tcp_rexmit_max;
	tcps_snxt = T == NULL ? 0 : T->tcp_snxt;
	tcps_rack = T == NULL ? 0 : T->tcp_rack;
	tcps_rnxt = T == NULL ? 0 : T->tcp_rnxt;
	tcps_swnd = T == NULL || T->tcp_tw_cut ? 0 : T->tcp_swnd;
	tcps_snd_ws = T == NULL ? 0 : T->tcp_snd_ws;
	tcps_swl1 = T == NULL || T->tcp_tw_cut ? 0 : T->tcp_swl1;
	tcps_swl2 = T == NULL || T->tcp_tw_cut ? 0 : T->tcp_swl2;
	tcps_rup = T == NULL || T->tcp_tw_cut ? 0 : T->tcp_urp_last;
	tcps_rwnd = T == NULL ? 0 : T->tcp_rwnd;
	tcps_rcv_ws = T == NULL ? 0 : T->tcp_rcv_ws;
	tcps_cwnd = T == NULL || T->tcp_tw_cut ? 0 : T->tcp_cwnd;
	tcps_cwnd_ssthresh = T == NULL || T->tcp_tw_cut ? 0 : T->tcp_cwnd_ssthresh;
	tcps_sack_fack = T == NULL || T->tcp_sack_info == NULL ? 0 : T->tcp_sack_info->tcp_fack;
	tcps_sack_snxt = T == NULL || T->tcp_sack_info == NULL ? 0 : T->tcp_sack_info->tcp_sack_snxt;
	tcps_rto = T == NULL || T->tcp_tw_cut ? 0 : T->tcp_rto;
	tcps_mss = T == NULL || T->tcp_tw_cut ? 0 : T->tcp_mss;
	tcps_retransmit = T == NULL ? -1 : T->tcp_rexmit;
	tcps_rtt = T == NULL || T->tcp_tw_cut ? 0 : T->tcp_rtt_sa >> 3;
};

/* The state that a connection was in before. */
typedef struct tcplsinfo {
	int32_t tcps_state;
} tcplsinfo_t;

translator tcplsinfo_t < int I > {
	tcps_state = I;
};
