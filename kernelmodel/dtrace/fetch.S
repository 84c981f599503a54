/*
 * Copies that survive bad addresses: see fetch.h.
 * int dtrace_copyfrom(void *dst, const void *src, size_t n);
 * int dtrace_copyto(void *dst, const void *src, size_t n);
 */
	.text
	.globl	dtrace_copyfrom, dtrace_copyto
	.type	dtrace_copyfrom, @function
	.type	dtrace_copyto, @function
	.p2align 4
dtrace_copyfrom:
dtrace_copyto:
	mov	%rdx, %rcx
	cmp	$256, %rdx
	jae	3f
	/* short: words, then bytes */
	shr	$3, %rcx
	jz	2f
1:	mov	(%rsi), %rax
4:	mov	%rax, (%rdi)
	add	$8, %rsi
	add	$8, %rdi
	dec	%rcx
	jnz	1b
2:	mov	%rdx, %rcx
	and	$7, %ecx
3:	rep movsb
	xor	%eax, %eax
	ret
5:	mov	$-1, %eax
	ret
	.size	dtrace_copyfrom, . - dtrace_copyfrom
	.size	dtrace_copyto, . - dtrace_copyto

	.section dtrace_extable, "a", @progbits
	.quad	1b, 5b
	.quad	4b, 5b
	.quad	3b, 5b
	.section .note.GNU-stack, "", @progbits
