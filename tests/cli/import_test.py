#!/usr/bin/python3
"""Do files of other simulators become such as mean the same?"""
import json
import random
import re
import unittest

from cli_support import CommandLineTest, rows_of

# Every key that users of BookSim2 write, with values of each kind that matters.
BOOKSIM = {
    "topology": ["mesh", "torus", "cmesh", "fly"],
    "k": ["2", "4", "5"], "n": ["1", "2", "3"], "c": ["1", "2"],
    "routing_function": ["dor", "dim_order", "dim_order_mesh", "dim_order_torus", "dim_order_ni", "xy_yx", "min_adapt",
                         "planar_adapt", "limited_adapt", "romm", "valiant", "chaos", "dest_tag", "ugal", "none"],
    "num_vcs": ["1", "2", "3", "4", "16"], "vc_buf_size": ["1", "4", "8"],
    "router": ["iq", "event", "chaos"],
    "routing_delay": ["0", "1", "2"], "vc_alloc_delay": ["1", "2"], "sw_alloc_delay": ["1", "2"],
    "st_prepare_delay": ["0", "1"], "st_final_delay": ["1", "2"], "output_delay": ["0", "2"], "credit_delay": ["0", "2"],
    "speculative": ["0", "1"], "wait_for_tail_credit": ["0", "1"], "vc_busy_when_full": ["0", "1"],
    "hold_switch_for_packet": ["0", "1"], "internal_speedup": ["1.0", "2.0"], "input_speedup": ["1", "2"],
    "output_speedup": ["1", "2"], "vc_allocator": ["islip", "islip(3)", "separable_input_first(matrix)", "max", "maxsize", "pim", "loa", "wavefront", "select",
                                                   "separable_input_first", "separable_output_first"],
    "sw_allocator": ["islip", "islip(2)", "separable_output_first(matrix)", "max", "pim", "loa", "wavefront", "separable_input_first", "separable_output_first"],
    "vc_alloc_arb_type": ["round_robin", "matrix", "prio"], "sw_alloc_arb_type": ["round_robin", "matrix", "tree"],
    "arb_type": ["matrix"], "alloc_iters": ["1", "3"], "vc_alloc_iters": ["0", "2"], "buffer_policy": ["private", "shared"], "noq": ["0", "1"],
    "traffic": ["uniform", "bitcomp", "bitrev", "shuffle", "transpose", "tornado", "neighbor", "randperm", "diagonal",
                "hotspot", "hotspot(1)", "hotspot({-1})", "hotspot({0,1})", "hotspot({{1,2},{1,3}})", "asymmetric", "taper64", "bad_dragon", "badperm_yarc"],
    "perm_seed": ["3"], "injection_rate": ["0.01", "0.05", "{0.02}", "{0.02, 0.01}"], "injection_rate_uses_flits": ["0", "1"],
    "packet_size": ["1", "5", "{5}", "{{1,5}}", "{{1, 2, 7}, 3}"], "packet_size_rate": ["1", "{{3,1}}"], "const_flits_per_packet": ["4"], "injection_process": ["bernoulli", "on_off", "on_off(0.1)", "on_off({0.1,0.2,0.5})"],
    "burst_alpha": ["0.2"], "burst_beta": ["0.1"], "use_read_write": ["0", "1"], "read_request_size": ["2"],
    "batch_size": ["100"], "max_outstanding_requests": ["4"], "warmup_periods": ["0", "3"], "sample_period": ["1000"],
    "max_samples": ["10"], "latency_thres": ["500.0"], "sim_type": ["latency", "throughput", "batch"],
    "use_noc_latency": ["0", "1"], "output_buffer_size": ["-1", "8"], "spec_sw_allocator": ["prio", "islip"],
    "spec_check_cred": ["0", "1"], "vc_shuffle_requests": ["0", "1"], "max_held_slots": ["-1", "4"],
    "feedback_aging_scale": ["1", "2"], "feedback_offset": ["0", "1"], "write_fraction": ["0.5", "{0.2}"],
    "outstanding_credits_out": ["a"], "used_credits_out": ["b"], "free_credits_out": ["c"], "max_credits_out": ["d"], "seed": ["7", "time"],
    "priority": ["none", "age", "class"], "classes": ["1", "2"], "subnets": ["1", "2"], "print_activity": ["1"],
    "print_csv_results": ["1"], "stats_out": ["stats.m"], "watch_out": ["-"], "deadlock_warn_timeout": ["256"],
    "pair_stats": ["0", "1"], "link_failures": ["0", "1"], "sim_count": ["1", "2"], "sim_power": ["0", "1"], "channel_width": ["64"],
}
POWER_OF_TWO = {"bitcomp", "bitrev", "shuffle"}  # and with terminals in more than one place, transpose and tornado
NOXIM = {
    "mesh_dim_x": [4, 5], "mesh_dim_y": [4, 3], "buffer_depth": [1, 4], "flit_size": [32], "r2r_link_length": [1.0],
    "n_virtual_channels": [1, 2], "topology": ["MESH", "BUTTERFLY", "OMEGA", "BASELINE"], "n_delta_tiles": [8, 16],
    "routing_algorithm": ["XY", "WEST_FIRST", "NORTH_LAST", "NEGATIVE_FIRST", "ODD_EVEN", "DYAD", "TABLE_BASED", "DELTA",
                          "ALGORITHM_OF_A_FORK", "|\n  of\n  lines: 2\n"],
    "selection_strategy": ["RANDOM", "BUFFER_LEVEL", "NOP", 0], "min_packet_size": [2], "max_packet_size": [2, 7, 90],
    "packet_injection_rate": [0.01], "probability_of_retransmission": [0.01, 0.5], "dyad_threshold": [0.6],
    "traffic_distribution": ["TRAFFIC_RANDOM", "TRAFFIC_TRANSPOSE1", "TRAFFIC_HOTSPOT", "TRAFFIC_TABLE_BASED",
                             "TRAFFIC_BUTTERFLY", "TRAFFIC_OF_A_FORK", 4],
    "reset_time": [1000], "simulation_time": [5000], "stats_warm_up_time": [1000], "rnd_generator_seed": [4],
    "trace_mode": ["false", "true", "True"], "detailed": ["false", "true", "False"], "show_buffer_stats": ["true"],
    "use_winoc": ["false", "true"], "verbose_mode": ["VERBOSE_OFF", "VERBOSE_LOW"], "clock_period_ps": [1000],
    "max_volume_to_be_drained": [0, 10], "Hubs": ["{0: {attachedNodes: [0, 1]}}"], "RadioChannels": ["{defaults: {data_rate: 16}}"], "pe_rx_buffer_size": [8],
    "processing_frequency": [1], "processing_size": [2], "traffic_hardcoded_filename": ["h.txt"], "winoc_dst_hops": [0],
    "log_of_a_fork": ["all"], "trace_scope": ["basic", "all"], "log_level": ["OFF"], "log_to_stderr": ["true", "false"],
    "log_components": ["[]", "[router]"], "stats_format": ["json"], "dnn_layer": ["{stride: 1}"], "deft_vl_fault_count": [4],
    "hotspots": ["[[5, 0.1]]", "[]"], "locality": [0.5], "trace_filename": ["|\n  of\n  lines: 2\n"],
}


