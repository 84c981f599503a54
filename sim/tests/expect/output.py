"""Cases of trace(), printf(), tracemem(), print-like dumps, flow and headers."""
from ref import case, dump, header, num, rec, text, wrap

N = '\n'
M = "strsim: script 'prog' matched %d probe%s\n"


def matched(n):
    return M % (n, '' if n == 1 else 's')


# ---- trace(): by the size of what is recorded ----
INTS = [('char', 1), ('short', 2), ('int', 4), ('int64_t', 8), ('uint8_t', 1), ('uint16_t', 2), ('uint32_t', 4), ('uint64_t', 8)]
for t, size in INTS:
    for name, v in (('zero', 0), ('seven', 7), ('minus', -1), ('max', (1 << (size * 8 - 1)) - 1)):
        # a constant is extended from its own 32 bits as the wider type says
        shown = v & 0xffffffff if t == 'uint64_t' and v < 0 else v
        case('output', 'trace_%s_%s' % (t, name), 'BEGIN { trace((%s)%d); exit(0); }' % (t, v),
             header() + rec(':BEGIN', num(shown, size)) + N, matched(1), args='')
case('output', 'trace_quiet_sizes', 'BEGIN { trace((char)-1); trace(" "); trace((short)-1); trace(" "); trace(-1); trace(" "); '
     'trace((int64_t)-1); exit(0); }', '255 65535 -1 -1' + N)
case('output', 'trace_string', 'BEGIN { trace("hello"); exit(0); }', header() + rec(':BEGIN', text('hello')) + N, matched(1), args='')
case('output', 'trace_long_string', 'BEGIN { trace("%s"); exit(0); }' % ('x' * 40),
     header() + rec(':BEGIN', text('x' * 40)) + N, matched(1), args='')
case('output', 'trace_two', 'BEGIN { trace(1); trace("b"); trace((char)3); exit(0); }',
     header() + rec(':BEGIN', num(1, 4) + text('b') + num(3, 1)) + N, matched(1), args='')
case('output', 'trace_two_clauses', 'BEGIN { trace(1); }\nBEGIN { trace(2); exit(0); }',
     header() + rec(':BEGIN', num(1, 4)) + rec(':BEGIN', num(2, 4)) + N, matched(2), args='')
case('output', 'trace_binary_string', 'BEGIN { trace("a\\001b"); exit(0); }', dump(b'a\x01b' + b'\0' * 253) + N)
case('output', 'trace_white_space', 'BEGIN { trace("a\\tb\\n"); exit(0); }', 'a\tb\n' + N)
case('output', 'trace_raw_bytes', 'BEGIN { trace("ab"); exit(0); }', dump(b'ab' + b'\0' * 254) + N, args='-q -x rawbytes')
case('output', 'trace_strsize', 'BEGIN { trace("abcdefghijkl"); exit(0); }', 'abcdefghi' + N, args='-q -x strsize=10')
case('output', 'trace_array', 'struct s { char c[12]; } ; struct s v;\nBEGIN { v.c[0] = \'h\'; v.c[1] = \'i\'; trace(v.c); exit(0); }', 'hi' + N)
case('output', 'trace_array_full', 'struct s { char c[3]; } ; struct s v;\nBEGIN { v.c[0] = \'a\'; v.c[1] = \'b\'; v.c[2] = \'c\'; trace(v.c); exit(0); }',
     text('abc') + N)
case('output', 'trace_array_of_eight_is_a_number', 'struct s { char c[8]; } ; struct s v;\nBEGIN { v.c[0] = 1; trace(v.c); exit(0); }', '1' + N)
case('output', 'trace_struct', 'struct s { int a; int b; char c; }; struct s v;\nBEGIN { v.a = 0x41424344; v.c = 1; trace(v); exit(0); }',
     dump(b'DCBA\0\0\0\0\x01') + N)
case('output', 'trace_enum', 'enum e { A = 5, B = -2 }; BEGIN { trace(A); trace(" "); trace(B); exit(0); }', '5 -2' + N)

# ---- tracemem(): bytes, whatever they are ----


