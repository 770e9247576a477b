def choose_move(position, moves, chance):
    """Leaves as few stones as it can."""
    heaps, _ = heaps_of(position)
    return min(moves, key=lambda move: sum(stones for _, stones in after(heaps, move)))
