"""Replays a certificate of `nim-engine period --certificate FILE`, knowing the rules alone:
python3 check_period.py FILE. Exit status 0 where the law is proven, 1 with the reason where not."""
import json, re, sys

def read_rules(text):
    """take{1,4-6,9-} -> (ranges, None); octal{0.77} and hex{…} -> (None, digits)."""
    name, rest = re.fullmatch(r"(take|octal|hex)\{(.*)\}", text).groups()
    if name != "take":
        return None, [int(digit, 16) for digit in rest.replace(".", "").rstrip("0")]
    ends = [(item.split("-") * 2)[:2] for item in rest.split(",")]
    return [(int(low), int(high or sys.maxsize)) for low, high in ends], None

def options(n, G, ranges, digits):
    for low, high in ranges or []:
        yield from G[max(n - high, 0) : max(n - low + 1, 0)]
    for j, digit in enumerate(digits or []):
        left = n - j
        if digit & 1 and left == 0: yield 0
        if digit & 2 and left >= 1: yield G[left]
        if digit & 4: yield from (G[a] ^ G[left - a] for a in range(1, left // 2 + 1))
        if digit & 8: yield from (G[a] ^ G[b] ^ G[left - a - b] for a in range(1, left // 3 + 1)
                                  for b in range(a, (left - a) // 2 + 1))

def mex(values):
    values, least = set(values), 0
    while least in values: least += 1
    return least

def state(G, end, window):
    """The data that determine all later nimbers of an all-but set, relative to the old mex."""
    old = G[: end - window]
    base = mex(old)
    return base, [g - base for g in G[end - window : end]], sorted({g - base for g in old if g > base})

def check(c):
    """None, or the reason why the certificate proves nothing."""
    L, p, s, heaps, theorem = (c[k] for k in ("preperiod", "period", "saltus", "heaps", "theorem"))
    ranges, digits = read_rules(c["rules"])
    G, fnv = [], 14695981039346656037
    for n in range(heaps):
        G.append(mex(options(n, G, ranges, digits)))
        for byte in G[n].to_bytes(8, "little"): fnv = (fnv ^ byte) * 1099511628211 % 2**64
    if c["hash"] != f"fnv1a64:{fnv:016x}": return "the nimbers have another hash"
    if p < 1 or L < 0 or s < 0: return "this is no law"
    if any(G[n + p] != G[n] + s for n in range(L, heaps - p)): return "the law does not hold"
    if theorem == "window" and ranges and ranges[-1][1] < sys.maxsize:  # of the largest member
        return None if s == 0 and heaps - p - L >= ranges[-1][1] else "the window is too short"
    if theorem == "state" and ranges and ranges[-1][1] == sys.maxsize:
        window = ranges[-1][0] - 1  # from the next number on, all may be taken
        if heaps - p - window < L: return "the window is too short"
        now, then = state(G, heaps, window), state(G, heaps - p, window)
        return None if now == (then[0] + s, *then[1:]) else "the state does not come back"
    if theorem == "octal" and digits:  # Guy and Smith 1956; three heaps may be left in hex
        first, k, parts = max(L, 1), len(digits) - 1, 2 if max(digits) < 8 else 3
        return None if s == 0 and heaps >= parts * (first + p) + k else "the bound is too small"
    return "the theorem does not fit the rules"

if __name__ == "__main__":
    certificate = json.load(open(sys.argv[1]))
    reason = check(certificate)
    print(f"the law is proven for {certificate['rules']}" if reason is None else reason)
    sys.exit(reason is not None)
