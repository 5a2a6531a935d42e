#pragma once
/// Access to one BuildData block for the typed readers and writers of this room. Internal to formats/autosim.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/xml/xml.hpp"
#include "formats/autosim/codes.hpp"
#include "formats/autosim/common.hpp"

namespace simbatch::autosim::detail {

/// True if `name` may be a part of a device's full name: not empty, no '.', blank or control character.
bool is_usable_name(std::string_view name);
/// `, did you mean "chassis"?` or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

/// Names that must be unique, with the place of their first use.
class NameTable {
 public:
  /// Reports a duplicate with a note at the first place.
  void add(const std::string& name, Position at, std::string_view what, Diagnostics& diagnostics);
  /// Adds a name silently; the first position is kept.
  void remember(std::string name, Position at) { places_.emplace(std::move(name), at); }
  /// Position of the name's first use; the name must be known.
  Position position(std::string_view name) const { return places_.find(name)->second; }
  bool contains(std::string_view name) const { return places_.find(name) != places_.end(); }
  std::vector<std::string_view> names() const;

 private:
  std::map<std::string, Position, std::less<>> places_;
};

enum class Named { required, optional };

/// One block: its name attribute and its parameters. All errors are reported; a getter returns its fallback for an absent or
/// invalid parameter. finish() reports parameters that were never read.
class BlockReader {
 public:
  BlockReader(const xml::Element& element, Diagnostics& diagnostics, Named named = Named::required);
  /// @param default_name  of a block without a name; empty: a name is required
  BlockReader(const xml::Element& element, Diagnostics& diagnostics, std::string_view default_name);
  /// True if no error has been found in this block so far.
  bool ok() const { return diagnostics_.errors() == errors_before_ && missing_.empty(); }
  const std::string& name() const { return name_; }
  SourcePlace place() const { return SourcePlace{reader_.element().position()}; }
  xml::ElementReader& reader() { return reader_; }
  Diagnostics& diagnostics() { return diagnostics_; }

  bool has(std::string_view tag) const { return static_cast<bool>(reader_.element().first_child(tag)); }
  /// `<Tag value="1.5"/>`
  double required_number(std::string_view tag, const xml::Range& range = {});
  double number(std::string_view tag, double fallback, const xml::Range& range = {});
  std::optional<double> optional_number(std::string_view tag, const xml::Range& range = {});
  /// `<Tag value="true"/>`
  bool required_boolean(std::string_view tag);
  /// `<Tag x="0" y="0" z="0"/>`; an absent attribute is an error.
  Vector3 required_vector(std::string_view tag, const xml::Range& each = {});
  Vector3 vector(std::string_view tag, Vector3 fallback, const xml::Range& each = {});
  std::optional<Vector3> optional_vector(std::string_view tag, const xml::Range& each = {});
  /// A vector that must not be 0.
  Vector3 required_direction(std::string_view tag);
  Vector3 direction(std::string_view tag, Vector3 fallback);
  std::optional<Vector3> optional_direction(std::string_view tag);
  /// `<Tag attribute="text"/>`
  std::string required_text(std::string_view tag, std::string_view attribute);
  std::optional<std::string> optional_text(std::string_view tag, std::string_view attribute);
  /// `<Tag path="models/impreza" type="3ds"/>`
  std::optional<Model> model(std::string_view tag = "Model");
  /// Reports at a parameter, or at the block if it is absent.
  void report(const Code& code, std::string_view tag, std::string message);
  /// An element that the block needs; its absence is reported by finish().
  /// @param attributes  by which one of another name is taken for it
  std::optional<xml::Element> required_child(std::string_view tag, std::vector<std::string_view> attributes = {}) {
    return parameter(tag, true, std::move(attributes));
  }
  /// Reports what is unknown, and what is missing. An unknown element that is like a missing one is one error with it.
  void finish();

 private:
  struct Missing {
    std::string tag;
    std::vector<std::string_view> attributes;  ///< that it has
  };
  /// The missing one that an unknown element seems to be meant for: nearly the same name, or the same attributes.
  std::vector<Missing>::iterator meant_by(const xml::Element& unknown);
  void read_name();
  std::optional<xml::Element> parameter(std::string_view tag, bool required, std::vector<std::string_view> attributes = {});
  std::optional<double> read_number(std::string_view tag, bool required, const xml::Range& range);
  std::optional<std::string> read_text(std::string_view tag, std::string_view attribute, bool required);
  std::optional<Vector3> read_vector(std::string_view tag, bool required, const xml::Range& each, bool nonzero);

  Diagnostics& diagnostics_;
  std::size_t errors_before_;
  xml::ElementReader reader_;
  std::string name_;
  std::vector<Missing> missing_;
};

/// Reads the parameters of a shape of that kind: Size, or Radius and Length, or File.
Shape read_shape(BlockReader& block, Shape::Kind kind);
/// Opens a configuration file and checks its root element; empty (and reported) if it cannot be used.
std::optional<xml::Document> open_document(std::string_view text, const std::string& file_name, std::string_view root_name,
                                           Diagnostics& diagnostics);
/// Reports an element that is unknown in its place, with the nearest of `known`. @param home  the element that has it, if any
void report_unknown(const xml::Element& element, std::span<const std::string_view> known, Diagnostics& diagnostics,
                    std::string_view home = {});
/// The kind of body that an element name means.
std::optional<Shape::Kind> shape_kind(std::string_view element_name);
std::string_view shape_name(Shape::Kind kind);

/// Writers of blocks and single parameters; "unless" omits values equal to their default.
void start_block(xml::Writer& writer, std::string_view type, std::string_view name);
void write_number_unless(xml::Writer& writer, std::string_view tag, double value, double fallback);
void write_vector_unless(xml::Writer& writer, std::string_view tag, const Vector3& value, const Vector3& fallback);
void write_number(xml::Writer& writer, std::string_view tag, double value);
void write_number(xml::Writer& writer, std::string_view tag, const std::optional<double>& value);
void write_flag(xml::Writer& writer, std::string_view tag, bool value);
void write_vector(xml::Writer& writer, std::string_view tag, const Vector3& value);
void write_vector(xml::Writer& writer, std::string_view tag, const std::optional<Vector3>& value);
void write_text(xml::Writer& writer, std::string_view tag, std::string_view attribute, std::string_view value);
void write_model(xml::Writer& writer, std::string_view tag, const Model& model);
void write_shape(xml::Writer& writer, const Shape& shape);

}  // namespace simbatch::autosim::detail
