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


def options(ruleset, stones):
    """The results of all moves on a heap, each a tuple of heaps."""
    if ruleset == "nim":
        return [(left,) for left in range(stones)]
    if ruleset == "kayles":
        return [(left, stones - taken - left)
                for taken in (1, 2) for left in range(max(0, stones - taken + 1))]
    numbers = [int(number) for number in re.findall(r"\d+", ruleset)]
    return [(stones - taken,) for taken in numbers if taken <= stones]


@functools.lru_cache(maxsize=None)
def wins_misere(heaps):
    """Whether the player to move wins misere play. The heaps are sorted, without zeros."""
    followers = [sorted_heaps(heaps[:i] + tuple((ruleset, part) for part in parts) + heaps[i + 1 :])
                 for i, (ruleset, stones) in enumerate(heaps) for parts in options(ruleset, stones)]
    return not followers or not all(wins_misere(follower) for follower in followers)


def sorted_heaps(heaps):
    return tuple(sorted(heap for heap in heaps if heap[1] > 0))


def choose_move(position, moves, chance):
    """Normal play by nimbers; misere play, which has none, by a search of all positions."""
    heaps, misere = heaps_of(position)
    for move in moves:
        left = after(heaps, move)
        total = 0
        for heap in left:
            total ^= nimber(*heap)
        if not wins_misere(sorted_heaps(left)) if misere else total == 0:
            return move
    return moves[-1]
