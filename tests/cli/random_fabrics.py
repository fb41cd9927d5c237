"""Random small fabrics with their traffic, for tests that hold a statement over many of them."""
import math
import random
import re

WORMS = {"flits": [1, 2, 4, 7]}
ON_A_TORUS = ["star_channels", "four_classes", "linder_harden", "oblivious"]
PERMUTATIONS = ["transpose", "tornado", "bit_complement", "neighbor", "permutation_random"]


def shape(rng):
    kind = rng.choice(["mesh", "mesh", "torus", "torus", "ring", "k_ary_n_cube"])
    if kind == "ring":
        return {"kind": "ring", "nodes": rng.randint(3, 9)}
    radix = rng.choice([[3, 3], [4, 4], [4, 4], [5, 3], [2, 4], [4, 5], [3, 2, 2], [5, 5]])
    if kind == "k_ary_n_cube":
        return {"kind": kind, "radix": radix, "wrap": [rng.random() < 0.5 for _ in radix]}
    return {"kind": kind, "radix": radix}


def node(rng):
    """Buffers and channels of a router, so that now the links, now the ends are what is full first."""
    keys = {"model": "generic", "input_depth": rng.choice([1, 2, 4]), "output_depth": rng.choice([0, 1, 1, 2]),
            "lanes": rng.choice([1, 1, 2, 3]), "release": rng.choice(["tail_crossed", "tail_left"]),
            "injection_channels": rng.choice([1, 1, 2, 3]), "consumption_channels": rng.choice([1, 1, 2, 4, "unlimited"])}
    if keys["output_depth"] == 0:
        keys["release"] = "tail_crossed"
    elif keys["consumption_channels"] == "unlimited":  # takes flits out of the input buffers
        keys["consumption_channels"] = 1
    if keys["lanes"] > 1 and rng.random() < 0.4:
        keys["parallel_links"] = 2
    if rng.random() < 0.3:
        keys["injection_refill"] = "same_cycle"
    if keys["output_depth"] == 0 and rng.random() < 0.4:
        keys["link_sharing"] = "fixed_slot"
    return keys


def pattern(rng, terminals):
    kinds = ["uniform", "uniform", "hotspot", *PERMUTATIONS]
    if terminals & (terminals - 1) != 0:
        kinds = [kind for kind in kinds if kind not in ("transpose", "bit_complement")]
    kind = rng.choice(kinds)
    if kind == "hotspot":
        return {"kind": kind, "fraction": rng.choice([0.1, 0.3, 1.0]), "nodes": [rng.randint(0, 2)]}
    return {"kind": kind}


def multicasts(rng, config):
    config["topology"] = {"kind": "mesh", "radix": rng.choice([[3, 3], [4, 4], [5, 3]])}
    config["multicast"] = {"planner": rng.choice(["column_path", "dual_path", "multipath", "e_mcast", "individual"])}
    config["node"].update(output_depth=0, consumption_channels=rng.choice([2, 4, 4, 6]), link_sharing="demand",
                          release="tail_crossed")
    config["node"].pop("parallel_links", None)
    config["node"].pop("link_assignment", None)
    config["traffic"]["pattern"] = {"kind": "uniform"}
    most = rng.randint(2, 6)
    config["traffic"]["multicast"] = {"fraction": rng.choice([0.2, 0.5, 1.0]), "least": rng.randint(2, most), "most": most}


def slow_links(rng):
    """Some links slower than the others, by wires or by serialisers."""
    kinds = [{"cycles_per_flit": 2}, {"cycles_per_flit": 3, "flit_delay": 4}, {"flit_delay": 7, "credit_delay": 5},
             {"credit_delay": 3}, {"lanes": 3}, {"lanes": 2, "parallel_links": 2}, {"sharing": "fixed_slot"},
             {"lanes": 2, "sharing": "fixed_slot"}, {"sharing": "demand", "lanes": 1}]
    return [{"links": [rng.choice(["router_1*.*", "*.x_plus", "*_0.*", "*"])], "set": rng.choice(kinds)}
            for _ in range(rng.randint(1, 2))]