def tracemem(name, data, args, out):
    """The bytes of data, put into an array one by one."""
    case('action', 'tracemem_' + name, 'char a[%d];\nBEGIN\n{\n' % len(data) + ''.join('\ta[%d] = %d;\n' % (i, b) for i, b in enumerate(data)) +
         '\tx = 4;\n\ttracemem(a, %s);\n\texit(0);\n}\n' % args, out + N)


tracemem('text', b'hello\0', '6', 'hello')
tracemem('four', b'abcd', '4', '%d' % int.from_bytes(b'abcd', 'little'))
tracemem('two', b'ab', '2', '%d' % int.from_bytes(b'ab', 'little'))
tracemem('sixteen', b'0123456789\x01abcde', '16', dump(b'0123456789\x01abcde'))
tracemem('seventeen', b'0123456789\x01abcdef', '17', dump(b'0123456789\x01abcdef'))
tracemem('part', b'0123456789\x01abcdef', '11', dump(b'0123456789\x01'))
for n, shown in ((3, 3), (10, 10), (11, 11), (12, 11), (-1, 11), (0, 0)):
    tracemem('limit_%s' % str(n).replace('-', 'minus'), b'0123456789a', '11, %d' % n, dump(b'0123456789a'[:shown]) if shown else '')
tracemem('limit_variable', b'0123456789a', '11, x', dump(b'0123'))

# ---- printf(): flags, widths, precisions ----


def printf(name, fmt, args, out, **kw):
    case('print', name, 'BEGIN { printf("%s\\n"%s); exit(0); }' % (fmt.replace('\n', '\\n'), ''.join(', ' + a for a in args)), out + N + N, **kw)


for name, fmt, v in (('d', '%d', 42), ('d_minus', '%d', -42), ('d_width', '[%6d]', 42), ('d_left', '[%-6d]', 42), ('d_zero', '[%06d]', 42),
                     ('d_plus', '[%+d]', 42), ('d_space', '[% d]', 42), ('d_prec', '[%.4d]', 42), ('d_width_prec', '[%8.4d]', 42),
                     ('d_narrow', '[%1d]', 12345), ('d_left_prec', '[%-8.4d]', 42)):
    printf('printf_' + name, fmt, [str(v)], fmt % v)
for name, fmt, v, size, t in (('x', '%x', 255, 4, 'int'), ('x_minus', '%x', -1, 4, 'int'), ('x_char', '%x', -1, 1, 'char'),
                              ('x_short', '%x', -1, 2, 'short'), ('x_long', '%x', -1, 8, 'int64_t'), ('X', '%X', 48879, 4, 'int'),
                              ('x_alt', '%#x', 255, 4, 'int'), ('x_zero', '%08x', 255, 4, 'int'), ('o', '%o', 8, 4, 'int'),
                              ('o_minus', '%o', -1, 2, 'short'), ('x_left', '[%-6x]', 255, 4, 'int')):
    printf('printf_' + name, fmt, ['(%s)%d' % (t, v)], fmt % wrap(v, size * 8, False))
for name, v, size, t in (('u', 7, 4, 'int'), ('u_minus', -1, 4, 'int'), ('u_char', -1, 1, 'char'), ('u_long', -1, 8, 'int64_t')):
    printf('printf_' + name, '%u', ['(%s)%d' % (t, v)], '%d' % wrap(v, size * 8, False))
for name, v, t, out in (('d_char', -1, 'char', '-1'), ('d_uchar', -1, 'unsigned char', '255'), ('d_ushort', -1, 'unsigned short', '65535'),
                        ('d_uint', -1, 'unsigned int', '4294967295'), ('d_ulong', -1, 'uint64_t', '4294967295'),
                        ('i_uint', -1, 'unsigned int', '4294967295'), ('d_cut', 300, 'char', '44')):
    printf('printf_' + name, '%i' if name[0] == 'i' else '%d', ['(%s)%d' % (t, v)], out)
