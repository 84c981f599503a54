"""Cases of speculation, buffers, options, profile probes, ERROR and the new providers' listing."""
from ref import case, header, num, rec, value

N = '\n'
S = 'speculation'
case(S, 'commit_order', 'BEGIN { self->s = speculation(); }\nBEGIN { speculate(self->s); printf("spec "); }\nBEGIN { printf("plain "); }\n'
     'BEGIN { commit(self->s); }\nBEGIN { printf("after"); exit(0); }', 'plain spec after' + N)
case(S, 'discard', 'BEGIN { self->s = speculation(); }\nBEGIN { speculate(self->s); printf("spec "); }\nBEGIN { discard(self->s); }\n'
     'BEGIN { printf("after"); exit(0); }', 'after' + N)
case(S, 'ids', 'BEGIN { printf("%d %d %d\\n", speculation(), speculation(), speculation()); exit(0); }', '1 2 0' + N + N, args='-q -x nspec=2',
     err='strsim: 1 failed speculation (no speculative buffer available)\n')
case(S, 'id_zero_drops_silently', 'BEGIN { speculate(0); printf("lost"); }\nBEGIN { commit(0); }\nBEGIN { discard(0); }\nBEGIN { printf("kept"); exit(0); }', 'kept' + N)
case(S, 'id_out_of_range', 'BEGIN { commit(9); }\nERROR { printf("fault %d\\n", arg4); exit(0); }', 'fault 3' + N + N,
     err='strsim: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): illegal operation in action #1\n')
case(S, 'never_committed', 'BEGIN { self->s = speculation(); }\nBEGIN { speculate(self->s); printf("lost"); }\nBEGIN { exit(0); }', N)
case(S, 'none_at_all', 'BEGIN { printf("%d", speculation()); exit(0); }', '0' + N, args='-q -x nspec=0',
     err='strsim: 1 failed speculation (no speculative buffer available)\n')
case(S, 'too_small', 'BEGIN { self->s = speculation(); }\nBEGIN { speculate(self->s); printf("%s", "0123456789"); }\nBEGIN { commit(self->s); }\nBEGIN { exit(0); }', N,
     args='-q -x specsize=16', err='strsim: 1 speculative drop\n')

P = 'probe'
for name, n, unit, until, times in (('tick_1sec', '1sec', '', '3500ms', 3), ('tick_100ms', '100ms', '', '1050ms', 10), ('tick_hz', '10hz', '', '1050ms', 10),
                                    ('tick_plain', '5', '', '1100ms', 5), ('tick_us', '500us', '', '10250us', 20), ('tick_min', '1min', '', '150sec', 2),
                                    ('tick_hour', '1h', '', '150min', 2), ('tick_day', '1d', '', '60h', 2), ('tick_upper', '200MSEC', '', '1100ms', 5)):
    case(P, name, 'tick-%s { n++; }\ntick-%s { printf("%%d\\n", n); exit(0); }' % (n, until), '%d' % times + N + N)
case(P, 'profile_counts', 'profile-100hz { n++; }\ntick-1sec { printf("%d\\n", n >= 99 && n <= 100); exit(0); }', '1' + N + N)
case(P, 'profile_arguments', 'profile-10hz { printf("%d %d\\n", arg0 == 0, arg1 == 0); exit(0); }', '1 1' + N + N)
case(P, 'error_arguments', 'BEGIN { x = *(int *)0; }\nERROR { printf("%d %d %d %x\\n", arg1, arg2, arg4, arg5); exit(0); }', '1 1 1 0' + N + N,
     err='strsim: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): invalid address (0x0) in action #1 at DIF offset 0\n')
case(P, 'error_divide', 'BEGIN { x = 0; y = 1 / x; }\nERROR { printf("%d\\n", arg4); exit(0); }', '4' + N + N,
     err='strsim: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): divide-by-zero in action #2 at DIF offset 0\n')
case(P, 'error_other_clauses_go_on', 'BEGIN { printf("%d", *(int *)0); }\nBEGIN { printf("next"); exit(0); }', 'next' + N,
     err='strsim: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): invalid address (0x0) in action #1 at DIF offset 0\n')
