#include "rtl/dut_shim.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>

namespace noctule {
namespace {

constexpr const char* kPrologue = R"({includes}
namespace {{
struct Finding {{ const char* file; int line; const char* text; bool loop; bool no_file; }};
struct Region {{ const unsigned char* at; std::size_t words; std::size_t first; }};
struct Self {{
  VerilatedContext context;
  std::unique_ptr<Vdut> dut;
  std::string file, text, said, partial;  // said: the last whole line that was printed
  Finding found{{nullptr, 0, nullptr, false}};
  bool dead = false;  // nothing can be evaluated any more
  int seed = 1;
  bool begun = false;
  std::vector<Region> regions;
  std::vector<std::uint64_t> ones, zeros;
{trace_member}
}};
struct Dead {{}};
// Where the state is in objects of Verilator's classes.
struct Signal {{ const char* path; std::size_t offset, size, element; unsigned width; }};
struct Layout;
struct Child {{ const char* path; std::size_t offset; const Layout* layout; }};
struct Layout {{ std::size_t bytes; const Signal* signals; const Child* children; }};
template <class T> struct Element {{ static constexpr std::size_t bytes = sizeof(T); }};
template <class T, std::size_t N> struct Element<VlUnpacked<T, N>> : Element<T> {{}};
thread_local Self* current = nullptr;

void find(const char* file, int line, const std::string& text, bool loop = false, bool no_file = false) {{
  if (current == nullptr || current->found.text != nullptr) return;
  Self& s = *current;
  s.file = file;
  s.text = text;
  s.found = {{s.file.c_str(), line, s.text.c_str(), loop, no_file}};
}}
void ours(const char* text) {{
  std::fputs(text, stderr);
  if (current == nullptr) return;
  current->partial += text;
  for (std::size_t end; (end = current->partial.find('\n')) != std::string::npos;) {{
    const std::string line = current->partial.substr(0, end);
    current->partial.erase(0, end + 1);
    // What an error says may have several lines; nothing else is said before the model stops.
    if (current->said.find("%Error") == std::string::npos || line.find("%Error") != std::string::npos)
      current->said = line;
    else
      current->said += ' ' + line;
  }}
}}
}}
// What verilated.cpp calls.
int noctule_print(const char* format, ...) {{
  char text[4096];
  va_list rest;
  va_start(rest, format);
  const int length = std::vsnprintf(text, sizeof text, format, rest);
  va_end(rest);
  ours(text);
  return length;
}}
void vl_finish(const char* file, int line, const char*) {{ find(file, line, "$finish"); }}
void vl_stop(const char* file, int line, const char*) {{
  const bool told = current != nullptr && current->said.find("%Error") != std::string::npos;
  find(file, line, told ? current->said : "$stop");
  if (current != nullptr) current->said.clear();
}}
void vl_warn(const char* file, int line, const char*, const char* text) {{
  if (std::strstr(text, "file not found") != nullptr) return find(file, line, text, false, true);
  ours(("%Warning: " + std::string(file) + ":" + std::to_string(line) + ": " + text + "\n").c_str());
}}
void vl_fatal(const char* file, int line, const char*, const char* text) {{
  find(file, line, text, std::strstr(text, "region did not converge") != nullptr);
  throw Dead();
}}
namespace {{
)";

constexpr const char* kEpilogue = R"(
std::uint64_t mixed(std::uint64_t x) {{
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}}
// Calls f(name, bytes, first bit, width) for each scalar, or word of a wide one, in an object and below it.
template <class F> void visit(const Layout& layout, unsigned char* object, const std::string& at, F& f) {{
  for (const Signal* s = layout.signals; s->path != nullptr; ++s)
    for (unsigned n = 0; n < s->size / s->element; ++n) {{
      std::string name = at + s->path;
      if (s->size != s->element) name += '[' + std::to_string(n) + ']';
      unsigned char* const element = object + s->offset + n * s->element;
      if (s->element <= 8) {{ f(name, element, s->element, 0, s->width); continue; }}
      for (unsigned bit = 0; bit < s->width; bit += 32)
        f(name, element + bit / 8, 4, bit, s->width - bit < 32 ? s->width - bit : 32);
    }}
  for (const Child* c = layout.children; c->path != nullptr; ++c) {{
    unsigned char* child;
    std::memcpy(&child, object + c->offset, sizeof child);
    if (child != nullptr) visit(*c->layout, child, at + c->path, f);
  }}
}}
template <class F> void visit_all(Vdut& dut, F f) {{
  visit(layout_Vdut___024root, reinterpret_cast<unsigned char*>(dut.rootp), "", f);
}}
// Every signal gets bits that depend on the seed and on its name, whatever else Verilator keeps.
void scatter(Vdut& dut, std::uint64_t seed) {{
  visit_all(dut, [seed](const std::string& name, unsigned char* at, std::size_t bytes, unsigned first, unsigned width) {{
    std::uint64_t h = seed + first;
    for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    const std::uint64_t value = mixed(h) & (~0ULL >> (64 - width));
    std::memcpy(at, &value, bytes);
  }});
}}
// The objects that hold the state, as words.
void regions(Self& self, const Layout& layout, unsigned char* object) {{
  self.regions.push_back({{object, layout.bytes / 8, self.ones.size()}});
  self.ones.resize(self.ones.size() + layout.bytes / 8);
  self.zeros.resize(self.ones.size());
  for (const Child* c = layout.children; c->path != nullptr; ++c) {{
    unsigned char* child;
    std::memcpy(&child, object + c->offset, sizeof child);
    if (child != nullptr) regions(self, *c->layout, child);
  }}
}}
// Runs f on the router; what its code finds is noted. True: nothing has been found so far.
template <class F> bool guarded(void* p, F f) {{
  Self& s = *static_cast<Self*>(p);
  if (s.dead) return false;
  current = &s;
  try {{ f(*s.dut); }} catch (const Dead&) {{ s.dead = true; }}
  current = nullptr;
  return s.found.text == nullptr;
}}
void* make(const char* name, std::uint64_t seed) {{
  auto* self = new Self;
  {trace_on}
  self->context.randReset(2);
  self->seed = static_cast<int>(mixed(seed) >> 33) | 1;
  self->context.randSeed(self->seed);
  current = self;
  self->dut = std::make_unique<Vdut>(&self->context, name);
  current = nullptr;
  scatter(*self->dut, mixed(seed ^ 0x6e6f6374756c65ULL));
  self->dut->clk_i = 0;
  self->dut->rst_ni = 0;
  return self;
}}
void destroy(void* p) {{ delete static_cast<Self*>(p); }}
bool reset(void* p, const std::uint64_t* in, std::uint64_t* out) {{
  return guarded(p, [&](Vdut& d) {{
    Self& s = *static_cast<Self*>(p);
    if (!s.begun) {{
      // What an 'x stands for is drawn now. What was drawn before depends on what is traced.
      Verilated::threadContextp(&s.context);
      s.context.randSeed(s.seed);
      s.begun = true;
    }}
    put(d, in);
    d.rst_ni = 0; d.eval();
    d.clk_i = 0; d.eval();
    d.clk_i = 1; d.eval();
    d.rst_ni = 1; d.eval();
    get(d, out);
  }});
}}
bool step(void* p, const std::uint64_t* in, std::uint64_t* out) {{
  return guarded(p, [&](Vdut& d) {{
    d.contextp()->timeInc(1);
    put(d, in);
    d.clk_i = 0; d.eval();
    d.clk_i = 1; d.eval();
    get(d, out);
  }});
}}
bool settle(void* p, const std::uint64_t* in, std::uint64_t* out) {{
  return guarded(p, [&](Vdut& d) {{ put(d, in); d.eval(); get(d, out); }});
}}
const Finding* finding(void* p) {{ return &static_cast<Self*>(p)->found; }}
void cover(void* p) {{
  Self& s = *static_cast<Self*>(p);
  if (s.regions.empty()) regions(s, layout_Vdut___024root, reinterpret_cast<unsigned char*>(s.dut->rootp));
  for (const Region& r : s.regions) {{
    std::uint64_t* const ones = &s.ones[r.first];
    std::uint64_t* const zeros = &s.zeros[r.first];
    for (std::size_t n = 0; n < r.words; ++n) {{
      std::uint64_t now;
      std::memcpy(&now, r.at + 8 * n, 8);
      ones[n] |= now;
      zeros[n] |= ~now;
    }}
  }}
}}
void toggles(void* p, void* user, void (*tell)(void*, const char*, unsigned, unsigned, std::uint64_t, std::uint64_t)) {{
  Self& s = *static_cast<Self*>(p);
  if (s.regions.empty()) return;
  visit_all(*s.dut, [&](const std::string& name, unsigned char* at, std::size_t bytes, unsigned first, unsigned width) {{
    for (const Region& r : s.regions) {{
      if (at < r.at || at >= r.at + 8 * r.words) continue;
      const std::size_t offset = 8 * r.first + static_cast<std::size_t>(at - r.at);
      std::uint64_t ones = 0, zeros = 0;
      std::memcpy(&ones, reinterpret_cast<const unsigned char*>(s.ones.data()) + offset, bytes);
      std::memcpy(&zeros, reinterpret_cast<const unsigned char*>(s.zeros.data()) + offset, bytes);
      tell(user, name.c_str(), first, width, ones, zeros);
    }}
  }});
}}
void open_trace(void* p, const char* file) {{ {open} (void)p; (void)file; }}
void dump(void* p, std::uint64_t time) {{ {dump} (void)p; (void)time; }}
void close_trace(void* p) {{ {close} (void)p; }}
struct Shim {{
  const char* const* absent;
  void* (*make)(const char*, std::uint64_t);
  void (*destroy)(void*);
  bool (*reset)(void*, const std::uint64_t*, std::uint64_t*);
  bool (*step)(void*, const std::uint64_t*, std::uint64_t*);
  bool (*settle)(void*, const std::uint64_t*, std::uint64_t*);
  const Finding* (*finding)(void*);
  void (*cover)(void*);
  void (*toggles)(void*, void*, void (*)(void*, const char*, unsigned, unsigned, std::uint64_t, std::uint64_t));
  void (*open_trace)(void*, const char*);
  void (*dump)(void*, std::uint64_t);
  void (*close_trace)(void*);
}};
const Shim shim{{absent, make, destroy, reset, step, settle, finding, cover, toggles, open_trace, dump, close_trace}};
}}
extern "C" __attribute__((visibility("default"))) const Shim* {entry}() {{ return &shim; }}
)";

