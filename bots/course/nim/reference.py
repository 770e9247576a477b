def choose_move(heaps, misere, chance):
    """Leaves heaps whose binary sum without carries is 0; the end of misere play is an exception."""
    large = [i for i, stones in enumerate(heaps) if stones > 1]
    if misere and len(large) == 1:  # leave an odd number of heaps of 1
        return large[0], 1 if heaps.count(1) % 2 == 0 else 0
    nim_sum = 0
    for stones in heaps:
        nim_sum ^= stones
    for i, stones in enumerate(heaps):
        if stones ^ nim_sum < stones and (large or not misere):
            return i, stones ^ nim_sum
    largest = heaps.index(max(heaps))
    return largest, heaps[largest] - 1
