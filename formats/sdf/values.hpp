#pragma once
/// Values of SDF elements, and a list of what is not read. Internal to formats/sdf.

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/xml/xml.hpp"
#include "formats/sdf/read.hpp"

namespace simbatch::sdf::file {

class Values {
 public:
  explicit Values(Diagnostics& problems) : problems_(problems) {}
  Diagnostics& problems() { return problems_; }
  void report(const Code& code, const xml::Element& at, std::string message);

  /// The text of `<parent><name>`, without blanks around it; empty if there is none.
  std::string text(const xml::Element& parent, std::string_view name) const;
  /// `count` numbers; anything else is reported and yields nothing. Nothing for an absent element.
  std::optional<std::vector<double>> numbers(const xml::Element& element, std::size_t count);
  std::optional<double> number(const xml::Element& parent, std::string_view name, const xml::Range& range = {});
  std::optional<geo::Vec3> vector(const xml::Element& parent, std::string_view name);
  bool flag(const xml::Element& parent, std::string_view name, bool fallback);
  /// <pose> of an element, with relative_to, degrees, rotation_format.
  Placement pose(const xml::Element& parent);
  /// The attribute `name`; reported if absent, empty, reserved or one of `taken`, which it joins.
  std::string name(const xml::Element& element, std::map<std::string, Position>& taken);

  /// Adds all children except the `known` ones to the list of what is not read.
  void ignore_others(const xml::Element& parent, std::initializer_list<std::string_view> known);
  void ignore(const xml::Element& element, std::string detail = {});
  /// Reports the list.
  void report_ignored();

 private:
  struct Ignored {
    Position first;
    std::size_t count = 0;
    std::string detail;
  };
  Diagnostics& problems_;
  std::map<std::string, Ignored> ignored_;  // by the parent's and the element's name
};

}  // namespace simbatch::sdf::file
