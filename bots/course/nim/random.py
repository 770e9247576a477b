def choose_move(heaps, misere, chance):
    """Any move, each equally likely."""
    return chance.choice([(i, left) for i, stones in enumerate(heaps) for left in range(stones)])
