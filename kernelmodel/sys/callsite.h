/* Call sites that stay apart in the stacks. */
#ifndef STRSIM_SYS_CALLSITE_H
#define STRSIM_SYS_CALLSITE_H

/*
 * A mark that makes the calls around it a call site of their own: the compiler
 * may not join two equal calls, one before each of two different marks.
 */
#define CALL_SITE(n) __asm__ volatile("" : : "i"(n))

#endif
