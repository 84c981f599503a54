/* Error numbers of TLI_error in T_ERROR_ACK (t_errno of <tiuser.h>). */
#ifndef STRSIM_SYS_TIUSER_H
#define STRSIM_SYS_TIUSER_H

#define TBADADDR 1
#define TBADOPT 2
#define TACCES 3
#define TBADF 4
#define TNOADDR 5
#define TOUTSTATE 6
#define TBADSEQ 7
#define TSYSERR 8
#define TLOOK 9
#define TBADDATA 10
#define TBUFOVFLW 11
#define TFLOW 12
#define TNODATA 13
#define TNODIS 14
#define TNOUDERR 15
#define TBADFLAG 16
#define TNOREL 17
#define TNOTSUPPORT 18
#define TSTATECHNG 19
#define TNOSTRUCTYPE 20
#define TBADNAME 21
#define TBADQLEN 22
#define TADDRBUSY 23
#define TINDOUT 24
#define TPROVMISMATCH 25
#define TRESQLEN 26
#define TRESADDR 27
#define TQFULL 28
#define TPROTO 29

#endif
