/*
 * mkindex BINARY FILE: write the index of a program's symbols and debug
 * information into a file, from which the build puts it into the program as a
 * section.  See ../symindex.h.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "symindex.h"

int main(int argc, char **argv)
{
	const char *why = "cannot be read";
	symindex_t *ix;
	size_t len = 0;
	FILE *fp;
	Elf *elf;
	int fd;

	if (argc != 3) {
		fprintf(stderr, "Usage: mkindex BINARY FILE\n");
		return 2;
	}
	(void)elf_version(EV_CURRENT);
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	elf = fd == -1 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	ix = elf == NULL ? NULL : symindex_make(elf, &len, &why);
	if (ix == NULL) {
		fprintf(stderr, "mkindex: %s: %s\n", argv[1], why);
		return 1;
	}
	fp = fopen(argv[2], "we");
	if (fp == NULL || fwrite(ix, 1, len, fp) != len || fclose(fp) != 0) {
		perror(argv[2]);
		return 1;
	}
	free(ix);
	(void)elf_end(elf);
	(void)close(fd);
	return 0;
}
