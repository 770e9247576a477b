import functools
import re


def mex(numbers):
    """The least number that is missing."""
    least = 0
    while least in numbers:
        least += 1
    return least


@functools.lru_cache(maxsize=None)
def nimber(ruleset, stones):
    if ruleset == "nim":
        return stones
    if ruleset == "kayles":
        rests = [stones - taken for taken in (1, 2) if taken <= stones]
        return mex({nimber(ruleset, left) ^ nimber(ruleset, rest - left)
                    for rest in rests for left in range(rest + 1)})
    numbers = [int(number) for number in re.findall(r"\d+", ruleset)]
    return mex({nimber(ruleset, stones - taken) for taken in numbers if taken <= stones})


def choose_move(position, moves, chance):
    """Right in normal play, but plays misere in the same way."""
    heaps, _ = heaps_of(position)
    for move in moves:
        total = 0
        for heap in after(heaps, move):
            total ^= nimber(*heap)
        if total == 0:
            return move
    return moves[-1]
