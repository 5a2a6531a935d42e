// One Coordinate3 and an IndexedFaceSet for each color: accepted by every reader of Inventor 2.1.
#include "base/core/number.hpp"
#include "formats/inventor/inventor.hpp"

namespace simbatch::inventor {

std::string write_inventor(const Mesh& mesh) {
  std::string out =
      "#Inventor V2.1 ascii\n\nSeparator {\n  ShapeHints {\n    vertexOrdering COUNTERCLOCKWISE\n  }\n"
      "  Coordinate3 {\n    point [\n";
  for (const Point& p : mesh.points) {
    out += "      ";
    for (std::size_t i = 0; i < 3; ++i) {
      append_number(out, p[i]);
      out += i < 2 ? " " : ",\n";
    }
  }
  out += "    ]\n  }\n";
  for (const Part& part : mesh.parts) {
    out += "  Material {\n    diffuseColor";
    // A float's shortest text would suffice; the double's is also exact.
    for (const float c : part.color) {
      char buffer[32];
      out += ' ';
      out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, c).ptr);
    }
    out += "\n  }\n  IndexedFaceSet {\n    coordIndex [\n";
    for (std::size_t i = part.first; i < part.first + part.count; ++i) {
      out += "      ";
      for (const std::uint32_t corner : mesh.triangles[i]) (out += number_text(corner)) += ", ";
      out += "-1,\n";
    }
    out += "    ]\n  }\n";
  }
  out += "}\n";
  return out;
}

}  // namespace simbatch::inventor
