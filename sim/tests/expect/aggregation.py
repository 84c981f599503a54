"""Cases of group aggregation: every function with data at its edges, every form of printing, every option."""
from ref import case, dist, key, llquantize, lquantize, num, quantize, rec, stddev, value, header
import itertools

G = 'aggregation'
N = '\n'
MIN64, MAX64 = -(1 << 63), (1 << 63) - 1


def lit(v):
    """An int64_t as D text: the least one is no constant."""
    return '(int64_t)(-%d - 1)' % MAX64 if v == MIN64 else ('(int64_t)%d' % v)


def fill(func, data, extra='', aggkey=''):
    """A BEGIN clause that aggregates each of data."""
    return 'BEGIN\n{\n' + ''.join('\t@%s = %s(%s%s);\n' % (aggkey, func, lit(v), extra) for v in data) + '\texit(0);\n}\n'


def weighted(data):
    return [(v, 1) for v in data]


# ---- count, sum, min, max, avg, stddev: the automatic print at the end ----
SETS = {
    'one': [7],
    'zero': [0],
    'negative': [-5, -10, -1],
    'mixed': [-3, 0, 4, 100],
    'extremes': [MIN64, MAX64],
    'least': [MIN64],
    'most': [MAX64],
    'overflow': [MAX64, 1],
    'small': [1, 2, 3, 4],
    'equal': [9, 9, 9],
}
for name, data in SETS.items():
    case(G, 'count_' + name, 'BEGIN\n{\n' + '\t@ = count();\n' * len(data) + '\texit(0);\n}\n', N + value(len(data)) + N)
    case(G, 'sum_' + name, fill('sum', data), N + value(sum(data)) + N)
    case(G, 'min_' + name, fill('min', data), N + value(min(data)) + N)
    case(G, 'max_' + name, fill('max', data), N + value(max(data)) + N)
    if name != 'overflow':
        s = sum(data)
        avg = abs(s) // len(data) * (1 if s >= 0 else -1)
        case(G, 'avg_' + name, fill('avg', data), N + value(avg) + N)
for name, data in {'spread': [1, 2, 3, 4], 'negative': [-6, 6], 'two': [100, 104], 'one': [42], 'same': [5] * 10,
                   'large': [1 << 40, 3 << 40], 'big_mean': [10 ** 12 + 1, 10 ** 12 + 3], 'huge': [1 << 61, -(1 << 61)],
                   'uneven': [2, 4, 4, 4, 5, 5, 7, 9]}.items():
    case(G, 'stddev_' + name, fill('stddev', data), N + value(stddev(data)) + N)

# ---- distributions ----
QUANT = {
    'zero': [0], 'one': [1], 'minus_one': [-1], 'powers': [1, 2, 4, 8, 16], 'edges': [3, 4, 7, 8],
    'negative': [-1, -2, -3, -4, -8], 'mixed': [-4, 0, 4], 'most': [MAX64], 'least': [MIN64],
    'top': [1 << 62, (1 << 62) - 1], 'gap': [1, 1 << 20], 'bottom': [-(1 << 62), -(1 << 62) + 1],
    'thirds': [1, 1, 1, 2, 2, 4],
}
for name, data in QUANT.items():
    case(G, 'quantize_' + name, fill('quantize', data), N + quantize(weighted(data)) + N)
case(G, 'quantize_weight', 'BEGIN { @ = quantize(4, 10); @ = quantize(9, 3); @ = quantize(4, -2); exit(0); }',
     N + quantize([(4, 10), (9, 3), (4, -2)]) + N)
case(G, 'quantize_all_negative', 'BEGIN { @ = quantize(4, -10); @ = quantize(9, -30); exit(0); }',
     N + quantize([(4, -10), (9, -30)]) + N)
case(G, 'quantize_both_signs', 'BEGIN { @ = quantize(4, -10); @ = quantize(9, 30); @ = quantize(1, 5); exit(0); }',
     N + quantize([(4, -10), (9, 30), (1, 5)]) + N)
case(G, 'quantize_cancelled', 'BEGIN { @ = quantize(4, 10); @ = quantize(4, -10); exit(0); }',
     N + quantize([(4, 10), (4, -10)]) + N)
