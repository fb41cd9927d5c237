"""Reads waveform files (VCD): enough to compare two of them."""
import collections


def read(file):
    """({identifier: [names]}, [(time, [(identifier, value)])])."""
    names, changes, scopes = collections.defaultdict(list), [], []
    with open(file, encoding="ascii") as lines:
        for line in lines:
            words = line.split()
            if not words:
                continue
            if words[0] == "$scope":
                scopes.append(words[2])
            elif words[0] == "$upscope":
                scopes.pop()
            elif words[0] == "$var":
                names[words[3]].append(".".join([*scopes, words[4]]))
            elif words[0][0] == "#":
                changes.append((int(words[0][1:]), []))
            elif words[0][0] == "b":
                changes[-1][1].append((words[1], words[0][1:].lstrip("0") or "0"))
            elif words[0][0] in "01xz" and changes:
                changes[-1][1].append((words[0][1:], words[0][0]))
    return names, changes


def first_difference(one, other, wanted, last):
    """The first time up to `last` at which a signal that both have, and whose name matches `wanted`, differs: (time,
    name), or None."""
    one, other = read(one), read(other)

    def known(recording):
        return {name for of_one in recording[0].values() for name in of_one if wanted.fullmatch(name)}

    common = known(one) & known(other)
    if not common:
        raise ValueError(f"no signal {wanted.pattern} in common")
    left, right = dict(one[1]), dict(other[1])
    mine, theirs, differing = {}, {}, set()
    for time in sorted({*left, *right}):
        if time > last:
            break
        for changed, names, now in ((left.get(time, ()), one[0], mine), (right.get(time, ()), other[0], theirs)):
            for identifier, value in changed:
                for name in names[identifier]:
                    if name in common:
                        now[name] = value
                        differing.add(name)
        differing = {name for name in differing if mine.get(name) != theirs.get(name)}
        if differing:
            return time, min(differing)
    return None
