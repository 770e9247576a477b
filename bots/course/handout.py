def heaps_of(position):
    """The current heaps, and whether misere is played. 'kayles:3,4+nim:5 moves 1=1,1' gives
    [('kayles', 1), ('kayles', 1), ('kayles', 4), ('nim', 5)] and False."""
    start, _, moves = position.partition(" moves ")
    total, *convention = start.split()
    heaps = []
    for component in total.split("+"):
        ruleset, _, numbers = component.rpartition(":")
        heaps += [(ruleset or "nim", int(number)) for number in numbers.split(",")]
    for move in moves.split():
        heaps = after(heaps, move)
    return heaps, convention == ["misere"]


def after(heaps, move):
    """The heaps after a move: '1=2,4' puts heaps of 2 and 4 in the place of heap 1."""
    number, _, result = move.partition("=")
    index = int(number) - 1
    ruleset = heaps[index][0]
    new_heaps = [(ruleset, int(stones)) for stones in result.split(",")]
    return heaps[:index] + new_heaps + heaps[index + 1 :]