case(G, 'quantize_zoom', '#pragma D option aggzoom\n' + fill('quantize', [1, 2, 2, 4, 4, 4, 4]),
     N + quantize(weighted([1, 2, 2, 4, 4, 4, 4]), zoom=True) + N)
case(G, 'quantize_normal', 'BEGIN { @a = quantize(4, 100); @a = quantize(9, 250); exit(0); }\n'
     'END { normalize(@a, 100); }', N + quantize([(4, 100), (9, 250)], norm=100) + N)
for name, (data, base, limit, step) in {
        'inside': ([0, 5, 10, 15], 0, 20, 5), 'below': ([-1, -100], 0, 10, 1), 'above': ([10, 11, 1000], 0, 10, 1),
        'last': ([9], 0, 10, 1), 'uneven': ([0, 7, 8, 9, 10], 0, 10, 4), 'negative': ([-30, -11, -10, -1], -30, 0, 10),
        'one_level': ([3], 0, 5, 5), 'low_bits': ([(1 << 32) + 2], 0, 5, 1), 'spread': ([-100, 5, 100], 0, 10, 5),
        'full': (list(range(-2, 14)), 0, 12, 3), 'across': ([-7, 0, 7], -10, 10, 5)}.items():
    case(G, 'lquantize_' + name, fill('lquantize', data, ', %d, %d, %d' % (base, limit, step)),
         N + lquantize(weighted(data), base, limit, step) + N)
case(G, 'lquantize_weight', 'BEGIN { @ = lquantize(2, 0, 5, 1, 7); @ = lquantize(3, 0, 5, 1, -7); exit(0); }',
     N + lquantize([(2, 7), (3, -7)], 0, 5) + N)
case(G, 'lquantize_zoom', '#pragma D option aggzoom\n' + fill('lquantize', [1, 2, 2, 3], ', 0, 5, 1'),
     N + lquantize(weighted([1, 2, 2, 3]), 0, 5, zoom=True) + N)
case(G, 'lquantize_normal', 'BEGIN { @a = lquantize(2, 0, 5, 1, 90); exit(0); } END { normalize(@a, 7); }',
     N + lquantize([(2, 90)], 0, 5, norm=7) + N)
for name, (data, f, lo, hi, n) in {
        'tens': ([-300, -7, -7, 0, 4, 60, 5000, 5000], 10, 0, 2, 5), 'sheet2': ([-2000, 3, 250], 10, 2, 2, 10),
        'sheet3': ([3, 250], 10, 2, 2, 10), 'from_middle': ([5, 17, 17], 4, 1, 2, 4),
        'few_steps': ([-40, 0, 3, 3, 250], 10, 0, 2, 2), 'fictitious': ([1, 3, 16, 40], 4, 0, 2, 8),
        'powers_of_two': ([1, 2, 3, 4, 1023, 1024], 2, 0, 9, 2), 'below_only': ([1, 2], 10, 1, 3, 10),
        'above_only': ([10 ** 9], 10, 0, 3, 10), 'negative_only': ([-5, -50], 10, 0, 1, 10),
        'fine': ([100, 105, 110, 999], 10, 2, 2, 100)}.items():
    case(G, 'llquantize_' + name, fill('llquantize', data, ', %d, %d, %d, %d' % (f, lo, hi, n)),
         N + llquantize(weighted(data), f, lo, hi, n) + N)
case(G, 'llquantize_weight', 'BEGIN { @ = llquantize(7, 10, 0, 1, 10, 4); @ = llquantize(50, 10, 0, 1, 10, 2); exit(0); }',
     N + llquantize([(7, 4), (50, 2)], 10, 0, 1, 10) + N)

# ---- keys: shown by size, sorted by value and then as unsigned numbers or bytes ----
KEYS = {
    'char': ('(char)%d', 1, [65, -1, 0]), 'short': ('(short)%d', 2, [-1, 300, 5]), 'int': ('%d', 4, [-2, 7, 100000]),
    'long': ('(int64_t)%d', 8, [-3, 1 << 40, 12]),
}
for name, (cast, size, keys) in KEYS.items():
    prog = 'BEGIN\n{\n' + ''.join('\t@[%s] = count();\n' % (cast % k) for k in keys) + '\texit(0);\n}\n'
    order = sorted(keys, key=lambda k: k & ((1 << size * 8) - 1))
    case(G, 'key_' + name, prog, N + ''.join(num(k, size) + value(1) + N for k in order))
