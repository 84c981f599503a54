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

/* 0, or 1 when something was said about the binary or the file. */
static int index_to_file(const char *binary, Elf *elf, const char *file)
{
	const char *why = "cannot be read";
	size_t len = 0, done = 0;
	symindex_t *ix = elf == NULL ? NULL : symindex_make(elf, &len, &why);
	FILE *fp;

	if (ix == NULL) {
		fprintf(stderr, "mkindex: %s: %s\n", binary, why);
		return 1;
	}
	fp = fopen(file, "we");
	if (fp != NULL) {
		done = fwrite(ix, 1, len, fp);
		if (fclose(fp) != 0)
			done = 0;
	}
	free(ix);
	if (done == len)
		return 0;
	perror(file);
	return 1;
}

int main(int argc, char **argv)
{
	Elf *elf;
	int fd, rc;

	if (argc != 3) {
		fprintf(stderr, "Usage: mkindex BINARY FILE\n");
		return 2;
	}
	(void)elf_version(EV_CURRENT);
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	elf = fd == -1 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	rc = index_to_file(argv[1], elf, argv[2]);
	(void)elf_end(elf);
	if (fd != -1)
		(void)close(fd);
	return rc;
}
