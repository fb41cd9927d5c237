#pragma once
// Message classes: packets that must not wait for each other, such as requests and responses. A class says
// which virtual channels its packets may take, and by which interface they enter and leave.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nodes/node_description.h"

namespace noctule {

inline constexpr std::size_t kMostMessageClasses = 16;
inline constexpr std::uint32_t kMostWeight = 1000;

struct MessageClass {
  std::string name;            ///< empty: the only one
  VcSelector vcs = {};         ///< on links; empty: all
  std::uint8_t interface = 0;  ///< of each terminal
  /// Packets that a terminal holds while it cannot inject what they depend on; absent: any number.
  std::optional<std::uint32_t> buffer = {};
  std::uint8_t priority = 0;  ///< at arbiters: flits of a higher one go first, always
  /// Flits per round at each link, among classes of one priority; absent: none of that priority has one,
  /// or 1.
  std::optional<std::uint32_t> weight = {};
  /// Of each terminal, by which its packets enter and leave (Topology::attachments): in a network of several
  /// planes that to the plane of this number (Planes).
  std::uint8_t attachment = 0;
};

/// Classes that arbiters treat alike. A fabric with several has arbiters for each.
struct ServiceGroup {
  std::uint8_t level = 0;    ///< 0: the highest priority
  std::uint32_t weight = 1;  ///< among the groups of the level
  std::vector<std::uint8_t> classes;
};

/// The message classes of a fabric, by number (GeneratedPacket::message_class).
///
/// A terminal has interfaces, numbered from 0: each a source queue with its injection channels, and
/// consumption channels. Classes of one interface enter and leave in one line, and wait for each other there.
class MessageClasses {
 public:
  /// One class, which may take every VC.
  MessageClasses() : classes_(1), causes_(1), service_{{0, 1, {0}}} {}
  /// Throws ConfigError "message_classes" for none or too many, for names that are no words or twice, and
  /// for an interface that no class has below one that some class has, or one that comes before one of an
  /// earlier attachment; of its key for a weight of a class whose priority no other has; and of the interface
  /// where classes of several service groups or attachments share one.
  explicit MessageClasses(std::vector<MessageClass> classes);

  [[nodiscard]] std::size_t size() const { return classes_.size(); }
  [[nodiscard]] const MessageClass& operator[](std::size_t number) const { return classes_[number]; }
  [[nodiscard]] auto begin() const { return classes_.begin(); }
  [[nodiscard]] auto end() const { return classes_.end(); }
  /// Of each terminal.
  [[nodiscard]] unsigned interfaces() const { return interfaces_; }
  /// Attachments of each terminal that they use.
  [[nodiscard]] std::size_t attachments() const { return first_interface_.size() - 1; }
  /// Of an attachment: its first interface, and how many follow from there on.
  [[nodiscard]] unsigned first_interface(std::size_t attachment) const {
    return first_interface_[attachment];
  }
  [[nodiscard]] unsigned interfaces_at(std::size_t attachment) const {
    return first_interface_[attachment + 1] - first_interface_[attachment];
  }
  /// Of an interface.
  [[nodiscard]] std::size_t attachment_of(unsigned interface) const;
  /// Is there more than the one class that is there where none is named?
  [[nodiscard]] bool named() const { return !classes_.front().name.empty(); }
  /// Does some class not have all VCs of all planes?
  [[nodiscard]] bool restricted() const;
  /// Of the interface: "request", or of several classes "request_response".
  [[nodiscard]] std::string interface_name(unsigned interface) const;
  /// The terminal that takes a packet of class `first` has to inject one of class `then` before it is done
  /// with it. Throws ConfigError "depends" where messages would cause each other without end.
  void add_dependence(std::uint8_t first, std::uint8_t then);
  /// Classes that a terminal may have to inject a packet of before it has room again for one of class c; none
  /// where it takes all that come.
  [[nodiscard]] std::vector<std::uint8_t> awaited_by(std::size_t c) const;
  [[nodiscard]] const std::vector<std::uint8_t>& causes(std::size_t c) const { return causes_[c]; }
  /// Does some terminal wait with what it takes until it has sent something?
  [[nodiscard]] bool ends_wait() const;
  /// By falling priority. Classes of one priority are one group, unless one of them has a weight: then each
  /// is a group of its own.
  [[nodiscard]] const std::vector<ServiceGroup>& service() const { return service_; }
  /// Do arbiters tell classes apart?
  [[nodiscard]] bool served_apart() const { return service_.size() > 1; }
  /// Number of the service group of a class.
  [[nodiscard]] std::size_t group_of(std::size_t c) const;
  /// The same classes, each at this attachment, by number of the class; with their interfaces numbered anew.
  [[nodiscard]] MessageClasses attached(const std::vector<std::uint8_t>& attachments) const;
  /// Throws ConfigError of `key` where no class is called so.
  [[nodiscard]] std::uint8_t number_of(const std::string& name, const std::string& key) const;

 private:
  std::vector<MessageClass> classes_;
  std::vector<std::vector<std::uint8_t>> causes_;  ///< by class: what its packets make their terminals send
  std::vector<ServiceGroup> service_;
  unsigned interfaces_ = 1;
  std::vector<unsigned> first_interface_ = {0, 1};  ///< by attachment, and one more

  void set_attachments();
  void set_service();
};

/// Numbers the interfaces of classes anew, attachment by attachment.
void number_interfaces(std::vector<MessageClass>& classes);

}  // namespace noctule