words = ['pear', 'Apple', 'apple', 'app', 'zoo']
case(G, 'key_string', 'BEGIN\n{\n' + ''.join('\t@["%s"] = count();\n' % w for w in words) + '\texit(0);\n}\n',
     N + ''.join(key(w) + value(1) + N for w in sorted(words)))
pairs = [('b', 2), ('a', 2), ('a', 10), ('b', 1)]
case(G, 'key_pair', 'BEGIN\n{\n' + ''.join('\t@["%s", %d] = sum(3);\n' % p for p in pairs) + '\texit(0);\n}\n',
     N + ''.join(key(w) + num(n, 4) + value(3) + N for w, n in sorted(pairs)))
case(G, 'key_pair_reversed', 'BEGIN\n{\n' + ''.join('\t@[%d, "%s"] = sum(3);\n' % (n, w) for w, n in pairs) +
     '\texit(0);\n}\n', N + ''.join(num(n, 4) + key(w) + value(3) + N for n, w in sorted((n, w) for w, n in pairs)))
data = {'x': 5, 'y': 1, 'z': 3, 'w': 3}
base = 'BEGIN\n{\n' + ''.join('\t@["%s"] = sum(%d);\n' % kv for kv in data.items()) + '\texit(0);\n}\n'


def rows(items):
    return N + ''.join(key(k) + value(v) + N for k, v in items)


byvalue = sorted(data.items(), key=lambda kv: (kv[1], kv[0]))
bykey = sorted(data.items())
case(G, 'sort_value', base, rows(byvalue))
case(G, 'sort_value_rev', base, rows(byvalue[::-1]), args='-q -x aggsortrev')
case(G, 'sort_key', base, rows(bykey), args='-q -x aggsortkey')
case(G, 'sort_key_rev', base, rows(bykey[::-1]), args='-q -x aggsortkey -x aggsortrev')
two = [('b', 1, 9), ('a', 3, 9), ('c', 2, 9), ('a', 1, 9)]
prog2 = 'BEGIN\n{\n' + ''.join('\t@["%s", %d] = sum(%d);\n' % t for t in two) + '\texit(0);\n}\n'


def rows2(items):
    return N + ''.join(key(k) + num(n, 4) + value(v) + N for k, n, v in items)


case(G, 'sort_keypos0', prog2, rows2(sorted(two)), args='-q -x aggsortkey -x aggsortkeypos=0')
case(G, 'sort_keypos1', prog2, rows2(sorted(two, key=lambda t: (t[1], t[0]))), args='-q -x aggsortkey -x aggsortkeypos=1')
case(G, 'sort_keypos_large', prog2, rows2(sorted(two)), args='-q -x aggsortkey -x aggsortkeypos=2')
case(G, 'sort_keypos_ties', prog2, rows2(sorted(two, key=lambda t: (t[1], t[0]))), args='-q -x aggsortkeypos=1')
case(G, 'sort_options_at_run_time', base.replace('exit(0)', 'printa("%s\\n", @); setopt("aggsortkey"); '
     'printa("%s\\n", @); setopt("aggsortrev"); printa("%s\\n", @); setopt("aggsortkey", "0"); printa("%s\\n", @); exit(0)'),
     ''.join(k + N for kv in (byvalue, bykey, bykey[::-1], byvalue[::-1]) for k, _ in kv) + N)

# ---- several aggregations ----
case(G, 'order_of_appearance', 'BEGIN { @b = count(); @a = sum(0); @c = max(-7); exit(0); }',
     N + value(1) + N + value(0) + N + value(-7) + N)
case(G, 'order_reversed', 'BEGIN { @b = count(); @a = sum(0); @c = max(-7); exit(0); }',
     N + value(-7) + N + value(0) + N + value(1) + N, args='-q -x aggsortrev')
