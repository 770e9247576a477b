def choose_move(position, moves, chance):
    """Any move, each equally likely."""
    return chance.choice(moves)