for name, fmt, s in (('s', '%s', 'abc'), ('s_width', '[%6s]', 'abc'), ('s_left', '[%-6s]', 'abc'), ('s_prec', '[%.2s]', 'abc'),
                     ('s_width_prec', '[%6.2s]', 'abc'), ('s_left_prec', '[%-6.2s]', 'abc'), ('s_empty', '[%s]', ''), ('s_short_width', '[%2s]', 'abc')):
    printf('printf_' + name, fmt, ['"%s"' % s], fmt % s)
printf('printf_o_alt', '%#o', ['8'], '010')
printf('printf_star', '[%*d]', ['6', '42'], '[    42]')
printf('printf_star_minus', '[%*d]', ['-6', '42'], '[42    ]')
printf('printf_star_prec', '[%.*s]', ['2', '"abc"'], '[ab]')
printf('printf_two_stars', '[%*.*s]', ['5', '2', '"abc"'], '[   ab]')
printf('printf_prec_zero_is_none', '[%.0d|%.0s]', ['0', '"abc"'], '[0|abc]')
printf('printf_question', '[%?d]', ['42'], '[' + '42'.rjust(16) + ']')
printf('printf_flag_order', '[%-05d|%0-5d]', ['42', '42'], '[00042|42   ]')
printf('printf_percent', '100%%', [], '100%')
printf('printf_c', '%c%c%c', ['72', "'i'", '(char)33'], 'Hi!')
printf('printf_c_width', '[%3c|%-3c]', ["'x'", "'y'"], '[  x|y  ]')
printf('printf_C', '%C%C%C%C', ["'a'", "'\\n'", '1', '0'], 'a\\n\\001\\0')
printf('printf_S', '%S', ['"a\\tb\\"c\\\\"'], 'a\\tb\\"c\\\\\\0')
printf('printf_S_octal', '%S', ['"\\001\\377"'], '\\001\\377\\0')
printf('printf_S_prec', '[%.3S]', ['"abcdef"'], '[abc]')
printf('printf_p', '%p %p', ['(void *)0x1234', '255'], '1234 ff')
printf('printf_a', '%a', ['(uintptr_t)&`putnext'], 'unix`putnext')
printf('printf_a_offset', '%a', ['(uintptr_t)&`putnext + 3'], 'unix`putnext+0x3')
printf('printf_a_unknown', '%a', ['(uintptr_t)7'], '0x7')
printf('printf_a_width', '[%15a|%-15a]', ['(uintptr_t)&`putnext', '(uintptr_t)&`putnext'], '[   unix`putnext|unix`putnext   ]')
printf('printf_Y', '%Y', ['(int64_t)1000000000123456789'], '2001 Sep  9 01:46:40')
printf('printf_Y_zero', '%Y', ['(int64_t)0'], '1970 Jan  1 00:00:00')
printf('printf_Y_width', '[%-22Y|%22Y]', ['(int64_t)0', '(int64_t)0'], '[1970 Jan  1 00:00:00  |  1970 Jan  1 00:00:00]')
printf('printf_T', '%T', ['(int64_t)1118567103000000000'], 'Sun, 12 Jun 2005 09:05:03 UTC')
printf('printf_hd', '%hd %hu', ['(short)-3', '(unsigned short)65533'], '-3 65533')
printf('printf_lld', '%lld %llx %llu', ['(long long)-3', '(long long)-1', '(unsigned long long)7'], '-3 ffffffffffffffff 7')
case('print', 'printf_enum', 'enum e { A = 3, B = 255 }; BEGIN { printf("%d %x\\n", A, B); exit(0); }', '3 ff' + N + N)
printf('printf_tick', "%'d", ['1234567'], '1234567')
printf('printf_many', '%d%s%d%s%d%s', ['1', '"a"', '2', '"b"', '3', '"c"'], '1a2b3c')
printf('printf_nothing', 'plain', [], 'plain')
printf('printf_I_text', '%I', ['"not an address"'], 'not an address')
printf('printf_char_array', '%s|%8s|%-8s|', ['stringof("ab")', 'stringof("cd")', 'stringof("ef")'], 'ab|      cd|ef      |')
case('print', 'printf_cut_at_strsize', 'BEGIN { printf("%%s\\n", "%s"); exit(0); }' % ('y' * 300), 'y' * 255 + N + N)
case('print', 'printf_cut_at_small_strsize', 'BEGIN { printf("%s\\n", "abcdefgh"); exit(0); }', 'abcde' + N + N, args='-q -x strsize=6')
case('print', 'printf_non_quiet', 'BEGIN { printf("a"); printf("b\\n"); exit(0); }', header() + rec(':BEGIN', 'ab\n') + N, matched(1), args='')

