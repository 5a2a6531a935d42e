// Files that Collada and glTF files name.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "apps/objconv/scene_names.hpp"

using simbatch::objconv::names_in_scene;
using Names = std::vector<std::string>;

TEST_CASE("scene names: images of Collada, not what effects call them") {
  CHECK(names_in_scene(
            "<images><image id='a'><init_from>\n../a%20b.png </init_from></image><image><init_from><ref> c&amp;.png</ref>"
            "</init_from></image><surface><init_from>d</init_from></surface><image><data/></image>",
            ".dae", 9) == Names{"../a b.png", "c&.png"});
  CHECK(names_in_scene("<image><init_from>a", ".dae", 9).empty());
  CHECK(names_in_scene("<image></init_from><init_from></image>", ".dae", 9).empty());
}

TEST_CASE("scene names: addresses of glTF, but for data") {
  CHECK(names_in_scene(
            R"({"uri" : "a.bin"}, {"uri":"b\/c%2B.png"}, {"uri":"data:;base64,AA"}, {"uri":3}, {"uri":"a.bin"}, "uri")",
            ".gltf", 9) == Names{"a.bin", "b/c+.png"});
  CHECK(names_in_scene(R"("uri":"a)", ".glb", 9).empty());
  CHECK(names_in_scene(R"("uri":"a","uri":"b","uri":"c")", ".gltf", 1) == Names{"a", "b"});
}
