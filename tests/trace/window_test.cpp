// Does a waveform show what was asked for, and only that? Windows, globs, files, tools.

#include <cstdlib>
#include <set>

#include "support/vcd_reader.h"
#include "trace/gtkw.h"
#include "trace/trace_support.h"

namespace noctule::trace_test {
namespace {

using Waveforms = TraceTest;

TEST_F(Waveforms, OfAWindowAreTheSameWindowOfTheWhole) {
  Fabric fabric("fabric", linked(plan(4, true, "star_channels"), 2, 1), observed());
  auto source = random_packets(16, 6, 10, 9);
  source->add(400, 3, 9, 4);  // after a long silence
  fabric.attach(source);
  const std::vector<CycleWindow> windows{{0, kNever}, {37, 50},   {0, 60},
                                         {260, 40},   {290, 130}, {405, kNever}};
  std::vector<std::unique_ptr<Waveform>> waveforms;
  ObserverList observers;
  for (std::size_t w = 0; w < windows.size(); ++w) {
    const std::string name = file("w" + std::to_string(w) + ".vcd");
    waveforms.push_back(std::make_unique<Waveform>(name, fabric, std::vector<std::string>{"*"}, windows[w]));
    observers.add(*waveforms.back());
  }
  fabric.observe(observers);
  run(61);  // in two pieces
  run(439);
  for (auto& waveform : waveforms) waveform->close();
  ASSERT_TRUE(fabric.drained());
  const test::VcdFile whole(file("w0.vcd"));
  EXPECT_EQ(whole.dumped_at, 0U);
  EXPECT_EQ(whole.end(), 500U);
  for (std::size_t w = 1; w < windows.size(); ++w) {
    const test::VcdFile part(file("w" + std::to_string(w) + ".vcd"));
    const Cycle end = std::min<Cycle>(windows[w].end(), 500);
    EXPECT_EQ(part.dumped_at, windows[w].from);
    EXPECT_EQ(part.end(), end);
    ASSERT_EQ(part.signals.size(), whole.signals.size());
    for (const auto& [name, signal] : whole.signals) ASSERT_EQ(signal.dense(0, 500).size(), 500U);
    for (const auto& [name, signal] : part.signals)
      for (Cycle t = windows[w].from; t < end; ++t)
        ASSERT_EQ(signal.text_at(t), whole[name].text_at(t)) << name << " at " << t << " in window " << w;
  }
}

TEST_F(Waveforms, ThatNoCycleFallsInAreEmptyButWellFormed) {
  Fabric fabric("fabric", plan(3, false, "dimension_order"), observed());
  TraceSession session({file("a.vcd"), "", "", {"router_0_0"}, {1000, 10}}, fabric);
  run(20);
  session.close();
  const test::VcdFile vcd(file("a.vcd"));
  EXPECT_FALSE(vcd.signals.empty());
  EXPECT_TRUE(vcd.times.empty());
}

TEST_F(Waveforms, OfASilentFabricAreAtRest) {
  Fabric fabric("fabric", plan(3, false, "dimension_order"), observed());
  TraceSession session({file("a.vcd"), "", "", {"*"}, {5, kNever}}, fabric);
  run(20);
  session.close();
  const test::VcdFile vcd(file("a.vcd"));
  EXPECT_EQ(vcd.dumped_at, 5U);
  EXPECT_EQ(vcd.end(), 20U);
  for (const auto& [name, signal] : vcd.signals) EXPECT_EQ(signal.changes.size(), 1U) << name;
}

TEST_F(Waveforms, ShowWhatGlobsChoose) {
  Fabric fabric("fabric", plan(3, false, "dimension_order"), observed());
  const auto chosen = [&](const std::vector<std::string>& globs) {
    const Waveform waveform(file("g.vcd"), fabric, globs, {});
    std::set<std::string> names;
    for (const auto& s : waveform.signals()) names.insert(s.scope + "." + s.name);
    EXPECT_EQ(names.size(), waveform.signals().size());
    return names;
  };
  const auto all = chosen({"*"});
  EXPECT_GT(all.size(), 500U);
  const auto those = [&](const std::function<bool(const std::string&)>& wanted) {
    std::set<std::string> names;
    for (const auto& name : all)
      if (wanted(name)) names.insert(name);
    EXPECT_FALSE(names.empty());
    return names;
  };
  const auto of_1_2 = those([](const auto& n) { return n.starts_with("fabric.router_1_2."); });
  EXPECT_EQ(chosen({"router_1_2.*"}), of_1_2);
  EXPECT_EQ(chosen({"router_1_2"}), of_1_2);
  EXPECT_EQ(chosen({"fabric.router_1_2"}), of_1_2);
  EXPECT_EQ(chosen({"fabric"}), all);
  EXPECT_EQ(chosen({"router_*.link_*"}), those([](const auto& n) { return n.find(".link_") != n.npos; }));
  EXPECT_EQ(chosen({"router_[02]_0.crossbar"}), those([](const auto& n) {
              return n.starts_with("fabric.router_0_0.crossbar.") ||
                     n.starts_with("fabric.router_2_0.crossbar.");
            }));
  EXPECT_EQ(chosen({"*.state", "router_0_0.vc_allocator"}), those([](const auto& n) {
              return n.ends_with(".state") || n.starts_with("fabric.router_0_0.vc_allocator.");
            }));
  EXPECT_EQ(chosen({"router_0_0.link_0.valid"}),
            those([](const auto& n) { return n == "fabric.router_0_0.link_0.valid"; }));
  for (const auto& globs :
       std::vector<std::vector<std::string>>{{"router_9_9"}, {"*", "router_0_0.lnk_0"}, {}}) {
    try {
      chosen(globs);
      ADD_FAILURE() << "accepted";
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.diagnostics().at(0).key, "trace.scope");
      const std::string last = globs.empty() ? "" : globs.back();
      EXPECT_NE(std::string(error.what()).find(last), std::string::npos);
    }
  }
}

TEST_F(Waveforms, UseTheNamesOfTheModules) {
  Fabric fabric("fabric", plan(4, true, "four_classes"), observed());
  const Waveform waveform(file("a.vcd"), fabric, {"*"}, {});
  std::set<std::string> blocks;
  for (const auto& s : waveform.signals()) {
    auto end = s.scope.find('.', s.scope.find('.') + 1);
    end = s.scope.find('.', end + 1);
    blocks.insert(s.scope.substr(0, end));
  }
  // Per router: injection, consumption, 2 x buffers, 8 x (allocator, crossbar), 4 links.
  EXPECT_EQ(blocks.size(), 16U * (4 + 16 + 4));
  for (const auto& block : blocks) EXPECT_NE(sc_core::sc_find_object(block.c_str()), nullptr) << block;
}

TEST_F(Waveforms, KeepTimeInThePeriodOfTheFabric) {
  auto options = observed();
  options.period = sc_core::sc_time(2.5, sc_core::SC_NS);
  Fabric fabric("fabric", plan(3, false, "dimension_order"), options);
  TraceSession session({file("a.vcd"), "", "", {"router_0_0"}, {2, 3}}, fabric);
  run(25);  // ns: 10 cycles
  session.close();
  const test::VcdFile vcd(file("a.vcd"));
  EXPECT_EQ(vcd.timescale, "100 ps");
  EXPECT_EQ(vcd.dumped_at, 50U);
  EXPECT_EQ(vcd.end(), 125U);
}

TEST_F(Waveforms, SaveFileGroupsEverySignalAndTranslatesNumbers) {
  Fabric fabric("fabric", plan(3, true, "star_channels"), observed());
  TraceSession session({file("a.vcd"), file("a.gtkw"), "", {"router_1_1", "router_0_0.link_*"}, {}}, fabric);
  run(5);
  session.close();
  const test::VcdFile vcd(file("a.vcd"));
  std::ifstream in(file("a.gtkw"));
  std::set<std::string> listed, translations;
  std::vector<std::string> groups, tops, blocks;
  unsigned translated = 0;
  for (std::string line, flags; std::getline(in, line);) {
    if (line.starts_with("@"))
      flags = line;
    else if (line.starts_with("-")) {
      const bool opens = flags == "@c00200" || flags == "@800200";
      if (opens) {
        if (groups.empty()) tops.push_back(line);
        if (groups.size() == 1) blocks.push_back(line);
        groups.push_back(line);
      } else {
        ASSERT_FALSE(groups.empty());
        EXPECT_EQ(groups.back(), line);
        groups.pop_back();
      }
    } else if (line.starts_with("^1 ")) {
      EXPECT_EQ(flags, "@2024");
      translations.insert(line.substr(3));
    } else if (line.starts_with("fabric.")) {
      const auto name = line.substr(0, line.find('['));
      EXPECT_TRUE(listed.insert(name).second) << line;
      const unsigned bits = vcd[name].bits;
      EXPECT_EQ(line, bits == 1 ? name : name + "[" + std::to_string(bits - 1) + ":0]");
      translated += flags == "@2024" ? 1 : 0;
      EXPECT_EQ(groups.size(), std::count(line.begin(), line.end(), '.') > 3 ? 3U : 2U) << line;
    } else if (line.starts_with("[dumpfile]")) {
      EXPECT_EQ(line, "[dumpfile] \"a.vcd\"");
    }
  }
  EXPECT_TRUE(groups.empty());
  EXPECT_EQ(tops, (std::vector<std::string>{"-router_0_0", "-router_1_1"}));
  EXPECT_EQ(listed.size(), vcd.signals.size());
  EXPECT_GT(translated, 50U);
  const std::vector<std::string> order{"-injection", "-input_buffers", "-vc_allocator", "-crossbar",
                                       "-output_buffers"};
  ASSERT_GT(blocks.size(), 10U);
  EXPECT_EQ(std::vector<std::string>(blocks.begin() + 4, blocks.begin() + 9), order);
  EXPECT_EQ(blocks.back(), "-consumption");
  for (const auto& t : translations) {
    EXPECT_TRUE(t.starts_with("gtkwave/a/")) << t;
    EXPECT_TRUE(std::filesystem::exists(folder_ / t)) << t;
  }
  EXPECT_EQ(text_of(file("gtkwave/a/state.txt")), "0 idle\n1 waiting\n2 connected\n3 blocked\n");
  EXPECT_EQ(text_of(file("gtkwave/a/type.txt")), "0 none\n1 head\n2 body\n3 tail\n4 single\n");
  const auto& outputs = fabric.plan().routers[4]->outputs;
  EXPECT_NE(text_of(file("gtkwave/a/outputs.txt")).find("0 " + outputs[0].name + "\n"), std::string::npos);
  EXPECT_EQ(session.files().size(), 2 + translations.size());
}

/// Names of what lies in a folder.
std::set<std::string> names_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

TEST_F(Waveforms, HelperFilesOfTheViewerAreInAFolderOfTheirOwn) {
  Fabric fabric("fabric", plan(3, true, "star_channels"), observed());
  const auto write = [&](const std::string& stem, const std::string& scope) {
    return TraceSession({file(stem + ".vcd"), file(stem + ".gtkw"), "", {scope}, {}}, fabric).files();
  };
  const auto files = write("a", "*");
  write("a.b", "*");
  EXPECT_EQ(names_in(folder_), (std::set<std::string>{"a.vcd", "a.gtkw", "a.b.vcd", "a.b.gtkw", "gtkwave"}));
  EXPECT_EQ(names_in(folder_ / "gtkwave"), (std::set<std::string>{"a", "a.b"}));
  EXPECT_EQ(names_in(translation_folder(file("a.gtkw"))).size(), files.size() - 2);
  // Of an earlier, larger waveform nothing stays.
  const auto fewer = write("a", "router_0_0.*.state");
  EXPECT_LT(fewer.size(), files.size());
  EXPECT_EQ(names_in(translation_folder(file("a.gtkw"))).size(), fewer.size() - 2);
}

TEST_F(Waveforms, SaveFileWithoutAFolderNamesFilesBesideIt) {
  Fabric fabric("fabric", plan(3, false, "dimension_order"), observed());
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  TraceSession session({"b.vcd", "b.gtkw", "", {"router_0_0"}, {}}, fabric);
  std::filesystem::current_path(before);
  const auto text = text_of(file("b.gtkw"));
  EXPECT_NE(text.find("[dumpfile] \"b.vcd\"\n[savefile] \"b.gtkw\"\n"), std::string::npos);
  EXPECT_NE(text.find("\n^1 gtkwave/b/type.txt\n"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "gtkwave/b/type.txt"));
}

TEST_F(Waveforms, AreAcceptedByGtkwavesOwnReader) {
  if (std::system("command -v vcd2fst >/dev/null && command -v fst2vcd >/dev/null") != 0)
    GTEST_SKIP() << "vcd2fst and fst2vcd (Debian package gtkwave) are not installed";
  Fabric fabric("fabric", plan(4, true, "linder_harden"), observed());
  fabric.attach(random_packets(16, 10, 10, 3));
  TraceSession session({file("a.vcd"), "", "", {"*"}, {20, 60}}, fabric);
  run(100);
  session.close();
  const std::string there = "vcd2fst " + file("a.vcd") + " " + file("a.fst") + " >/dev/null 2>&1";
  const std::string back = "fst2vcd " + file("a.fst") + " -o " + file("b.vcd") + " >/dev/null 2>&1";
  ASSERT_EQ(std::system(there.c_str()), 0);
  ASSERT_EQ(std::system(back.c_str()), 0);
  const test::VcdFile ours(file("a.vcd"));
  // Their dialect of the same thing: read it without our own promises.
  std::map<std::string, std::string> name_of, value;
  std::vector<std::string> scopes;
  std::ifstream in(file("b.vcd"));
  std::uint64_t t = 0;
  std::size_t compared = 0;
  const auto compare = [&] {
    for (const auto& [name, text] : value) {
      ASSERT_EQ(text, ours[name].text_at(t)) << name << " at " << t;
      ++compared;
    }
  };
  const auto shorten = [](std::string digits) {
    if (digits.find_first_not_of('z') == digits.npos) return std::string("z");
    digits.erase(0, std::min(digits.find('1'), digits.size() - 1));
    return digits;
  };
  bool changes = false;
  for (std::string line; std::getline(in, line);) {
    std::stringstream words(line);
    std::string a, b, c, d, e;
    words >> a >> b >> c >> d >> e;
    if (a == "$scope") {
      scopes.push_back(c);
    } else if (a == "$upscope") {
      scopes.pop_back();
    } else if (a == "$var") {
      std::string name;
      for (const auto& s : scopes) name += s + ".";
      name_of[d] = name + e;
    } else if (a == "$enddefinitions") {
      changes = true;
    } else if (!changes || a.empty() || a[0] == '$') {
      continue;
    } else if (a[0] == '#') {
      ASSERT_NO_FATAL_FAILURE(compare());
      t = std::stoull(a.substr(1));
    } else if (a[0] == 'b') {
      value[name_of.at(b)] = shorten(a.substr(1));
    } else {
      value[name_of.at(a.substr(1))] = a[0];
    }
  }
  EXPECT_EQ(value.size(), ours.signals.size());
  EXPECT_GT(compared, ours.signals.size() * 50);
}

}  // namespace
}  // namespace noctule::trace_test