std::string includes(bool trace) {
  std::string text;
  for (const char* file : {"<verilated.h>", "<Vdut.h>", "<cstdarg>", "<cstdint>", "<cstdio>", "<cstddef>",
                           "<cstring>", "<memory>", "<string>", "<vector>"})
    text += fmt::format("#include {}\n", file);
  if (trace) text += "#include <verilated_vcd_c.h>\n";
  return text;
}

bool is_position(const PinMap& map, std::size_t input) {
  return input < 2 * map.format().dimensions();
}

std::string copies(const PortList& ports, const std::vector<Pin>& pins, bool in) {
  std::string text;
  for (std::size_t i = 0; i < pins.size(); ++i)
    if (ports.count(pins[i].name) != 0)
      text += in ? fmt::format("  d.{} = in[{}];\n", pins[i].name, i)
                 : fmt::format("  out[{}] = d.{};\n", i, pins[i].name);
  return text;
}

}  // namespace

PortList parse_ports(const std::string& header) {
  // VL_IN8(&name,high,low), VL_OUT..., VL_INOUT...; then 16, 64, W or nothing for other widths. Of an array
  // VL_IN8((&name)[4],high,low).
  PortList ports;
  const std::string_view text = header;
  for (std::size_t at = text.find("VL_"); at != std::string_view::npos; at = text.find("VL_", at + 1)) {
    std::string_view rest = text.substr(at + 3);
    const std::string_view kind = rest.substr(0, std::min(rest.find("(&"), rest.size()));
    const std::string_view direction = kind.substr(0, kind.find_first_not_of("INOUT"));
    std::string_view type = kind.substr(direction.size());
    const bool array = type.ends_with('(');
    if (array) type.remove_suffix(1);
    if (direction != "IN" && direction != "OUT" && direction != "INOUT") continue;
    if (!type.empty() && type != "8" && type != "16" && type != "64" && type != "W") continue;
    rest.remove_prefix(std::min(kind.size() + 2, rest.size()));
    const std::string name(rest.substr(0, rest.find_first_of(",)")));
    rest.remove_prefix(std::min(rest.find(',') + 1, rest.size()));
    unsigned high = 0;
    unsigned low = 0;
    const auto upper = std::from_chars(rest.data(), rest.data() + rest.size(), high);
    if (upper.ec != std::errc{} || upper.ptr == rest.data() + rest.size()) continue;
    if (std::from_chars(upper.ptr + 1, rest.data() + rest.size(), low).ec != std::errc{}) continue;
    ports[name] = {high - low + 1, direction == "IN", direction == "INOUT", array};
  }
  return ports;
}