def other_nodes(rng, buffered):
    """Some routers with more or fewer places, VCs and channels than the others."""
    kinds = [{"input_depth": 1}, {"input_depth": 6}, {"lanes": 1, "parallel_links": 1}, {"lanes": 3, "parallel_links": 1},
             {"injection_channels": 1}, {"consumption_channels": 2}, {"injection_refill": "same_cycle"}]
    if buffered:
        kinds.append({"output_depth": 3, "consumption_depth": 2})
    else:
        kinds += [{"consumption_delay": 1, "consumption_channels": 1}, {"vc_busy_when_full": True},
                  {"selection": "blind"}]
    return [{"routers": [rng.choice(["router_1*", "*_0", "*_2*"])], "set": rng.choice(kinds)}
            for _ in range(rng.randint(1, 2))]


def random_network(rng, anynet):
    """Connected, links both ways; some routers without a terminal, some with several."""
    count = rng.randrange(5, 30)
    pairs = {(rng.randrange(r), r) for r in range(1, count)}
    for _ in range(rng.randrange(count)):
        a, b = sorted(rng.sample(range(count), 2))
        pairs.add((a, b))
    terminals = [r for r in range(count) for _ in range(rng.choice([0, 1, 1, 2]))] or [0]
    terminals += [count - 1]
    if anynet:
        lines = [f"router {r}" + "".join(f" node {t}" for t, at in enumerate(terminals) if at == r) +
                 "".join(f" router {b}" for a, b in sorted(pairs) if a == r) for r in range(count)]
        return "\n".join(lines) + "\n"
    names = [f"n{r}_{rng.randrange(100)}" for r in range(count)]
    text = "routers: [" + ", ".join(names) + "]\nterminals: [" + ", ".join(names[t] for t in terminals) + "]\nlinks:\n"
    for a, b in sorted(pairs):
        text += rng.choice([f"  - [{names[a]}, {names[b]}]\n", f"  - {{between: [{names[a]}, {names[b]}]}}\n"])
    return text


def drawn_topology(rng, kind, described):
    """A network of a kind that nothing here knows, by what `noctule list KIND` says of its keys: numbers near the
    least that is allowed, choices of every sort, and else the defaults."""
    topology = {"kind": kind}
    for key, value in re.findall(r"^  (\w+): .*\n      (.*)$", described, re.M):
        number = re.match(r"an integer, (-?\d+) to (-?\d+)", value)
        choice = re.match(r"one of (.*); default", value)
        if number:
            least, most = map(int, number.groups())
            topology[key] = rng.randint(least, min(most, least + 3))
        elif choice:
            topology[key] = rng.choice(choice[1].split(", "))
    return topology


def pipeline(rng):
    """Stages and allocators of a router without output buffers."""
    keys = {"model": "input_queued", "lanes": rng.choice([1, 2, 4]), "input_depth": rng.choice([1, 2, 4, 8]),
            "routing_delay": rng.choice([0, 1, 1, 2]), "vc_allocation_delay": rng.choice([0, 1, 3]),
            "switch_allocation_delay": rng.choice([0, 1, 2]), "traversal_delay": rng.choice([0, 1, 2]),
            "vc_allocator": rng.choice(["scan", "islip", "wavefront", "separable_output_first"]),
            "switch_allocator": rng.choice(["islip", "maximum", "wavefront", "separable_output_first"]),
            "injection_vcs": rng.choice([1, 4]), "consumption_vcs": rng.choice([1, 4])}
    if keys["routing_delay"] > 0 and rng.random() < 0.4:
        keys[rng.choice(["lookahead", "early_routing"])] = True
        keys["routing_delay"] = 1
    return keys