case(P, 'begin_is_this_process', 'BEGIN /pid == $pid && ppid == $ppid && uid == $uid && curpsinfo->pr_pid == pid && tid == 1/ { printf("%s\\n", execname); exit(0); }\n'
     'BEGIN { exit(1); }', 'strsim' + N + N)
case(P, 'progeny', 'BEGIN /progenyof($ppid) && progenyof($pid) && !progenyof(99999999)/ { exit(0); }\nBEGIN { exit(1); }', N)
case(P, 'tick_is_nobody', 'tick-1ms { printf("%d %s %d\\n", pid, execname, cpu); exit(0); }', '0 sched 0' + N + N)
case(P, 'curcpu', 'BEGIN { printf("%d %d %s %d\\n", curcpu->cpu_id, curcpu->cpu_info.pi_state, stringof(curcpu->cpu_info.pi_processor_type), pset); exit(0); }',
     '0 2 i386 0' + N + N)
A = 'action'
case(A, 'destructive_refused', 'BEGIN { stop(); exit(0); }', '', "strsim: could not enable tracing: Destructive actions not allowed\n", 1)
case(A, 'destructive_pragma', '#pragma D option destructive\nBEGIN { system("echo %s", "done"); exit(0); }', 'done' + N + N)
case(A, 'breakpoint_and_panic', 'BEGIN { breakpoint(); panic(); printf("alive\\n"); exit(0); }', 'alive' + N + N, args='-q -w',
     err='strsim: breakpoint( ) does nothing: the modelled kernel has no debugger\nstrsim: panic( ) does nothing: the modelled kernel does not panic\n')
case(A, 'chill', 'BEGIN { chill(500000000); printf("ok\\n"); exit(0); }', 'ok' + N + N, args='-q -w')
case(A, 'chill_too_long', 'BEGIN { chill(500000001); }\nERROR { exit(arg4); }', N, status=3, args='-q -w',
     err='strsim: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): illegal operation in action #1\n')
case(A, 'chill_half_of_every_second', 'BEGIN { chill(300000000); }\nBEGIN { chill(300000000); printf("no\\n"); }\ntick-2sec { chill(300000000); printf("yes\\n"); exit(0); }',
     'yes' + N + N, args='-q -w', err='strsim: error on enabled probe ID 2 (ID 1: dtrace:::BEGIN): illegal operation in action #1\n')
case(A, 'copyout_refused', 'BEGIN { copyoutstr("abc", (uintptr_t)alloca(8), 4); }\nERROR { exit(arg4); }', N, status=7, args='-q -w',
     err='strsim: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): invalid user access in action #1 at DIF offset 0\n')

B = 'buffer'
for name, opts, err in (('size_lowered', '-x bufsize=100t', 'buffer size lowered to 800m'), ('aggregation_lowered', '-x aggsize=4t', 'aggregation size lowered to 1g'),
                        ('dynamic_lowered', '-x dynvarsize=8t', 'dynamic variable size lowered to 1g'),
                        ('speculation_lowered', '-x specsize=3000000001', 'speculation size lowered to 750000000 bytes'),
                        ('cleanrate_low', '-x cleanrate=1h', 'cleaning rate increased to once every 60 seconds'),
                        ('cleanrate_high', '-x cleanrate=10000hz', 'cleaning rate reduced to 5000 hz'),
                        ('statusrate', '-x statusrate=10min', 'status rate increased to once every 10 seconds')):
    case(B, name, 'BEGIN { exit(0); }', N, 'strsim: %s\n' % err, args='-q ' + opts)
case(B, 'size_refused', 'BEGIN { exit(0); }', '', 'strsim: could not enable tracing: Not enough space\n', 1, args='-q -x bufresize=manual -x bufsize=100t')
case(B, 'no_such_cpu', 'BEGIN { exit(0); }', '', 'strsim: could not enable tracing: Invalid argument\n', 1, args='-q -x cpu=7')
# a record has its id, four bytes of padding and an int64_t: four fit beside END's
case(B, 'fill_prints_once', 'tick-1ms { printf("%d ", i++); }\nEND { printf("end"); }', ''.join('%d ' % i for i in range(4)) + 'end' + N, args='-q -x bufpolicy=fill -x bufsize=80')
