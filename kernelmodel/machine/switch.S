/*
 * The three things about stacks that C cannot say.  Nothing here is traced.
 */
	.text

/*
 * void fiber_switch(void **from, void *to): leave the running stack, keeping
 * what the ABI asks a callee to keep, and go on where `to' was left.
 */
	.globl	fiber_switch
	.type	fiber_switch, @function
fiber_switch:
	.cfi_startproc
	pushq	%rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	movq	%rsp, (%rdi)
	movq	%rsi, %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	ret
	.cfi_endproc
	.size	fiber_switch, . - fiber_switch

/* Where a new fiber begins: nothing is above it. */
	.globl	fiber_entry
	.type	fiber_entry, @function
fiber_entry:
	.cfi_startproc
	.cfi_undefined %rip
	xorl	%ebp, %ebp
	call	fiber_main
	ud2
	.cfi_endproc
	.size	fiber_entry, . - fiber_entry

/* int64_t machine_gate(func, a0, a1, a2): func's frame is the last one a walk along the frame pointers finds. */
	.globl	machine_gate
	.type	machine_gate, @function
machine_gate:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	%rdx, %rsi
	movq	%rcx, %rdx
	xorl	%ebp, %ebp
	call	*%rax
	popq	%rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	machine_gate, . - machine_gate

	.section .note.GNU-stack, "", @progbits
