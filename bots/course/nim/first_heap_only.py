def choose_move(heaps, misere, chance):
    """Knows the sum, but tries only the first heap."""
    first = next(i for i, stones in enumerate(heaps) if stones > 0)
    others = 0
    for stones in heaps[first + 1 :]:
        others ^= stones
    if others < heaps[first]:
        return first, others
    return first, heaps[first] - 1