std::string parameter_literal(long value) {
  using Plain = std::numeric_limits<std::int32_t>;
  if (value >= Plain::min() && value <= Plain::max()) return std::to_string(value);
  return fmt::format("64'sh{:x}", static_cast<std::uint64_t>(value));
}

std::string make_harness(const PortList& ports, const PinMap& map, const std::string& top,
                         const std::map<std::string, long>& parameters) {
  std::string header;
  std::string registers;
  std::string loads;
  std::string pins;
  const auto range = [](unsigned width) {
    return width == 1 ? std::string() : fmt::format(" [{}:0]", width - 1);
  };
  const auto add = [&](const std::string& name, unsigned width, bool input, bool position) {
    if (ports.count(name) == 0) return;
    header += fmt::format("{}  {} logic{} {}", header.empty() ? "" : ",\n", input ? "input " : "output",
                          range(width), name);
    pins += fmt::format("{}      .{}({}{})", pins.empty() ? "" : ",\n", name, name, position ? "_q" : "");
    if (!position) return;
    registers += fmt::format("  logic{} {}_q;\n", range(width), name);
    loads += fmt::format("      {0}_q <= {0};\n", name);
  };
  add("clk_i", 1, true, false);
  add("rst_ni", 1, true, false);
  for (std::size_t i = 0; i < map.inputs().size(); ++i)
    add(map.inputs()[i].name, map.inputs()[i].width, true, is_position(map, i));
  for (const Pin& pin : map.outputs()) add(pin.name, pin.width, false, false);
  std::string values;
  for (const auto& [name, value] : parameters)
    values += fmt::format("{}.{}({})", values.empty() ? "" : ", ", name, parameter_literal(value));
  if (!values.empty()) values = fmt::format("#({}) ", values);
  const std::string load =
      loads.empty() ? ""
                    : fmt::format("  always_ff @(posedge clk_i)\n    if (!rst_ni) begin\n{}    end\n", loads);
  return fmt::format("module {} (\n{}\n);\n{}{}  {} {}u_{} (\n{}\n  );\nendmodule\n", kHarness, header,
                     registers, load, top, values, top, pins);
}

