"""UNIV: the store-and-forward routing of Leighton, Maggs, Ranade and Rao (Journal of Algorithms 17(1), 1994) on the
butterfly fat-tree of Greenberg and Oh 1997, who compare their STORE with it in figure 2.

Their paper says little more of it than that packets have random ranks. Use the order of the two algorithms, never the
size of their difference. The network is the unfolded fat-tree: an up copy and a down copy of each switch, joined by a
link, the turn. Every packet has a fixed path, drawn fairly among the shortest. Every node sends at most one packet a
step, in the order of ranks and, among equal ranks, of destinations. Ghosts tell the next node a rank below which
nothing will come; they advance one link a step, and nothing delays them.

What that leaves open, and what is done here. The step is that of STORE in the tables of the paper, so that the two
differ in nothing but the algorithm; of other choices, the one that lets UNIV be faster.

 - Ranks are uniform in 1 .. R, R = log2 N unless said otherwise. There are no initial delays.
 - Packets of the same rank and destination are not combined; of two in front, the one of the first input goes first.
   A ghost of the same rank and destination holds up none.
 - A node looks at its inputs at the start of a step. For each it knows the rank and destination (the key) of the
   packet in front; of an empty one, the key of the last ghost. The least of these is its key. If that is a packet's
   and there is room in the queue of the next link, the packet goes; if there is none, the node sends no other packet.
 - With that, its key leaves over every output as a ghost. A ghost is known at the next node from the next step on,
   also if it finds packets in the queue: it takes none of the room. What a node knows of an input stays until the next
   ghost comes over it.
 - Before its first ghost an input may still bring anything: nothing passes a node until every input has brought a
   packet or a ghost. A source sends its packet with a ghost of the same key, and from the next step on the ghost that
   says that nothing more will come.
 - Every link ends in a queue of q packets: the turns and the links to the destinations as all others. As for STORE,
   the levels are served from the top, and there is room if the queue holds fewer than q at that moment: an up link and
   a turn see the slot that is freed in this step, a down link does not. A packet crosses one link a step; a turn is
   a link and takes its step.
 - Each destination takes one packet a step from its queue, after all switches, and none that came in this step.
 - Steps are counted from 0 to the one in which the last packet enters the queue of its destination, as for STORE.
"""
import heapq
import math
import random

PATTERNS = ("random", "complement", "many-to-1")
ANYTHING, NOTHING = -1, math.inf  # before the first ghost; when nothing more will come


class Node:
    """A copy of a switch, a source or a destination. Its number is its turn in a step."""

    def __init__(self, number, level, index):
        self.number, self.level, self.index, self.inputs, self.outputs = number, level, index, [], []
        self.key, self.chosen = ANYTHING, None  # at the start of the step: its key, and the input of that packet

    def look(self):
        self.key, self.chosen = NOTHING, None
        for link in self.inputs:
            key = link.queue[0].key if link.queue else link.ghost
            if key < self.key or key == self.key and not self.chosen:
                self.key, self.chosen = key, link if link.queue else None


class Link:
    """A directed link, the queue at its far end and the last ghost that came over it. The packet of a source is in the
    queue of a link from nowhere."""

    def __init__(self, sender, receiver, ghost=ANYTHING):
        self.sender, self.receiver, self.ghost, self.queue = sender, receiver, ghost, []
        receiver.inputs.append(self)
        if sender:
            sender.outputs.append(self)


class Packet:
    def __init__(self, key, path):
        self.key, self.rest = key, path[::-1]


def parent(level, index, which):
    """The index of a parent: of a switch, the unrotated one or the other; of a processor, its one switch."""
    if level == 0:
        return index // 4
    width = 1 << level
    return index // (2 * width) * width + (index + which * width // 2) % width


class Tree:
    """The unfolded fat-tree of 4^levels processors."""

    def __init__(self, levels):
        self.processors, self.nodes = 4 ** levels, []
        up, down = {}, {}  # by level and index; at level 0 the sources and the destinations
        for level in range(levels, -1, -1):
            # Down copies first, so that a turn sees the slot that is freed in this step; destinations last.
            for copies in (down, up) if level else (up, down):
                for index in range(self.processors >> level + 1 if level else self.processors):
                    copies[level, index] = Node(len(self.nodes), level, index)
                    self.nodes.append(copies[level, index])
        self.sources = [up[0, p] for p in range(self.processors)]
        self.turns = {at: Link(up[at], down[at]) for at in up if at[0]}
        self.parents, self.children = {}, {}  # links, by level and index and then by which parent or quarter of leaves
        for level, index in up:
            for which in range(0 if level == levels else 2 if level else 1):
                above = level + 1, parent(level, index, which)
                quarter = (index >> level - 1 if level else index) % 4
                self.parents[level, index, which] = Link(up[level, index], up[above])
                self.children[(*above, quarter)] = Link(down[above], down[level, index])

    def path(self, source, destination, draws):
        links = [self.parents[0, source, 0]]
        at = links[-1].receiver
        while at.index >> at.level - 1 != destination >> 2 * at.level:
            links.append(self.parents[at.level, at.index, draws.randrange(2)])
            at = links[-1].receiver
        links.append(self.turns[at.level, at.index])
        while at.level:
            links.append(self.children[at.level, at.index, (destination >> 2 * (at.level - 1)) % 4])
            at = links[-1].receiver
        return links


def destination_of(pattern, source, processors, draws):
    if pattern == "random":
        return draws.randrange(processors)  # the source itself, too
    if pattern == "complement":
        return processors - 1 - source
    return processors - 1 if source < processors // 2 else 0


def steps(levels, pattern, queue, seed, ranks=None):
    """Packet-steps until the last packet is in the queue of its destination, counted from 0. `pattern`: one of
    PATTERNS; `queue`: q; `ranks`: R, log2 N unless given."""
    if pattern not in PATTERNS or levels < 1 or queue < 1:
        raise ValueError(f"one of {', '.join(PATTERNS)}, at least one level and queues of at least one packet")
    draws, tree = random.Random(seed), Tree(levels)
    for source, node in enumerate(tree.sources):
        destination = destination_of(pattern, source, tree.processors, draws)
        key = draws.randint(1, ranks or 2 * levels) * tree.processors + destination
        Link(None, node, NOTHING).queue.append(Packet(key, tree.path(source, destination, draws)))
    return run(tree, queue)


def run(tree, queue):
    """Visits the nodes of which an input has changed or that may have got room for their packet."""
    step, on_the_way, woken = 0, tree.processors, {node.number for node in tree.sources}
    while True:
        due, woken = woken, set()
        for number in due:
            tree.nodes[number].look()
        turns = sorted(due)
        while turns:
            node = tree.nodes[heapq.heappop(turns)]
            for link in node.outputs:
                if link.ghost != node.key:
                    link.ghost = node.key
                    woken.add(link.receiver.number)
            chosen = node.chosen
            if not chosen:
                continue
            packet = chosen.queue[0]
            if node.outputs:
                link = packet.rest[-1]
                if len(link.queue) >= queue:
                    continue
                link.queue.append(packet)
                packet.rest.pop()
                woken.add(link.receiver.number)
                if not packet.rest:
                    on_the_way -= 1
                    if on_the_way == 0:
                        return step
            del chosen.queue[0]
            node.chosen = None
            woken.add(node.number)
            if chosen.sender:  # it has room for another
                sender = chosen.sender.number
                if sender < node.number:
                    woken.add(sender)
                elif sender not in due:
                    due.add(sender)
                    heapq.heappush(turns, sender)
        step += 1
