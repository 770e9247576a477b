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
    if ruleset == "kayles":
        return mex({nimber(ruleset, stones - taken) for taken in (1, 2) if taken <= stones})
    numbers = [int(number) for number in re.findall(r"\d+", ruleset)]
    return mex({nimber(ruleset, stones - taken) for taken in numbers if taken <= stones})


def choose_move(position, moves, chance):
    """Its table treats Kayles as take{1,2}."""
    heaps, _ = heaps_of(position)
    for move in moves:
        total = 0
        for heap in after(heaps, move):
            total ^= nimber(*heap)
        if total == 0:
            return move
    return moves[-1]