std::string make_shim(const PortList& ports, const PinMap& map,
                      const std::map<std::string, VerilatedClass>& classes, bool trace) {
  std::string headers = includes(trace);
  for (const auto& [name, of] : classes) headers += fmt::format("#include <{}.h>\n", name);
  std::string text = fmt::format(
      fmt::runtime(kPrologue), fmt::arg("includes", headers),
      fmt::arg("trace_member", trace ? "  VerilatedVcdC trace;\n  ~Self() { trace.close(); }" : ""));
  text += "void put(Vdut& d, const std::uint64_t* in) {\n" + copies(ports, map.inputs(), true) + "}\n";
  text += "void get(const Vdut& d, std::uint64_t* out) {\n" + copies(ports, map.outputs(), false) + "}\n";
  text += "const char* const absent[] = {";
  for (const Pin& pin : map.inputs())
    if (ports.count(pin.name) == 0) text += fmt::format("\"{}\", ", pin.name);
  text += "nullptr};\n" + make_layout(classes);
  text += fmt::format(
      fmt::runtime(kEpilogue), fmt::arg("trace_on", trace ? "self->context.traceEverOn(true);" : ""),
      fmt::arg(
          "open",
          trace ? "auto* s = static_cast<Self*>(p); s->dut->trace(&s->trace, 99); s->trace.open(file);" : ""),
      fmt::arg("dump", trace ? "static_cast<Self*>(p)->trace.dump(time);" : ""),
      fmt::arg("close", trace ? "static_cast<Self*>(p)->trace.close();" : ""), fmt::arg("entry", kShimEntry));
  return text;
}

std::string shim_template() {
  return std::string(kPrologue) + kEpilogue + kHarness;
}

}  // namespace noctule
