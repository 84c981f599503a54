"""What the D documentation says about output, worked out once more and apart from the program: from these rules the
expected outputs of the generated cases are computed.  Nothing here runs strsim.

The rules: solaris dynamic tracing guide, chapters "Aggregations", "Output formatting", "Actions and subroutines".
"""
import math
import os
import shutil

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cases')
TITLE = '------------- Distribution -------------'


def case(group, name, prog, out='', err='', status=0, args='-q', files=None):
    """Write one case: prog is a script, args what stands before -s."""
    d = os.path.join(CASES, group, name)
    if os.path.isdir(d):
        shutil.rmtree(d)
    os.makedirs(d)
    put(d, 'prog', prog if prog.endswith('\n') else prog + '\n')
    put(d, 'cmd', (args + ' -s prog\n').lstrip())
    if out:
        put(d, 'out', out)
    if err:
        put(d, 'err', err)
    if status:
        put(d, 'status', '%d\n' % status)
    for f, text in (files or {}).items():
        put(d, f, text)


def put(d, name, text):
    with open(os.path.join(d, name), 'w', encoding='latin-1') as f:
        f.write(text)


# ---- plain records ----

def header():
    return '%3s %6s %32s\n' % ('CPU', 'ID', 'FUNCTION:NAME')


def rec(name, data, ident=1, cpu=0):
    return '%3d %6d %32s %s\n' % (cpu, ident, name, data)


def wrap(v, bits, signed=True):
    v &= (1 << bits) - 1
    return v - (1 << bits) if signed and v >> (bits - 1) else v


def num(v, size):
    """An integer of trace() or a key: small ones are shown unsigned."""
    width = {1: 3, 2: 5, 4: 8, 8: 16}[size]
    return ' %*d' % (width, wrap(v, size * 8, size >= 4))


def text(s):
    return '  %-33s' % s


def key(s):
    return '  %-50s' % s


def value(v):
    return ' %16d' % wrap(v, 64)


# ---- distributions ----

def bars(cells, zoom=False):
    """The text of each cell's bar."""
    total = float(sum(abs(c) for c in cells))
    if zoom:
        total = max(abs(c) for c in cells) / 0.95
    pos, neg = any(c > 0 for c in cells), any(c < 0 for c in cells)
    out = []
    for c in cells:
        def ats(width):
            return '@' * int(math.floor(abs(c) * width / total + 0.5)) if total else ''
        if not neg:
            out.append('|' + ats(40).ljust(40))
        elif not pos:
            out.append(ats(40).rjust(40) + '|')
        elif c <= 0:
            out.append(ats(20).rjust(20) + '|' + ' ' * 20)
        else:
            out.append(' ' * 20 + '|' + ats(20).ljust(20))
    return out


def dist(labels, cells, norm=1, zoom=False, zero=None):
    """Rows from before the first to behind the last cell that is not 0; zero = the rows of nothing at all."""
    used = [i for i, c in enumerate(cells) if c]
    lo, hi = (max(used[0] - 1, 0), min(used[-1] + 1, len(cells) - 1)) if used else zero
    out = '\n%16s %41s %-9s\n' % ('value', TITLE, 'count')
    shown = cells[lo:hi + 1]
    for i, b in enumerate(bars(shown, zoom)):
        out += '%16s %s %-9d\n' % (labels[lo + i], b, wrap((shown[i] & (2**64 - 1)) // norm, 64))
    return out


def quantize(data, norm=1, zoom=False):
    """data: (value, weight) pairs."""
    labels = [-(1 << (62 - i)) for i in range(63)] + [0] + [1 << i for i in range(63)]
    cells = [0] * 127
    for v, w in data:
        v = wrap(v, 64)
        if v == 0:
            i = 63
        elif v > 0:
            i = min(64 + v.bit_length() - 1, 126)
        else:
            i = max(62 - ((-v).bit_length() - 1), 0)
        cells[i] += w
    return dist(labels, cells, norm, zoom, (62, 64))


def lquantize(data, base, limit, step=1, norm=1, zoom=False):
    levels = (limit - base) // step
    labels = ['< %d' % base] + [base + i * step for i in range(levels)] + ['>= %d' % (base + levels * step)]
    cells = [0] * (levels + 2)
    for v, w in data:
        v = wrap(v, 32)
        cells[0 if v < base else min(1 + (v - base) // step, levels + 1)] += w
    return dist(labels, cells, norm, zoom, (0, 2))


def llquantize(data, factor, low, high, steps):
    sf, per = steps // factor, steps - steps // factor
    mags = high - low + 1
    mid = 1 + per * mags
    cells = [0] * (2 * mid + 1)
    for v, w in data:
        a = abs(v)
        if a < factor ** low:
            off = 0
        elif a >= factor ** (high + 1):
            off = per * mags + 1
        else:
            m = low
            while a >= factor ** (m + 1):
                m += 1
            i = a * steps // factor ** (m + 1) if m == 0 else a // (factor ** (m + 1) // steps)
            off = (m - low) * per + i - sf + 1
        cells[mid + off if v >= 0 else mid - off] += w
    # bounds of the cells beside the middle; None = never filled
    bounds = []
    for m in range(low, high + 1):
        for k in range(sf, steps):
            if k == sf:
                bounds.append(factor ** m)
            elif m == 0 and steps > factor:
                bounds.append(k // sf if k % sf == 0 else None)
            else:
                bounds.append(factor ** (m + 1) * k // steps)
    bounds.append(factor ** (high + 1))
    used = [i for i, c in enumerate(cells) if c]
    lo, hi = (max(used[0] - 1, 0), min(used[-1] + 1, 2 * mid)) if used else (mid, mid + 2)

    def label(i):
        off = abs(i - mid)
        if off == 0:
            if low == 0:
                return '0'
            return ('< %d' if lo >= mid else 'abs() < %d') % factor ** low
        b = bounds[off - 1]
        if b is None:
            return None
        if off == mid:
            return ('>= %d' if i > mid else '<= -%d') % b
        return '%s%d' % ('' if i > mid else '-', b)
    while label(lo) is None:
        lo -= 1
    while label(hi) is None:
        hi += 1
    out = '\n%16s %41s %-9s\n' % ('value', TITLE, 'count')
    shown = [(label(i), cells[i]) for i in range(lo, hi + 1) if label(i) is not None]
    for (lab, c), b in zip(shown, bars([c for _, c in shown])):
        out += '%16s %s %-9d\n' % (lab[:15], b, c)
    return out


def stddev(values, norm=1):
    n = len(values)
    if n == 0:
        return 0

    def div(a, b):
        return int(abs(a) // b) * (1 if a >= 0 else -1)
    mean = div(div(sum(values), norm), n)
    return math.isqrt(max(sum(v * v for v in values) // norm // n - mean * mean, 0))


def dump(data):
    """Bytes that are no text."""
    out = '\n           ' + ''.join('  %x' % i for i in range(16)) + '  0123456789abcdef\n'
    for off in range(0, len(data), 16):
        row = data[off:off + 16]
        out += '     %5x:' % off + ''.join(' %02x' % b for b in row) + '   ' * (16 - len(row)) + '  '
        out += ''.join(chr(b) if 32 <= b < 127 else '.' for b in row) + '\n'
    return out