multi = ('BEGIN\n{\n\t@c["x"] = count(); @c["y"] = count(); @c["y"] = count();\n'
         '\t@s["y"] = sum(40); @s["z"] = sum(-1);\n\t@m["x"] = max(5); @m["z"] = max(6);\n%s\n\texit(0);\n}\n')
table = {'x': (1, 0, 5), 'y': (2, 40, 0), 'z': (0, -1, 6)}


def bundle(order, f):
    return ''.join(f(k, *table[k]) for k in order)


fmt = lambda k, c, s, m: '%s c=%d s=%d m=%d\n' % (k, c, s, m)
P = '\tprinta("%s c=%@d s=%@d m=%@d\\n", @c, @s, @m);'
case(G, 'multi_format', multi % P, bundle('zxy', fmt) + N)
case(G, 'multi_sortpos1', multi % P, bundle('zxy', fmt) + N, args='-q -x aggsortpos=1')
case(G, 'multi_sortpos2', multi % P, bundle('yxz', fmt) + N, args='-q -x aggsortpos=2')
case(G, 'multi_sortpos_large', multi % P, bundle('zxy', fmt) + N, args='-q -x aggsortpos=3')
case(G, 'multi_sortkey', multi % P, bundle('xyz', fmt) + N, args='-q -x aggsortkey')
case(G, 'multi_sortrev', multi % P, bundle('yxz', fmt) + N, args='-q -x aggsortrev')
case(G, 'multi_plain', multi % '\tprinta(@c, @s, @m);',
     N + bundle('zxy', lambda k, c, s, m: key(k) + value(c) + value(s) + value(m) + N) + N)
case(G, 'multi_repeat', multi % '\tprinta("%s %@d %@d %@d %@d\\n", @c, @s);',
     ''.join('%s %d %d %d %d\n' % (k, table[k][0], table[k][1], table[k][1], table[k][1]) for k in 'zxy') + N +
     key('x') + value(5) + N + key('z') + value(6) + N)
case(G, 'multi_same_twice', multi % '\tprinta("%s %@d %@d\\n", @s, @s);',
     'z -1 -1\ny 40 40\n' + N + key('x') + value(1) + N + key('y') + value(2) + N + key('x') + value(5) + N + key('z') + value(6) + N)
case(G, 'multi_keyless', 'BEGIN { @a = count(); @b = sum(9); @c = avg(4); printa("%@d %@d %@d\\n", @a, @b, @c); exit(0); }',
     '1 9 4\n' + N)
case(G, 'multi_distribution', 'BEGIN { @a["k"] = count(); @q["k"] = quantize(4); printa("%s %@d%@d", @a, @q); exit(0); }',
     'k 1' + quantize([(4, 1)]) + N)
case(G, 'multi_distribution_missing', 'BEGIN { @a["k"] = count(); @q["j"] = quantize(4); printa("%s %@d%@d", @a, @q); exit(0); }',
     'j 0' + quantize([(4, 1)]) + 'k 1' + quantize([]) + N)
case(G, 'multi_none', 'BEGIN /0/ { @a["x"] = count(); @b["x"] = count(); }\n'
     'BEGIN { printa("%s %@d %@d\\n", @a, @b); printa(@a, @b); exit(0); }', N + N)

# ---- printa ----
case(G, 'printa_key_order', 'BEGIN { @["k", 3, (char)65] = sum(-8); printa("%c|%s|%d|%@d|%@x|%@u\\n", @); exit(0); }', '', status=1,
     err='strsim: failed to compile script prog: line 1: printa( ) argument #2 is incompatible with conversion #1 prototype:\n'
     '\tconversion: %c\n\t prototype: char, short, or int\n\t  argument: string\n')
case(G, 'printa_widths', 'BEGIN { @["k", 3] = sum(-8); printa("[%5s|%-5d|%@6d|%@-6d|%@06d|%@x]\\n", @); exit(0); }',
     '[    k|3    |    -8|-8    |-00008|fffffffffffffff8]\n' + N)
