#pragma once
// A bus-functional processor: it runs a program from a file, one transaction per load and store. The file
// says which instructions there are: sum.txt.

#include <array>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "initiator.h"

class Processor final : public Initiator {
 public:
  /// `cycle`: of an instruction, besides its transaction. Throws std::runtime_error that names file and line.
  Processor(sc_core::sc_module_name name, const std::string& file, const sc_core::sc_time& cycle)
      : Initiator(name), cycle_(cycle) {
    read_program(file);
  }
  /// It came to `halt`.
  [[nodiscard]] bool halted() const { return halted_; }

 private:
  enum class Operation { kSet, kAdd, kLoad, kStore, kUnless, kHalt };
  struct Operand {
    bool is_register = false;
    std::uint32_t value = 0;  ///< a number, or that of a register
  };
  struct Instruction {
    Operation operation{};
    std::vector<Operand> operands;
    std::string label;       ///< to go to
    std::size_t target = 0;  ///< its instruction
    std::string place;       ///< file and line
  };

  static std::optional<Operand> operand_of(const std::string& word) {
    try {
      std::size_t used = 0;
      const bool is_register = word.front() == 'r';
      const auto value = std::stoul(is_register ? word.substr(1) : word, &used, is_register ? 10 : 0);
      if (used + (is_register ? 1 : 0) != word.size() || (is_register && value > 15)) return std::nullopt;
      return Operand{is_register, static_cast<std::uint32_t>(value)};
    } catch (const std::exception&) {
      return std::nullopt;
    }
  }
  void read_program(const std::string& file) {
    static const std::map<std::string, std::pair<Operation, std::size_t>> kOperations{
        {"set", {Operation::kSet, 2}},       {"add", {Operation::kAdd, 2}},
        {"load", {Operation::kLoad, 3}},     {"store", {Operation::kStore, 3}},
        {"unless", {Operation::kUnless, 3}}, {"halt", {Operation::kHalt, 0}}};
    std::ifstream stream(file);
    if (!stream) throw std::runtime_error(file + ": cannot be read; give a program with --program");
    std::map<std::string, std::size_t> labels;
    std::string line;
    for (unsigned number = 1; std::getline(stream, line); ++number) {
      Instruction instruction;
      instruction.place = file + ":" + std::to_string(number) + ": ";
      std::istringstream words(line.substr(0, line.find('#')));
      std::string word;
      if (!(words >> word)) continue;
      while (word.back() == ':') {
        labels[word.substr(0, word.size() - 1)] = program_.size();
        if (!(words >> word)) break;
      }
      if (word.back() == ':') continue;
      const auto known = kOperations.find(word);
      if (known == kOperations.end())
        throw std::runtime_error(instruction.place + "'" + word +
                                 "' is no instruction; there are set, add, load, store, unless, halt");
      instruction.operation = known->second.first;
      std::size_t missing = known->second.second;
      for (; words >> word; --missing) {
        if (missing == 0)
          throw std::runtime_error(instruction.place + "'" + word + "' is one operand too many");
        if (instruction.operation == Operation::kUnless && missing == 1) {
          instruction.label = word;
          continue;
        }
        const auto operand = operand_of(word);
        if (!operand)
          throw std::runtime_error(instruction.place + "'" + word +
                                   "' is neither a number nor one of r0 to r15");
        instruction.operands.push_back(*operand);
      }
      if (missing > 0)
        throw std::runtime_error(instruction.place + std::to_string(missing) + " operands are missing");
      const bool writes = instruction.operation == Operation::kSet ||
                          instruction.operation == Operation::kAdd ||
                          instruction.operation == Operation::kLoad;
      if (writes && !instruction.operands[0].is_register)
        throw std::runtime_error(instruction.place + "the first operand has to be a register");
      program_.push_back(std::move(instruction));
    }
    for (Instruction& instruction : program_) {
      if (instruction.label.empty()) continue;
      const auto found = labels.find(instruction.label);
      if (found == labels.end())
        throw std::runtime_error(instruction.place + "there is no label '" + instruction.label + "'");
      instruction.target = found->second;
    }
  }

  [[nodiscard]] std::uint32_t value_of(const Operand& operand) const {
    return operand.is_register ? registers_[operand.value] : operand.value;
  }
  void run() override {
    for (std::size_t next = 0; next < program_.size();) {
      const Instruction& now = program_[next++];
      const auto value = [&](std::size_t n) { return value_of(now.operands[n]); };
      spend(cycle_);
      switch (now.operation) {
        case Operation::kSet:
          registers_[now.operands[0].value] = value(1);
          break;
        case Operation::kAdd:
          registers_[now.operands[0].value] += value(1);
          break;
        case Operation::kLoad:
          if (!read(value(1) + value(2), &registers_[now.operands[0].value], 4)) return;
          break;
        case Operation::kStore: {
          const std::uint32_t word = value(0);
          if (!write(value(1) + value(2), &word, 4)) return;
          break;
        }
        case Operation::kUnless:
          if (value(0) != value(1)) next = now.target;
          break;
        case Operation::kHalt:
          halted_ = true;
          return;
      }
    }
  }

  sc_core::sc_time cycle_;
  std::vector<Instruction> program_;
  std::array<std::uint32_t, 16> registers_{};
  bool halted_ = false;
};
