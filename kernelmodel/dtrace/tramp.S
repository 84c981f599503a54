/*
 * Trampolines a patched 5-byte NOP calls.  Every register the code around the
 * NOP may use is preserved: the integer ones that a C function may change are
 * saved here, and the hooks use no others (they are compiled for general
 * registers only; where they are not, as under sanitizers, DTRACE_SAVE_VECTOR
 * is defined and xmm0-15 are saved as well).
 *
 * The hook is called with the saved registers, hook(regs, fp):
 *	regs[0..5]	rdi rsi rdx rcx r8 r9
 *	regs[6..8]	rax r10 r11
 *	regs[9]		address behind the NOP
 *	regs[10]	at function entry and return: the return address; then
 *			the arguments on the stack
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DTRACE_SAVE_VECTOR
#endif
	.text

	.macro TRAMPOLINE name, hook
	.globl	\name
	.type	\name, @function
	.p2align 6
\name:
	push	%r11
	push	%r10
	push	%rax
	push	%r9
	push	%r8
	push	%rcx
	push	%rdx
	push	%rsi
	push	%rdi
	mov	%rsp, %rdi
	mov	%rbp, %rsi
	push	%rbp
	mov	%rsp, %rbp		/* the NOP may stand where the stack is not aligned */
	and	$-16, %rsp
#ifdef DTRACE_SAVE_VECTOR
	sub	$256, %rsp
	.irp	r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movups	%xmm\r, 16*\r(%rsp)
	.endr
#endif
	call	\hook
#ifdef DTRACE_SAVE_VECTOR
	.irp	r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movups	16*\r(%rsp), %xmm\r
	.endr
#endif
	mov	%rbp, %rsp
	pop	%rbp
	pop	%rdi
	pop	%rsi
	pop	%rdx
	pop	%rcx
	pop	%r8
	pop	%r9
	pop	%rax
	pop	%r10
	pop	%r11
	ret
	.size	\name, . - \name
	.endm

	TRAMPOLINE dtrace_tramp_entry, dtrace_hook_entry
	TRAMPOLINE dtrace_tramp_return, dtrace_hook_return
	TRAMPOLINE dtrace_tramp_sdt, dtrace_hook_sdt

	.section .note.GNU-stack, "", @progbits