case(G, 'printa_value_first', 'BEGIN { @["k"] = count(); printa("%@d %s\\n", @); exit(0); }', '1 k\n' + N)
case(G, 'printa_without_keys', 'BEGIN { @["k"] = count(); @["l"] = count(); printa("<%@d>", @); exit(0); }', '<1><1>' + N)
case(G, 'printa_text_only', 'BEGIN { @["k"] = count(); @["l"] = count(); printa("x", @); exit(0); }', 'xx' + N)
case(G, 'printa_twice', 'BEGIN { @["k"] = count(); printa(@); printa(@); exit(0); }',
     (N + key('k') + value(1) + N) * 2 + N)
case(G, 'printa_snapshot', 'BEGIN { @ = count(); printa(@); @ = count(); exit(0); }', N + value(2) + N + N)
case(G, 'printa_not_quiet', 'BEGIN { @ = count(); printa("%@d", @); exit(0); }', header() + rec(':BEGIN', '1') + N, args='',
     err='strsim: script \'prog\' matched 1 probe\n')
case(G, 'printa_empty_then_filled', 'BEGIN /0/ { @ = count(); }\nBEGIN { printa(@); }\ntick-2sec { @ = count(); exit(0); }', N + N + value(1) + N)
case(G, 'printa_avg', 'BEGIN { @ = avg(-7); @ = avg(2); printa("%@d %@x %@10d\\n", @); exit(0); }', '-2 fffffffffffffffe         -2\n' + N)
case(G, 'printa_stddev', 'BEGIN { @ = stddev(10); @ = stddev(20); printa("%@d|%@5d\\n", @); exit(0); }', '5|    5\n' + N)
case(G, 'printa_star', 'BEGIN { @[7, 3] = count(); printa("%*d %@d\\n", @); exit(0); }', '      3 1\n' + N)

# ---- life of an aggregation ----
life = 'BEGIN\n{\n' + ''.join('\t@["%s"] = sum(%d);\n' % kv for kv in data.items()) + '%s\texit(0);\n}\n'
case(G, 'clear_then_print', life % '\tclear(@);\n', rows([(k, 0) for k in sorted(data)]))
for n in (1, 2, 3, 4, 5, -1, -2, -4, -5):
    kept = byvalue[-n:] if n > 0 else byvalue[:-n]
    case(G, 'trunc_%s' % str(n).replace('-', 'minus'), life % ('\ttrunc(@, %d);\n' % n), rows(kept))
case(G, 'trunc_zero', life % '\ttrunc(@, 0);\n', N)
case(G, 'trunc_all', life % '\ttrunc(@);\n', N)
case(G, 'trunc_ignores_options', life % '\ttrunc(@, 2);\n', rows(sorted(byvalue[-2:], reverse=True)), args='-q -x aggsortkey -x aggsortrev')
case(G, 'trunc_distribution', 'BEGIN { @["a"] = quantize(1); @["b"] = quantize(100); @["c"] = quantize(10); trunc(@, 1); exit(0); }',
     N + key('b') + quantize([(100, 1)]) + N)
case(G, 'trunc_then_again', 'BEGIN { @["a"] = count(); }\ntick-1sec { trunc(@); }\n'
     'tick-5sec { @["b"] = count(); exit(0); }', rows([('b', 1)]))
