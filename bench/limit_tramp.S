/*
 * Where a patched NOP of the chain calls to when a hand-written hook is measured.
 *
 *	hook(rdi, rsi, frame pointer of the caller, return address)
 *
 * limit_tramp_ret does nothing.  limit_tramp_int saves the integer registers that a call may change: for hooks that use no vector registers among
 * those that carry arguments.  limit_tramp_all saves xmm0-7 too: for hooks that call a library.
 */
	.text
	.macro	TRAMP name, vectors
	.globl	\name
	.type	\name, @function
	.p2align 6
\name:
	push	%rax
	push	%rcx
	push	%rdx
	push	%rsi
	push	%rdi
	push	%r8
	push	%r9
	push	%r10
	.if	\vectors
	sub	$128, %rsp
	.irp	r, 0, 1, 2, 3, 4, 5, 6, 7
	movups	%xmm\r, 16*\r(%rsp)
	.endr
	.endif
	mov	%rbp, %rdx
	mov	72+128*\vectors(%rsp), %rcx
	call	*limit_hook(%rip)
	.if	\vectors
	.irp	r, 0, 1, 2, 3, 4, 5, 6, 7
	movups	16*\r(%rsp), %xmm\r
	.endr
	add	$128, %rsp
	.endif
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rdi
	pop	%rsi
	pop	%rdx
	pop	%rcx
	pop	%rax
	ret
	.size	\name, . - \name
	.endm

	.globl	limit_tramp_ret
	.p2align 6
limit_tramp_ret:
	ret

	TRAMP	limit_tramp_int, 0
	TRAMP	limit_tramp_all, 1

	.data
	.globl	limit_hook
	.p2align 6
limit_hook:
	.quad	0
	.section .note.GNU-stack, "", @progbits