def other_network(rng, config, write):
    """A network that is no cube of several dimensions, with a relation for it; or another relation on a cube."""
    topology, relation = rng.choice([
        ({"kind": "hypercube", "dimensions": rng.randint(2, 5)},
         rng.choice(["dimension_order", "negative_hop", "up_down", "host_paths"])),
        ({"kind": "butterfly", "arity": rng.randint(2, 3), "stages": rng.randint(2, 3)}, "destination_tag"),
        ({"kind": "butterfly_fat_tree", "levels": rng.randint(2, 3)}, rng.choice(["nearest_common_ancestor", "turn_table"])),
        ({"kind": "frames", "processors": rng.randint(3, 30), "ports": rng.randint(2, 8), "direct": rng.randint(1, 5)},
         "up_down"),
        ({"kind": "graph", "file": "net.txt"}, rng.choice(["up_down", "up_down", "turn_table"])),
        (shape(rng), rng.choice(["negative_hop", "positive_hop", "north_last", "up_down", "hamiltonian"]))])
    if topology["kind"] == "graph":
        write("net.txt", random_network(rng, rng.random() < 0.5))
    config["topology"], config["routing"] = topology, {"algorithm": relation}
    config["traffic"].pop("stall", None)
    config["traffic"]["pattern"] = {"kind": rng.choice(["uniform", "uniform", "hotspot", "permutation_random"])}
    if config["traffic"]["pattern"]["kind"] == "hotspot":
        config["traffic"]["pattern"].update(fraction=rng.choice([0.1, 0.5]), nodes=[0])
    if topology["kind"] == "butterfly_fat_tree" and relation == "nearest_common_ancestor" and rng.random() < 0.5:
        config["node"] = {"model": rng.choice(["greenberg_worm", "greenberg_store"])}
        config["traffic"]["packet_length"] = 1 if config["node"]["model"] == "greenberg_store" else rng.choice([1, 4, 9])
    elif rng.random() < 0.4:
        config["node"] = pipeline(rng)


def random_fabric(seed, write):
    """A configuration; not every one is legal. Files that it needs are written by `write`, of name and text."""
    rng = random.Random(seed)
    topology = shape(rng)
    terminals = topology.get("nodes") or math.prod(topology["radix"])
    config = {"topology": topology, "node": node(rng), "seed": rng.randint(1, 1000), "allow_deadlock": True,
              "traffic": {"pattern": pattern(rng, terminals), "packet_length": rng.choice(WORMS["flits"])},
              "link": {"flit_delay": rng.choice([1, 1, 2]), "credit_delay": rng.choice([1, 1, 2])}}
    sort = rng.random()
    if sort < 0.15:
        multicasts(rng, config)
    elif sort < 0.3:
        config["topology"] = {"kind": "torus", "radix": rng.choice([[4, 4], [5, 3], [3, 3]])}
        config["traffic"]["pattern"] = pattern(rng, math.prod(config["topology"]["radix"]))
        config["node"] = {"model": rng.choice(ON_A_TORUS), "consumption_channels": rng.choice([1, 2, 4])}
    elif sort < 0.4:
        config["node"] = {"model": rng.choice(["fixed_slot", "input_queued"]), "injection_channels": rng.choice([1, 4])}
    elif sort < 0.6:
        config["routing"] = {"algorithm": "turn_table", "classes": rng.choice([1, 2])}
        if config["routing"]["classes"] == 2 and rng.random() < 0.3:
            config["node"].update(parallel_links=2, link_assignment="by_class")
    if rng.random() < 0.15 and config["node"].get("output_depth", 0) > 0:
        config["traffic"]["stall"] = 0.5
    apart = random.Random(f"links {seed}")
    if apart.random() < 0.35:
        config["links"] = slow_links(apart)
    if apart.random() < 0.3 and "multicast" not in config and "model" in config["node"] and \
            config["node"]["model"] == "generic":
        config["nodes"] = other_nodes(apart, config["node"]["output_depth"] > 0)
    elsewhere = random.Random(f"network {seed}")
    if "multicast" not in config and elsewhere.random() < 0.4:
        for key in ("links", "nodes"):
            config.pop(key, None)
        other_network(elsewhere, config, write)
    stored = random.Random(f"stored {seed}")
    if config["node"].get("output_depth") == 0 and "multicast" not in config and stored.random() < 0.25:
        longest = config["traffic"]["packet_length"]
        config["node"].update(forwarding="store_and_forward", input_depth=stored.choice([longest, longest + 2, 2 * longest]))
        config.pop("nodes", None)
    return config


