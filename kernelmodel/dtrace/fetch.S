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

/*
 * ssize_t dtrace_copytext(void *dst, const void *src): without a branch on the text's length.
 * The registers are those that hold nothing at a function's entry or return, so that nobody need save them.
 */
	.text
	.globl	dtrace_copytext
	.type	dtrace_copytext, @function
	.p2align 4
dtrace_copytext:
	mov	%esi, %eax
	and	$4095, %eax
	cmp	$4096 - 80, %eax
	ja	2f
	pxor	%xmm13, %xmm13
	pxor	%xmm14, %xmm14
	pxor	%xmm15, %xmm15
1:	movdqu	(%rsi), %xmm8
	movdqu	16(%rsi), %xmm9
	movdqu	32(%rsi), %xmm10
	movdqu	48(%rsi), %xmm11
	movdqu	64(%rsi), %xmm12
	/* a bit for each byte that is 0: rax the first 64, rdx the others */
	pcmpeqb	%xmm8, %xmm13
	pcmpeqb	%xmm9, %xmm14
	pcmpeqb	%xmm10, %xmm15
	pmovmskb %xmm13, %eax
	pmovmskb %xmm14, %edx
	pmovmskb %xmm15, %ecx
	pxor	%xmm13, %xmm13
	pxor	%xmm14, %xmm14
	pcmpeqb	%xmm11, %xmm13
	pcmpeqb	%xmm12, %xmm14
	shl	$16, %edx
	or	%rdx, %rax
	shl	$32, %rcx
	or	%rcx, %rax
	pmovmskb %xmm13, %ecx
	pmovmskb %xmm14, %edx
	shl	$48, %rcx
	or	%rcx, %rax
	mov	%rax, %rcx
	or	%rdx, %rcx
	jz	2f
	bsf	%rdx, %rdx
	add	$64, %rdx
	bsf	%rax, %rax
	cmovz	%rdx, %rax
	/* what lies before the first of them stays */
	movd	%eax, %xmm13
	punpcklbw %xmm13, %xmm13
	pshuflw	$0, %xmm13, %xmm13
	punpcklqdq %xmm13, %xmm13
	.irp	r, 8, 9, 10, 11, 12
	movdqa	%xmm13, %xmm14
	pcmpgtb	numbers + 16 * (\r - 8)(%rip), %xmm14
	pand	%xmm14, %xmm\r
	movdqu	%xmm\r, 16 * (\r - 8)(%rdi)
	.endr
	ret
2:	mov	$-1, %rax
	ret
	.size	dtrace_copytext, . - dtrace_copytext

	.section dtrace_extable, "a", @progbits
	.quad	1b, 2b

	.section .rodata
	.p2align 4
numbers:
	.set	number, 0
	.rept	80
	.byte	number
	.set	number, number + 1
	.endr
	.section .note.GNU-stack, "", @progbits
