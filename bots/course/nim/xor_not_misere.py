def choose_move(heaps, misere, chance):
    """Right in normal play, but plays misere in the same way."""
    nim_sum = 0
    for stones in heaps:
        nim_sum ^= stones
    for i, stones in enumerate(heaps):
        if stones ^ nim_sum < stones:
            return i, stones ^ nim_sum
    largest = heaps.index(max(heaps))
    return largest, heaps[largest] - 1