def burst(rng, config):
    config["traffic"]["source"] = {"kind": "on_off", "on_share": rng.choice([0.5, 0.8]), "on_cycles": rng.choice([10, 30])}


def random_flows(rng, config, write):
    """A matrix of rates between the terminals of a mesh or torus."""
    terminals = math.prod(config["topology"]["radix"])
    lines = []
    for _ in range(rng.randint(2, 8)):
        first = rng.randrange(terminals)
        last = rng.randrange(first, terminals)
        to = "*"
        if rng.random() < 0.7:
            to = ",".join(map(str, sorted(rng.sample(range(terminals), rng.randint(2, 4)))))
        lines.append(f"{first}-{last} {to} {rng.uniform(0.001, 0.02):.4f}")
    write("flows.txt", "\n".join(lines) + "\n")
    config["traffic"] = {"source": {"kind": "flows", "file": "flows.txt", "length": rng.choice([1, 3, 5])}}


def transactions(rng, config):
    """Requests and responses, or chains of three, in one class or in several."""
    steps = rng.choice([2, 2, 2, 3])
    source = {"kind": "request_reply", "outstanding": rng.choice([1, 2, 4, 16]), "think_time": rng.choice([1, 1, 40]),
              "service_time": rng.choice([1, 1, 5, 20]), "service": rng.choice(["fixed", "geometric"]),
              "servers": rng.choice(["unlimited", "unlimited", 1, 2])}
    if rng.random() < 0.7:
        source["lengths"] = rng.choice([[1, 5], [4, 1], [1, 1]]) if steps == 2 else rng.choice([[1, 1, 5], [2, 3, 1]])
        del config["traffic"]["packet_length"]  # no step would have it
    if rng.random() < 0.3:
        source["requesting"] = rng.choice(["0-3", "1,2,4", "5-7,0"])
    if steps == 3 or rng.random() < 0.6:
        names = ["request", "forward", "response"] if steps == 3 else ["request", "response"]
        config["node"]["lanes"] = len(names)
        for key in ("parallel_links", "link_assignment"):
            config["node"].pop(key, None)
        config["message_classes"] = {name: {"vcs": {"lane": lane}} for lane, name in enumerate(names)}
        if rng.random() < 0.6:
            config["depends"] = {a: [b] for a, b in zip(names, names[1:])}
            config["message_classes"]["request"]["buffer"] = rng.choice([1, 2, 8])
        source["chain"] = names
    config["traffic"]["source"] = source


def random_ends(seed, write):
    """A mesh or torus whose terminals do not send packets one by one at a rate: bursts, flows, transactions."""
    rng = random.Random(f"ends {seed}")
    topology = {"kind": rng.choice(["mesh", "mesh", "torus"]), "radix": rng.choice([[3, 3], [4, 4], [4, 3], [5, 2]])}
    config = {"topology": topology, "node": node(rng), "seed": rng.randint(1, 1000), "allow_deadlock": True,
              "traffic": {"pattern": pattern(rng, math.prod(topology["radix"])), "packet_length": rng.choice(WORMS["flits"])},
              "link": {"flit_delay": rng.choice([1, 1, 2]), "credit_delay": rng.choice([1, 1, 2])}}
    if rng.random() < 0.25:
        config["routing"] = {"algorithm": "turn_table"}
    kind = rng.choice(["on_off", "flows", "transactions", "transactions", "transactions"])
    if kind == "on_off":
        burst(rng, config)
    elif kind == "flows":
        random_flows(rng, config, write)
    else:
        transactions(rng, config)
    return config
