def choose_move(heaps, misere, chance):
    """Clears the largest heap."""
    return heaps.index(max(heaps)), 0
