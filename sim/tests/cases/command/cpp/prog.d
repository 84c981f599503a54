#!/usr/sbin/strsim -Cs
#include <sys/file.h>
#include <sys/byteorder.h>
#ifdef __sun
BEGIN
{
	printf("%d %d %x", N, FREAD | FWRITE, BSWAP_16(0x1234));
	exit(0);
}
#endif