case(G, 'normalize', life % '\tnormalize(@, 2);\n', rows([(k, v // 2) for k, v in byvalue]))
case(G, 'normalize_replaces', life % '\tnormalize(@, 5); normalize(@, 1);\n', rows(byvalue))
case(G, 'normalize_zero', life % '\tnormalize(@, 0);\n', rows(byvalue))
case(G, 'denormalize', life % '\tnormalize(@, 5); denormalize(@);\n', rows(byvalue))
case(G, 'normalize_avg', 'BEGIN { @ = avg(100); @ = avg(201); normalize(@, 10); exit(0); }', N + value(15) + N)
case(G, 'normalize_negative', 'BEGIN { @ = sum(-10); printa("%@d\\n", @); normalize(@, 2); printa("%@d\\n", @); exit(0); }', '-10\n-5\n' + N)
case(G, 'normalize_plain_is_unsigned', 'BEGIN { @ = sum(-10); normalize(@, 2); exit(0); }', N + value(9223372036854775803) + N)
case(G, 'normalize_later_keys', 'BEGIN { @["a"] = sum(10); normalize(@, 5); }\ntick-2sec { @["b"] = sum(10); exit(0); }',
     N + key('a') + value(2) + N + key('b') + value(10) + N)
case(G, 'normalize_keeps_order', 'BEGIN { @["a"] = sum(100); normalize(@, 100); }\ntick-2sec { @["b"] = sum(50); exit(0); }',
     N + key('b') + value(50) + N + key('a') + value(1) + N)
case(G, 'clear_keeps_factor', 'BEGIN { @["a"] = sum(10); normalize(@, 5); clear(@); }\ntick-2sec { @["a"] = sum(20); exit(0); }',
     rows([('a', 4)]))
case(G, 'clear_avg', 'BEGIN { @ = avg(10); clear(@); exit(0); }', N + value(0) + N)
case(G, 'clear_lquantize', 'BEGIN { @ = lquantize(3, 0, 10, 2); clear(@); exit(0); }', N + lquantize([], 0, 10, 2) + N)
case(G, 'clear_nothing', 'BEGIN /0/ { @a = count(); }\nBEGIN { clear(@a); trunc(@a); normalize(@a, 3); denormalize(@a); exit(0); }', N)

# ---- agghist ----


def hist(title_width, items, zoom=False):
    from ref import bars, TITLE
    values = [v for _, v in items]
    if zoom:
        total = int(max(abs(v) for v in values) / 0.95)
        import math
        bs = ['|' + ('@' * min(int(math.floor(v * 40 / total + 0.5)), 40)).ljust(40) for v in values]
    else:
        bs = bars(values)
    return '\n%*s %41s %-9s\n' % (title_width, 'key', TITLE, 'count') + \
        ''.join('%s %s %-9d\n' % (k, b, v) for (k, v), b in zip(items, bs))


H = 'BEGIN { @["rd"] = sum(10); @["write"] = sum(30); @["x"] = sum(0); exit(0); }'
case(G, 'agghist_sum', H, N + hist(17, [(' %16s' % 'x', 0), (' %16s' % 'rd', 10), (' %16s' % 'write', 30)]), args='-q -x agghist')
case(G, 'agghist_zoom', H, N + hist(17, [(' %16s' % 'x', 0), (' %16s' % 'rd', 10), (' %16s' % 'write', 30)], True),
     args='-q -x agghist -x aggzoom')
case(G, 'agghist_ints', 'BEGIN { @[1, (char)2] = count(); @[5, (char)6] = count(); exit(0); }',
     N + hist(13, [(' %8d %3d' % (1, 2), 1), (' %8d %3d' % (5, 6), 1)]), args='-q -x agghist')
case(G, 'agghist_negative', 'BEGIN { @["a"] = sum(-10); @["b"] = sum(-30); exit(0); }',
     N + hist(17, [(' %16s' % 'b', -30), (' %16s' % 'a', -10)]), args='-q -x agghist')
case(G, 'agghist_both_signs', 'BEGIN { @["a"] = sum(-10); @["b"] = sum(30); exit(0); }',
     N + hist(17, [(' %16s' % 'a', -10), (' %16s' % 'b', 30)]), args='-q -x agghist')

# ---- symbols as keys are reduced before they are merged ----
case(G, 'key_sym', 'BEGIN { @[sym((uintptr_t)&`putnext)] = count(); @[sym((uintptr_t)&`putnext + 1)] = count(); exit(0); }',
     N + key('unix`putnext') + value(2) + N)
case(G, 'key_func', 'BEGIN { @[func((uintptr_t)&`putnext + 2)] = count(); exit(0); }', N + key('unix`putnext') + value(1) + N)
case(G, 'key_mod', 'BEGIN { @[mod((uintptr_t)&`putnext)] = count(); @[mod((uintptr_t)&`put)] = count(); exit(0); }',
     N + key('unix') + value(2) + N)
case(G, 'key_sym_unknown', 'BEGIN { @[sym(3)] = count(); exit(0); }', N + key('0x3') + value(1) + N)
