/* Ethernet (IEEE 802.3, 802.1Q) as drivers and IP see it. */
#ifndef STRSIM_SYS_ETHERNET_H
#define STRSIM_SYS_ETHERNET_H

#include "sys/types.h"

#define ETHERADDRL 6
#define ETHERFCSL 4
#define ETHERMAX 1514
#define ETHERMIN 60
#define ETHERMTU 1500
#define ETHERTYPE_IP 0x0800
#define ETHERTYPE_ARP 0x0806
#define ETHERTYPE_REVARP 0x8035
#define ETHERTYPE_VLAN 0x8100
#define ETHERTYPE_IPV6 0x86dd
#define ETHERTYPE_QINQ 0x88a8
#define VLAN_TAGSZ 4
#define VLAN_ID_MASK 0xfff
#define VLAN_ID_NONE 0
#define VLAN_ID_MAX 4094

typedef uchar_t ether_addr_t[ETHERADDRL];

struct ether_header {
	uchar_t ether_dhost[ETHERADDRL];
	uchar_t ether_shost[ETHERADDRL];
	uint16_t ether_type; /* network order */
};

#endif
