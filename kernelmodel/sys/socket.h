/* Sockets as programs see them (socket.h(3HEAD)), numbers of Solaris. */
#ifndef STRSIM_SYS_SOCKET_H
#define STRSIM_SYS_SOCKET_H

#include "sys/types.h"
#include "sys/uio.h"
#include "sys/in.h"

typedef uint32_t socklen_t_;

#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 26

#define SOCK_DGRAM 1
#define SOCK_STREAM 2
#define SOCK_RAW 4
#define SOCK_RDM 5
#define SOCK_SEQPACKET 6

#define SOL_SOCKET 0xffff
#ifndef IPPROTO_ICMP
#define IPPROTO_ICMP 1
#endif
#ifndef IPPROTO_TCP
#define IPPROTO_TCP 6
#endif
#ifndef IPPROTO_UDP
#define IPPROTO_UDP 17
#endif

/* Options of level SOL_SOCKET; those below 0x1000 are also bits of so_options. */
#define SO_DEBUG 0x0001
#define SO_ACCEPTCONN 0x0002
#define SO_REUSEADDR 0x0004
#define SO_KEEPALIVE 0x0008
#define SO_DONTROUTE 0x0010
#define SO_BROADCAST 0x0020
#define SO_USELOOPBACK 0x0040
#define SO_LINGER 0x0080
#define SO_OOBINLINE 0x0100
#define SO_DGRAM_ERRIND 0x0200
#define SO_SNDBUF 0x1001
#define SO_RCVBUF 0x1002
#define SO_SNDLOWAT 0x1003
#define SO_RCVLOWAT 0x1004
#define SO_SNDTIMEO 0x1005
#define SO_RCVTIMEO 0x1006
#define SO_ERROR 0x1007
#define SO_TYPE 0x1008
#define SO_PROTOTYPE 0x1009
#define SO_DOMAIN 0x100c

#define MSG_OOB 0x1
#define MSG_PEEK 0x2
#define MSG_DONTROUTE 0x4
#define MSG_EOR 0x8
#define MSG_CTRUNC 0x10
#define MSG_TRUNC 0x20
#define MSG_WAITALL 0x40
#define MSG_DONTWAIT 0x80
#define MSG_MAXIOVLEN 16

#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2

#define SOMAXCONN 128

struct sockaddr {
	uint16_t sa_family;
	char sa_data[14];
};
struct sockaddr_storage {
	uint16_t ss_family;
	char ss_pad[254];
} __attribute__((aligned(8)));
struct sockaddr_un {
	uint16_t sun_family;
	char sun_path[108];
};
struct linger {
	int l_onoff;
	int l_linger; /* seconds */
};
struct msghdr {
	void *msg_name;
	socklen_t_ msg_namelen;
	struct iovec *msg_iov;
	int msg_iovlen;
	void *msg_control;
	socklen_t_ msg_controllen;
	int msg_flags;
};

/* ioctl: int *, is the reader at the urgent mark? (sockio) */
#define SIOCATMARK 0x40047307

#endif
