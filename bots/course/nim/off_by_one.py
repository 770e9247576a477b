def choose_move(heaps, misere, chance):
    """Knows the sum, but leaves at least 1: it never thinks of clearing a heap."""
    nim_sum = 0
    for stones in heaps:
        nim_sum ^= stones
    for i, stones in enumerate(heaps):
        if 1 <= stones ^ nim_sum < stones:
            return i, stones ^ nim_sum
    largest = heaps.index(max(heaps))
    return largest, heaps[largest] - 1