# ---- headers, records, clauses without data ----
case('output', 'no_record_no_header', 'BEGIN { x = 1; @a = count(); }\nBEGIN { exit(0); }', header() + rec(':BEGIN', '') + N + ' %16d\n' % 1, matched(2), args='')
case('output', 'default_action', 'BEGIN { }\nBEGIN { exit(0); }', header() + rec(':BEGIN', '') * 2 + N, matched(2), args='')
case('output', 'end_after_begin', 'END { trace("bye"); }\nBEGIN { trace("hi"); exit(0); }',
     header() + rec(':BEGIN', text('hi')) + rec(':END', text('bye'), 2) + N, matched(2), args='')
case('output', 'quiet_by_pragma', '#pragma D option quiet\nBEGIN { trace(1); exit(0); }', '1' + N, args='')
case('output', 'exit_status_last', 'BEGIN { exit(3); }\nEND { exit(7); }', N, status=7)
case('output', 'exit_status_byte', 'BEGIN { exit(258); }', N, status=2)
case('output', 'exit_rest_of_clause', 'BEGIN { exit(0); printf("still here\\n"); }\nBEGIN { printf("not here\\n"); }', 'still here\n' + N)
case('output', 'output_file', 'BEGIN { printf("to the file\\n"); exit(0); }', '', args='-q -o $TMP/f',
     files={'after': 'cat "$TMP/f"\n', 'out': 'to the file\n\n'})
case('output', 'output_file_appended', 'BEGIN { printf("new\\n"); exit(0); }', '', args='-q -o $TMP/f',
     files={'sh': 'echo old >"$TMP/f"; "$STRSIM" -q -o "$TMP/f" -s prog; cat "$TMP/f"\n', 'out': 'old\nnew\n\n'})
case('output', 'output_file_bad', 'BEGIN { exit(0); }', '', "strsim: failed to open output file '/nonexistent/f': No such file or directory\n",
     1, args='-q -o /nonexistent/f')

# ---- the subroutines on strings, by the documentation's examples and at their edges ----


def expr(group, name, e, out, fmt='%s'):
    case(group, name, 'BEGIN { printf("[%s]\\n", %s); exit(0); }' % (fmt, e), '[%s]\n\n' % out)


for i, (e, out) in enumerate([
        ('strjoin("a", "b")', 'ab'), ('strjoin("", "")', ''), ('substr("abcdef", 2)', 'cdef'), ('substr("abcdef", 2, 2)', 'cd'),
        ('substr("abcdef", -2)', 'ef'), ('substr("abcdef", -3, 2)', 'de'), ('substr("abc", 3)', ''), ('substr("abc", 9)', ''),
        ('substr("", 0)', ''), ('substr("abc", -9)', 'abc'), ('substr("abc", -9, 7)', 'a'), ('substr("abc", -9, 3)', ''),
        ('substr("abc", 0, 0)', ''), ('basename("/a/b")', 'b'), ('basename("/a/b/")', 'b'), ('basename("/")', '/'), ('basename("///")', '/'),
        ('basename("")', '.'), ('basename("a")', 'a'), ('basename("a/")', 'a'), ('dirname("/a/b")', '/a'), ('dirname("/a")', '/'),
        ('dirname("a")', '.'), ('dirname("")', '.'), ('dirname("///")', '/'), ('dirname("a/")', '.'), ('dirname("//a//b//")', '//a'),
        ('cleanpath("/q//w")', '/q/w'), ('cleanpath("/q/./w")', '/q/w'), ('cleanpath("/q/../w")', '/w'), ('cleanpath("//")', '/'),
        ('cleanpath("/../q")', '/q'), ('cleanpath("/q/w/")', '/q/w/'), ('cleanpath("./q")', './q'), ('cleanpath("../q")', '../q'),
        ('cleanpath("/.../q")', '/.../q'), ('lltostr(0)', '0'), ('lltostr(-17)', '-17'), ('lltostr(9223372036854775807)', '9223372036854775807'),
        ('lltostr(255, 16)', '0xff'), ('lltostr(8, 8)', '010'), ('lltostr(5, 2)', '101'), ('strchr("abcabc", \'b\')', 'bcabc'),
        ('strrchr("abcabc", \'b\')', 'bc'), ('strchr("abc", 0)', ''), ('strstr("abcabc", "ca")', 'cabc'), ('strstr("abc", "")', 'abc'),
        ('strtok("a,b", ",")', 'a'), ('strtok(",,a,b", ",")', 'a'), ('strtok("a b", ",")', 'a b'), ('strtok("a,b", "")', 'a,b'),
        ('toupper("aB1z")', 'AB1Z'), ('tolower("aB1Z")', 'ab1z'), ('inet_ntop(2, (void *)alloca(4))', '0.0.0.0'),
        ('json("{\\"a\\":{\\"b\\":[1,22,\\"x\\"]}}", "a.b[1]")', '22'), ('json("{\\"a\\":\\"s\\"}", "a")', 's'),
        ('json("{\\"a\\":{\\"b\\":1}}", "a")', '{"b":1}'), ('json("[true,null]", "[1]")', 'null')]):
    expr('action', 'string_%02d_%s' % (i, e.split('(')[0]), e, out)