def drawn(choices, rng):
    keys = rng.sample(sorted(choices), rng.randint(1, len(choices)))
    return {key: rng.choice(choices[key]) for key in keys}


class Import(CommandLineTest):
    def imported(self, simulator, text, *words):
        yaml, err = self.noctule("import", simulator, self.write("theirs", text), *words)
        remarks = re.findall(r"^# remark: (.*)$", yaml, re.M)
        if remarks:
            *told, last = err.splitlines()
            self.assertEqual(told, [f"noctule: remark: {remark}" for remark in remarks])
            self.assertRegex(last, rf"^noctule: {len(remarks)} remarks? on what differs or has no counterpart")
        else:
            self.assertEqual(err, "")
        self.write("ours.yaml", yaml)
        return yaml, remarks

    def test_every_booksim_configuration_becomes_a_legal_one(self):
        rng = random.Random(1)
        for key, value in [(key, value) for key, values in BOOKSIM.items() for value in values]:
            self.legal_booksim({key: value})
        for _ in range(60):
            self.legal_booksim(drawn(BOOKSIM, rng))

    def legal_booksim(self, config):
        # What BookSim2 refuses itself, or does not end.
        pattern = config.get("traffic", "uniform")
        if pattern in POWER_OF_TWO | {"transpose", "taper64"}:
            config = {**config, "topology": "mesh", "k": "4", "n": "2", "c": "1"}
        if "hotspot" in pattern or pattern in ("tornado", "neighbor"):
            config = {**config, "topology": "torus", "k": "4"}
        if pattern == "randperm" and config.get("topology") == "fly":
            config = {**config, "k": "4"}
        # More than 64 injection buffers of a router are refused here, with what to change.
        if config.get("num_vcs") == "16" and (config.get("c") == "2" or config.get("topology") == "fly"):
            config = {**config, "num_vcs": "4"}
        config.setdefault("num_vcs", "4")
        with self.subTest(config=config):
            text = "// drawn\n" + "".join(f"{key} = {value};\n" for key, value in config.items())
            yaml, _ = self.imported("booksim", text)
            for key in ("num_vcs", "topology"):
                if key in config:
                    self.assertIn(f"{key} = {config[key]}", yaml)
            self.noctule("check", "ours.yaml", "--set", "allow_deadlock=true")

    def test_every_noxim_configuration_becomes_a_legal_one(self):
        rng = random.Random(2)
        cases = [{key: value} for key, values in NOXIM.items() for value in values]
        for config in cases + [drawn(NOXIM, rng) for _ in range(60)]:
            if config.get("min_packet_size", 8) > config.get("max_packet_size", 8):
                config["min_packet_size"] = 2
            with self.subTest(config=config):
                self.imported("noxim", "".join(f"{key}: {value}\n" for key, value in config.items()))
                self.noctule("check", "ours.yaml", "--set", "allow_deadlock=true")

    def test_hot_terminals_are_those_of_booksim(self):
        for traffic, nodes, said in (("hotspot(12)", [12], []), ("hotspot({12})", [12], []), ("hotspot({12,3})", [12], []),
                                     ("hotspot({{12,3}})", [12, 3], []), ("hotspot({{12,3},{2,2}})", [12, 3], []),
                                     ("hotspot({{12,3},{1,3}})", [12, 3], ["equal shares here"]),
                                     ("hotspot", [0], ["BookSim2 draws"]), ("hotspot({-1})", [0], ["BookSim2 draws"])):
            with self.subTest(traffic):
                _, remarks = self.imported("booksim", f"topology = mesh; k = 4; n = 2; traffic = {traffic};\n")
                self.assertEqual(self.resolved("ours.yaml")["traffic"]["pattern"]["nodes"], nodes)
                for words in said:
                    self.assertIn(words, "\n".join(remarks))
                self.assertEqual(any("hotspot" in remark for remark in remarks), bool(said), remarks)

    def test_silent_terminals_are_named_where_there_are_some(self):
        for traffic, some in (("bitcomp", False), ("tornado", False), ("transpose", True), ("shuffle", True)):
            _, remarks = self.imported("booksim", f"topology = torus; k = 8; n = 2; traffic = {traffic};\n")
            self.assertEqual(any("are silent here" in remark for remark in remarks), some, traffic)

    def test_values_are_translated(self):
        yaml, remarks = self.imported("booksim", """\
topology = torus; k = 5; n = 3;   // three dimensions
routing_function = dim_order_torus;
num_vcs = 8; vc_buf_size = 6;
routing_delay = 0; st_prepare_delay = 1;
credit_delay = 2;
packet_size = 4; injection_rate = 0.05;
warmup_periods = 3; sample_period = 2000;
""")
        document = self.resolved("ours.yaml")
        self.assertEqual(document["topology"]["radix"], [5, 5, 5])
        self.assertEqual(document["routing"]["algorithm"], "dimension_order")
        node = document["node"]
        self.assertEqual((node["lanes"], node["input_depth"], node["routing_delay"], node["traversal_delay"]), (4, 6, 0, 2))
        self.assertEqual((node["switch_allocator"], node["vc_allocator"]), ("islip", "islip"))
        self.assertEqual((document["link"]["flit_delay"], document["link"]["credit_delay"]), (2, 4))
        self.assertAlmostEqual(document["traffic"]["offered_load"], 0.2)
        self.assertEqual(document["measurement"]["warm_up"], 6000)
        self.assertEqual(len(remarks), 1)  # uniform traffic to itself
        self.assertIn("lanes: 4  # num_vcs = 8", yaml)

    def resolved(self, file):
        self.noctule("run", file, "--out", "r", "--set", "measurement.warm_up=6000", "--set", "measurement.cycles=400")
        return json.loads((self.folder / "r/config.json").read_text())

    def test_what_has_no_counterpart_is_told(self):
        for text, word in {"routing_function = ugal;": "routing_function = ugal", "priority = class;": "priority",
                           "sim_type = batch;": "kind: static", "output_buffer_size = 4;": "node.output_depth",
                           "topology = flatfly;": "topology = flatfly", "subnets = 2;": "planes",
                           "use_read_write = 1;": "request_reply", "traffic = taper64;": "taper64"}.items():
            _, remarks = self.imported("booksim", text)
            self.assertTrue(any(word in remark for remark in remarks), remarks)
        for text, word in {"routing_algorithm: ODD_EVEN": "ODD_EVEN", "selection_strategy: NOP": "NOP",
                           "use_winoc: true": "use_winoc", "flit_size: 64": "flit_size"}.items():
            _, remarks = self.imported("noxim", text + "\n")
            self.assertTrue(any(word in remark for remark in remarks), remarks)

    def test_only_cmesh_has_several_terminals_at_a_router(self):
        for kind, function, terminals in [("mesh", "dim_order", 1), ("torus", "dim_order", 1), ("cmesh", "dim_order", 4)]:
            _, remarks = self.imported("booksim", f"topology = {kind}; k = 4; c = 4; routing_function = {function}; "
                                                  "injection_rate = 0.01;")
            self.assertEqual(self.resolved("ours.yaml")["topology"]["terminals_per_router"], terminals)
            self.assertEqual(any("c = 4: " in remark for remark in remarks), terminals == 1, remarks)

    def test_parameters_in_parentheses_count(self):
        head = "topology = mesh; k = 4; routing_function = dim_order; injection_rate = 0.01; "
        for text, share, cycles in [("on_off", 0.5, 2), ("on_off(0.1)", 1 / 6, 2), ("on_off({0.01,0.1})", 1 / 11, 10)]:
            self.imported("booksim", head + f"injection_process = {text};")
            source = self.resolved("ours.yaml")["traffic"]["source"]
            self.assertAlmostEqual(source["on_share"], share)
            self.assertEqual(source["on_cycles"], cycles)
        self.refused("import", "booksim", self.write("theirs", head + "injection_process = on_off(2);"),
                     says=["injection_process", "at most 1"])
        for text, rounds, arbiter, told in [
                ("vc_allocator = islip(3); sw_allocator = islip(3);", 3, "round_robin", ""),
                ("vc_allocator = islip(3); sw_allocator = islip;", 3, "round_robin", "node.allocator_iterations rounds, 3"),
                ("vc_allocator = separable_input_first(matrix); sw_allocator = wavefront;", 1, "matrix", ""),
                ("vc_allocator = separable_input_first(matrix); sw_allocator = separable_input_first;", 1, "matrix",
                 "arbiters are matrix"),
                # iSLIP has no others.
                ("vc_allocator = pim; sw_allocator = separable_input_first(matrix);", 1, "round_robin", "arbiters are round_robin"),
                ("sw_allocator = separable_input_first; arb_type = matrix;", 1, "round_robin", "arbiters are round_robin"),
                ("vc_allocator = separable_input_first(matrix); sw_allocator = islip;", 1, "round_robin",
                 "arbiters are round_robin")]:
            with self.subTest(text=text):
                _, remarks = self.imported("booksim", head + text)
                node = self.resolved("ours.yaml")["node"]
                self.assertEqual((node["allocator_iterations"], node["arbiter"]), (rounds, arbiter), remarks)
                said = [remark for remark in remarks if "both allocators" in remark]
                self.assertEqual([told in remark for remark in said], [True] if told else [])

    def test_keys_of_noxim_without_a_counterpart_are_told(self):
        _, remarks = self.imported("noxim", "use_winoc: True\nRadioChannels: {defaults: {data_rate: 16}}\ndetailed: False\n"
                                            "processing_size: 2\nlog_of_a_fork: all\n")
        told = "\n".join(remarks)
        for word in "use_winoc: True", "RadioChannels", "processing_size: 2", "log_of_a_fork: no key of Noxim that is known":
            self.assertIn(word, told)
        self.assertNotIn("detailed", told)

    def test_statistics_of_pairs_are_those_of_flows(self):
        for tool, text, flows in [("booksim", "topology = mesh;\nk = 4;\nn = 2;\nrouting_function = dor;\npair_stats = 1;\n", True),
                                  ("booksim", "topology = mesh;\nk = 4;\nn = 2;\nrouting_function = dor;\npair_stats = 0;\n", False),
                                  ("noxim", "detailed: true\n", True), ("noxim", "detailed: false\n", False)]:
            with self.subTest(tool=tool, text=text):
                self.imported(tool, text)
                self.assertEqual(self.resolved("ours.yaml")["measurement"]["flows"], flows)

    def test_what_noxim_transposes_is_transposed_on_square_meshes(self):
        for x, y, told in [(5, 5, False), (4, 4, False), (8, 2, True)]:
            _, remarks = self.imported("noxim", f"mesh_dim_x: {x}\nmesh_dim_y: {y}\ntraffic_distribution: TRAFFIC_TRANSPOSE2\n")
            self.assertEqual(any("power of four" in remark for remark in remarks), told, (x, y))
            self.noctule("check", "ours.yaml")

    def test_a_topology_without_a_counterpart_is_a_graph_to_be_written(self):
        yaml, remarks = self.imported("noxim", "topology: DEFT_2_5D\nrouting_algorithm: DEFT\n")
        self.assertNotIn("butterfly", yaml)
        self.assertIn("topology: DEFT_2_5D has no counterpart; write the network as a graph file", remarks)
        self.refused("check", "ours.yaml", says=["network.yaml"])
        self.write("network.yaml", "routers: [a, b]\nterminals: [a, b]\nlinks: [[a, b]]\n")
        self.noctule("check", "ours.yaml")

    def test_negative_first_leaves_the_choice_where_noxim_does(self):
        """To the north-east and the south-west: from the lower left to the upper right corner, y growing to the south."""
        text = "mesh_dim_x: 4\nmesh_dim_y: 4\nrouting_algorithm: NEGATIVE_FIRST\n"
        _, remarks = self.imported("noxim", text)
        self.assertTrue(any("south-east" in remark for remark in remarks))
        (fabric,) = self.json_of("verify", "ours.yaml")
        self.assertEqual(fabric["verdict"], "proved")
        for source, destination, chosen in [(12, 3, True), (3, 12, True), (15, 0, False), (0, 15, False)]:
            self.write("one.txt", "".join(f"{30 * n} {source} {destination} 1\n" for n in range(200)))
            self.json_of("run", "ours.yaml", "--set", "traffic={source: {kind: trace_file, file: one.txt}}", "--events", "e.csv")
            used = {(row["router"], row["port"]) for row in rows_of(self.folder / "e.csv") if row["event"] == "link"}
            self.assertEqual(len(used) > 6, chosen, (source, destination, sorted(used)))

    def test_wires_of_a_torus_take_two_cycles(self):
        # kncube: 2 cycles for flits and credits of a torus, and of a concentrated mesh; 1 on a mesh, or without them.
        for text, flits, credits in [("topology = torus;", 2, 2), ("topology = cmesh;", 2, 2), ("topology = mesh;", 1, 1),
                                     ("topology = torus; use_noc_latency = 0;", 1, 1),
                                     ("topology = torus; output_delay = 3; credit_delay = 2;", 5, 4),
                                     ("topology = mesh; output_delay = 3; credit_delay = 2;", 4, 3)]:
            with self.subTest(text=text):
                _, remarks = self.imported("booksim", text + " k = 4; routing_function = dim_order; injection_rate = 0.01;")
                self.assertFalse(any("latency" in remark for remark in remarks), remarks)
                link = self.resolved("ours.yaml")["link"]
                self.assertEqual((link["flit_delay"], link["credit_delay"]), (flits, credits))

    def test_lists_give_a_value_for_each_class(self):
        head = "topology = mesh; k = 4; injection_rate = {0.02}; "
        for text, lengths, load in [("packet_size = {5};", 5, 0.1), ("packet_size = {{5}};", 5, 0.1),
                                    ("packet_size = {1, 5};", 1, 0.02),
                                    ("packet_size = {{1, 5}};", [(1, 1), (5, 1)], 0.06),
                                    ("packet_size = {{1,5}}; packet_size_rate = {{3,1}};", [(1, 3), (5, 1)], 0.04),
                                    ("packet_size = {{1,5}}; packet_size_rate = {{0,1}};", [(5, 1)], 0.1)]:
            with self.subTest(text=text):
                self.imported("booksim", head + text)
                traffic = self.resolved("ours.yaml")["traffic"]
                found = traffic.get("packet_lengths")
                self.assertEqual([(e["length"], e["weight"]) for e in found] if found else traffic["packet_length"], lengths)
                self.assertAlmostEqual(traffic["offered_load"], load)

    def test_rates_of_no_length_are_told(self):
        for text, told in [("packet_size = {{1,5}}; packet_size_rate = {{1,2,3}};", "3 rates for 2 lengths of packet_size"),
                           ("packet_size = 5; packet_size_rate = {{1,2}};", "2 rates for 1 length of packet_size"),
                           ("traffic = hotspot({{1,2},{1,1,1}});", "3 rates for 2 hot terminals"),
                           ("packet_size = {{1,5}}; packet_size_rate = {{1,2}};", "")]:
            with self.subTest(text=text):
                _, remarks = self.imported("booksim", "topology = mesh; k = 4; injection_rate = 0.02; " + text)
                self.assertEqual([told in remark for remark in remarks if "BookSim2 takes the first" in remark],
                                 [True] if told else [])

    def test_the_oldest_packet_goes_first(self):
        for allocator, taken in [("islip", "separable_input_first"), ("separable_output_first", "separable_output_first")]:
            _, remarks = self.imported("booksim", f"k = 4; priority = age; vc_allocator = {allocator}; "
                                                  f"sw_allocator = {allocator}; injection_rate = 0.01;")
            self.assertEqual(any("priority" in remark for remark in remarks), allocator != taken)
            node = self.resolved("ours.yaml")["node"]
            self.assertEqual((node["arbiter"], node["vc_allocator"], node["switch_allocator"]), ("age", taken, taken))
        # Of which other features have no meaning.
        _, remarks = self.imported("booksim", "k = 4; priority = age; speculative = 1; alloc_iters = 3; injection_rate = 0.01;")
        self.assertRegex("\n".join(remarks), r"speculative = 1, with priority = age(?s:.*)alloc_iters = 3, with priority = age")
        node = self.resolved("ours.yaml")["node"]
        self.assertEqual((node["speculative"], node["allocator_iterations"]), (False, 1))

    def test_what_is_replaced_is_told_first(self):
        yaml, remarks = self.imported("booksim", "traffic = uniform; routing_function = min_adapt; router = chaos; noq = 1;")
        self.assertRegex("\n".join(remarks), r"^routing_function = min_adapt .*\nrouter = chaos .*\n(?s:.*)uniform(?s:.*)noq")

    def test_words_of_the_command_line_count_instead(self):
        yaml, _ = self.imported("booksim", "topology = mesh; k = 8;", "k=4", "num_vcs=2")
        self.assertIn("radix: [4, 4]  # k = 4", yaml)
        self.assertIn("lanes: 2", yaml)
        again, _ = self.noctule("import", "booksim", "k=4", "num_vcs=2", "theirs")
        self.assertEqual(again, yaml)
        self.refused("import", "booksim", "theirs", "kk=4", says=["command line", "no key 'kk'"])
        self.refused("import", "noxim", "theirs", "k=4", says=["k=4", "Noxim"])

    def test_worms_of_two_legs_and_the_balanced_dateline_are_the_same_here(self):
        for function, algorithm, rule, lanes in [("valiant_mesh", "valiant", None, 4), ("romm_torus", "romm", None, 2),
                                                 ("dim_order_bal_torus", "dimension_order", "dateline_balanced", 4)]:
            kind = function.split("_")[-1]
            _, remarks = self.imported("booksim", f"topology = {kind};\nk = 4;\nnum_vcs = 8;\n"
                                                  f"routing_function = {function};\ninjection_rate = 0.01;\n")
            self.assertFalse(any("routing_function" in remark for remark in remarks), remarks)
            resolved = self.resolved("ours.yaml")
            self.assertEqual(resolved["routing"]["algorithm"], algorithm)
            self.assertEqual(resolved["routing"].get("vc_rule"), rule)
            self.assertEqual(resolved["node"]["lanes"], lanes)

    def test_anynet_files_are_taken_as_they_are(self):
        self.write("net", "router 0 node 0 router 1\nrouter 1 node 1 router 2\nrouter 2 node 2\n")
        self.imported("booksim", "topology = anynet;\nrouting_function = min;\nnetwork_file = net;\n")
        self.noctule("run", "ours.yaml", "--set", "measurement.cycles=500", "--set", "measurement.warm_up=0")
        # A latency is that of one direction, as there.
        for back, cycles in (("", [24, 10]), (" router 0", [24, 10]), (" router 0 3", [24, 12])):
            self.write("net", f"router 0 node 0 router 1 15\nrouter 1 node 1{back}\n")
            for source, expected in enumerate(cycles):
                self.write("one.txt", f"0 {source} {1 - source} 1\n")
                (point,) = self.json_of("run", "ours.yaml", "--set", "traffic={source: {kind: trace_file, file: one.txt}}",
                                        "--set", "node.lanes=1", "--set", "routing=up_down")["points"]
                self.assertEqual(point["latency_cycles"]["total"]["mean"], expected, (back, source))

    def test_bad_files_are_refused(self):
        for simulator, text, says in [
                ("booksim", "topology = mesh;\nnum_vsc = 4;\n", ["theirs:2: ", "no key 'num_vsc'", "did you mean 'num_vcs'?"]),
                ("booksim", "k = eight;", ["theirs:1: ", "k: expected a number, not 'eight'"]),
                ("booksim", "k = 2.5;", ["expected an integer, 2 to 65535, not '2.5'"]),
                ("booksim", "\n\nk 8;", ["theirs:3: ", "'k 8' is no 'key = value;'"]),
                ("booksim", "k = 8", ["theirs:1: ", "is not ended"]),
                ("booksim", "injection_rate = 0;", ["theirs:1: ", "above 0", "static"]),
                ("booksim", "packet_size = {{1,x}};", ["theirs:1: ", "expected a number, not 'x'"]),
                ("booksim", "packet_size = {{1,2}}; packet_size_rate = {{0}};", ["above 0 for one"]),
                ("booksim", "\ntraffic = Uniform;", ["theirs:2: ", "no 'Uniform'", "did you mean 'uniform'?"]),
                ("booksim", "traffic = foo;", ["theirs:1: ", "no 'foo'", "it has asymmetric"]),
                ("booksim", "routing_function = dorr_mesh;", ["no 'dorr_mesh'", "did you mean 'dor'?"]),
                ("booksim", "router = xyz;", ["theirs:1: ", "no 'xyz'", "chaos, event, iq"]),
                ("booksim", "k = 8;\n# a comment\n", ["theirs:2: ", "'#' begins no comment", "write //"]),
                ("booksim", "k = 8;\n/* a comment */\n", ["theirs:2: ", "'/*' begins no comment", "write //"]),
                ("booksim", "// radix\nk = 8\nn = 2;\n", ["theirs:2: ", "'k = 8' is not ended", "write ';'"]),
                ("booksim", "num_vcs = 1000;", ["1 to 64"]),
                ("noxim", "mesh_dim_x: 4\nbuffer_depht: 4\n", ["theirs:2:1: ", "did you mean 'buffer_depth'?"]),
                ("noxim", "trace_scop: all\n", ["theirs:1:1: ", "did you mean 'trace_scope'?"]),
                ("noxim", "\ntopology: mesh\n", ["theirs:2:11: ", "Noxim has no 'mesh'", "did you mean 'MESH'?"]),
                ("noxim", "topology: TORUS\n", ["no 'TORUS'", "it has MESH, BUTTERFLY, BASELINE, OMEGA, DEFT_2_5D"]),
                ("noxim", "routing_algorithm: ODDEVEN\n", ["did you mean 'ODD_EVEN'?"]),
                ("noxim", "selection_strategy: random\n", ["did you mean 'RANDOM'?"]),
                ("noxim", "traffic_distribution: TRAFFIC_HOTSPOTS\n", ["did you mean 'TRAFFIC_HOTSPOT'?"]),
                ("noxim", "mesh_dim_x: [4]\n", ["theirs:1:13: ", "expected a number, not a list of 1"]),
                ("noxim", "mesh_dim_x: many\n", ["theirs:1:13: ", "expected a number, not 'many'"]),
                ("noxim", "[1, 2]\n", ["expected keys and values"]),
                ("noxim", "a: [1\n", ["theirs:"]),
                ("noxim", "trace_mode: maybe\n", ["expected true or false"]),
                ("noxim", "simulation_time: 10\n", ["nothing is measured"])]:
            with self.subTest(text=text):
                self.refused("import", simulator, self.write("theirs", text), says=says)
        self.refused("import", "gem5", "theirs", says=["FORMAT", "configs/from-garnet.md"])
        self.refused("import", "garnet", says=["FORMAT", "configs/from-garnet.md"])
        self.refused("import", "spice", "theirs", says=["FORMAT", "'spice'", "booksim and noxim"])
        self.refused("import", "theirs", says=["FORMAT", "`noctule import booksim theirs`"])
        self.refused("import", "f.cfg", says=["FORMAT", "`noctule import booksim f.cfg`"])
        self.refused("import", "booksim", says=["FILE", "`noctule import booksim FILE`"])
        self.refused("import", "booksim", "a.cfg", "b.cfg", says=["FILE", "'a.cfg' and 'b.cfg'"])
        self.refused("import", "booksim", "missing.cfg", says=["missing.cfg", "give the path of a configuration of BookSim2"])
        self.refused("import", "booksim", ".", says=["."])
        self.refused("import", "booksim", self.write("theirs", b"\xff\xfe\x00"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
