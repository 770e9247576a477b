def choose_move(heaps, misere, chance):
    """Knows the sum, but its loop begins at 1: it never thinks of clearing a heap."""
    nim_sum = 0
    for stones in heaps:
        nim_sum ^= stones
    for i, stones in enumerate(heaps):
        for left in range(1, stones):
            if nim_sum ^ stones ^ left == 0:
                return i, left
    largest = heaps.index(max(heaps))
    return largest, heaps[largest] - 1