for i, (e, out) in enumerate([
        ('strlen("")', 0), ('strlen("abc")', 3), ('index("abcabc", "ca")', 2), ('index("abc", "x")', -1), ('index("abcabc", "a", 1)', 3),
        ('index("abc", "a", -5)', 0), ('index("abc", "", 9)', 3), ('index("abc", "", 2)', 2), ('index("", "")', 0), ('rindex("abcabc", "a")', 3),
        ('rindex("abcabc", "a", 2)', 0), ('rindex("abc", "x")', -1), ('rindex("abc", "", -1)', 0), ('rindex("abc", "")', 3),
        ('rindex("abcabc", "abc", 99)', 3), ('rindex("", "")', 0), ('strtoll("42")', 42), ('strtoll("-42")', -42), ('strtoll("0x1f", 16)', 31),
        ('strtoll("77", 8)', 63), ('strtoll("12ab")', 12), ('strtoll("x")', 0), ('htons(0x1234)', 0x3412), ('ntohl(0x12345678)', 0x78563412),
        ('htonll(1)', 1 << 56), ('getmajor(0)', 0), ('msgsize(NULL)', 0), ('msgdsize(NULL)', 0), ('progenyof(0)', 1),
        ('strlen(strjoin("ab", "cd"))', 4)]):
    expr('action', 'number_%02d_%s' % (i, e.split('(')[0]), e, str(out), '%d')
case('action', 'strtok_sequence', 'BEGIN { this->s = strtok("a:b,c", ":"); printf("%s ", this->s); this->s = strtok(NULL, ","); printf("%s ", this->s); '
     'this->s = strtok(NULL, ","); printf("%s ", this->s); printf("%d\\n", strtok(NULL, ",") == NULL); exit(0); }', 'a b c 1\n\n')
case('action', 'alloca_zeroed', 'BEGIN { this->p = (int *)alloca(16); printf("%d %d\\n", this->p[0], this->p[3]); exit(0); }', '0 0\n\n')
case('action', 'bcopy', 'BEGIN { this->p = (char *)alloca(6); this->q = (char *)alloca(6); this->q[0] = 104; this->q[1] = 105; bcopy(this->q, this->p, 3); this->p[0] = \'j\'; printf("%s\\n", stringof(this->p)); exit(0); }', 'ji\n\n')
case('action', 'copyinto', 'BEGIN { this->p = (char *)alloca(6); this->p[0] = 104; this->p[1] = 105; this->q = (char *)alloca(6); copyinto((uintptr_t)this->p, 3, this->q); printf("%s\\n", stringof(this->q)); exit(0); }', 'hi\n\n')
