// An outside program: reads one file of each kind, changes nothing, writes it, reads that, and compares.
// Usage: tour KIND FILE OUTPUT; exit code 1 if the file has errors or does not come back.
#include <cstdio>
#include <fstream>
#include <simbatch/base/core/input.hpp>
#include <simbatch/formats/cajunbot/cajunbot.hpp>
#include <simbatch/formats/graspit/graspit.hpp>
#include <simbatch/formats/medusa/medusa.hpp>
#include <simbatch/formats/osm/read.hpp>
#include <simbatch/formats/osm/write.hpp>
#include <simbatch/formats/rndf/rndf.hpp>
#include <string>
#include <string_view>

namespace {

void print(const simbatch::Diagnostics& problems) {
  for (const simbatch::Diagnostic& problem : problems.items()) std::fprintf(stderr, "%s\n", simbatch::to_text(problem).c_str());
}

void save(const std::string& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

/// Reads, writes and reads again. @param read  from text and name @param write  to text
template <class Read, class Write>
bool comes_back(const std::string& file, const std::string& output, Read read, Write write) {
  const simbatch::Input input = simbatch::Input::open(file);
  const auto first = read(input.text(), file);
  print(first.diagnostics);
  if (!first.ok()) return false;
  const std::string text = write(*first.value);
  save(output, text);
  const auto second = read(std::string_view(text), output);
  return second.ok() && *second.value == *first.value;
}

bool osm_comes_back(const std::string& file, const std::string& output) {
  const auto first = simbatch::osm::read_file(file);
  print(first.diagnostics);
  if (!first.ok()) return false;
  simbatch::osm::write_file(first.value->model, output);
  const auto second = simbatch::osm::read_file(output);
  return second.ok() && second.value->model.node_count() == first.value->model.node_count() &&
         second.value->model.ways.size() == first.value->model.ways.size();
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  const std::string kind = words[1], file = words[2], output = words[3];
  bool same = false;
  try {
    if (kind == "osm")
      same = osm_comes_back(file, output);
    else if (kind == "v1")
      same = comes_back(
          file, output, [](auto text, auto& name) { return simbatch::cajunbot::read_v1(text, name); },
          [](const auto& objects) { return simbatch::cajunbot::write_v1(objects, {.extras = true}); });
    else if (kind == "rndf")
      same = comes_back(
          file, output, [](auto text, auto& name) { return simbatch::rndf::read_rndf(text, name); },
          [](const auto& network) { return simbatch::rndf::write_rndf(network); });
    else if (kind == "mission")
      same = comes_back(
          file, output, [](auto text, auto& name) { return simbatch::medusa::read_mission(text, name); },
          [](const auto& mission) { return simbatch::medusa::write_mission(mission); });
    else if (kind == "graspit")
      same = comes_back(
          file, output,
          [](auto text, auto& name) { return simbatch::graspit::read_cfg(text, simbatch::graspit::Reading::loader, name); },
          [](const auto& robot) { return simbatch::graspit::write_cfg(robot); });
    else
      return 2;
  } catch (const simbatch::IoError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
  return same ? 0 : 1;
}
