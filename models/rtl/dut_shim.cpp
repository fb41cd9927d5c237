#include "rtl/dut_shim.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/error.h"

namespace noctule {
namespace {

constexpr const char* kKey = "nodes";

constexpr const char* kPrologue = R"({includes}
namespace {{
struct Self {{
  VerilatedContext context;
  std::unique_ptr<Vdut> dut;
{trace_member}
}};
)";

constexpr const char* kEpilogue = R"(
void* make(const char* name) {{
  auto* self = new Self;
  {trace_on}
  self->dut = std::make_unique<Vdut>(&self->context, name);
  return self;
}}
void destroy(void* p) {{ delete static_cast<Self*>(p); }}
void reset(void* p, const std::uint64_t* in, std::uint64_t* out) {{
  Vdut& d = *static_cast<Self*>(p)->dut;
  put(d, in);
  d.rst_ni = 1; d.clk_i = 0; d.eval();
  d.rst_ni = 0; d.eval();
  d.clk_i = 1; d.eval();
  d.clk_i = 0; d.eval();
  d.rst_ni = 1; d.eval();
  get(d, out);
}}
void step(void* p, const std::uint64_t* in, std::uint64_t* out) {{
  Vdut& d = *static_cast<Self*>(p)->dut;
  put(d, in);
  d.clk_i = 0; d.eval();
  d.clk_i = 1; d.eval();
  get(d, out);
}}
void settle(void* p, const std::uint64_t* in, std::uint64_t* out) {{
  Vdut& d = *static_cast<Self*>(p)->dut;
  put(d, in); d.eval(); get(d, out);
}}
void open_trace(void* p, const char* file) {{ {open} (void)p; (void)file; }}
void dump(void* p, std::uint64_t time) {{ {dump} (void)p; (void)time; }}
struct Shim {{
  const char* const* absent;
  void* (*make)(const char*);
  void (*destroy)(void*);
  void (*reset)(void*, const std::uint64_t*, std::uint64_t*);
  void (*step)(void*, const std::uint64_t*, std::uint64_t*);
  void (*settle)(void*, const std::uint64_t*, std::uint64_t*);
  void (*open_trace)(void*, const char*);
  void (*dump)(void*, std::uint64_t);
}};
const Shim shim{{absent, make, destroy, reset, step, settle, open_trace, dump}};
}}
extern "C" __attribute__((visibility("default"))) const Shim* {entry}() {{ return &shim; }}
)";

std::string includes(bool trace) {
  std::string text;
  for (const char* file : {"<verilated.h>", "<Vdut.h>", "<cstdint>", "<memory>"})
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
  // VL_IN8(&name,high,low), VL_OUT..., VL_INOUT...; then 16, 64, W or nothing for other widths.
  PortList ports;
  const std::string_view text = header;
  for (std::size_t at = text.find("VL_"); at != std::string_view::npos; at = text.find("VL_", at + 1)) {
    std::string_view rest = text.substr(at + 3);
    const std::string_view kind = rest.substr(0, std::min(rest.find("(&"), rest.size()));
    const std::string_view direction = kind.substr(0, kind.find_first_not_of("INOUT"));
    const std::string_view type = kind.substr(direction.size());
    if (direction != "IN" && direction != "OUT" && direction != "INOUT") continue;
    if (type != "" && type != "8" && type != "16" && type != "64" && type != "W") continue;
    rest.remove_prefix(std::min(kind.size() + 2, rest.size()));
    const std::string name(rest.substr(0, rest.find(',')));
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    unsigned high = 0;
    unsigned low = 0;
    const auto upper = std::from_chars(rest.data(), rest.data() + rest.size(), high);
    if (upper.ec != std::errc{} || upper.ptr == rest.data() + rest.size()) continue;
    if (std::from_chars(upper.ptr + 1, rest.data() + rest.size(), low).ec != std::errc{}) continue;
    ports[name] = {high - low + 1, direction == "IN"};
  }
  return ports;
}

void check_ports(const PortList& ports, const PinMap& map, const std::string& top) {
  std::vector<Diagnostic> wrong;
  const auto complain = [&](std::string text) {
    wrong.push_back({kKey, fmt::format("module {}: {}", top, text), {}});
  };
  PortList known{{"clk_i", {}}, {"rst_ni", {}}};
  const auto expect = [&](const std::string& name, unsigned width, bool input, bool optional) {
    known[name] = {width, input};
    const auto it = ports.find(name);
    const char* const direction = input ? "input" : "output";
    if (it == ports.end()) {
      if (!optional) complain(fmt::format("{} {} of {} bit(s) is missing", direction, name, width));
    } else if (it->second.input != input) {
      complain(fmt::format("{} has to be an {}", name, direction));
    } else if (it->second.width != width) {
      complain(fmt::format("{} has {} bit(s), {} are needed here; set the widths by parameters", name,
                           it->second.width, width));
    }
  };
  expect("clk_i", 1, true, false);
  expect("rst_ni", 1, true, false);
  for (std::size_t i = 0; i < map.inputs().size(); ++i)
    expect(map.inputs()[i].name, map.inputs()[i].width, true, is_position(map, i));
  for (const Pin& pin : map.outputs()) expect(pin.name, pin.width, false, false);
  for (const auto& [name, port] : ports)
    if (port.input && known.count(name) == 0)
      complain(fmt::format(
          "input {} is not one of the interface, and nothing would drive it; tie it in a wrapper", name));
  if (!wrong.empty()) throw ConfigError(std::move(wrong));
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
    values += fmt::format("{}.{}({})", values.empty() ? "" : ", ", name, value);
  if (!values.empty()) values = fmt::format("#({}) ", values);
  const std::string load =
      loads.empty() ? ""
                    : fmt::format("  always_ff @(posedge clk_i)\n    if (!rst_ni) begin\n{}    end\n", loads);
  return fmt::format("module {} (\n{}\n);\n{}{}  {} {}u_{} (\n{}\n  );\nendmodule\n", kHarness, header,
                     registers, load, top, values, top, pins);
}

std::string make_shim(const PortList& ports, const PinMap& map, bool trace) {
  std::string text = fmt::format(
      fmt::runtime(kPrologue), fmt::arg("includes", includes(trace)),
      fmt::arg("trace_member", trace ? "  VerilatedVcdC trace;\n  ~Self() { trace.close(); }" : ""));
  text += "void put(Vdut& d, const std::uint64_t* in) {\n" + copies(ports, map.inputs(), true) + "}\n";
  text += "void get(const Vdut& d, std::uint64_t* out) {\n" + copies(ports, map.outputs(), false) + "}\n";
  text += "const char* const absent[] = {";
  for (const Pin& pin : map.inputs())
    if (ports.count(pin.name) == 0) text += fmt::format("\"{}\", ", pin.name);
  text += "nullptr};\n";
  text += fmt::format(
      fmt::runtime(kEpilogue), fmt::arg("trace_on", trace ? "self->context.traceEverOn(true);" : ""),
      fmt::arg(
          "open",
          trace ? "auto* s = static_cast<Self*>(p); s->dut->trace(&s->trace, 99); s->trace.open(file);" : ""),
      fmt::arg("dump", trace ? "static_cast<Self*>(p)->trace.dump(time);" : ""),
      fmt::arg("entry", kShimEntry));
  return text;
}

std::string shim_template() {
  return std::string(kPrologue) + kEpilogue + kHarness;
}

}  // namespace noctule
