#include "lib/sim/tree/tree.hpp"

#include <doctest/doctest.h>

#include "lib/sim/tree/codes.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::sim;

namespace {
const std::shared_ptr<const NodeType> kRobot = make_type("Robot", {});
const std::shared_ptr<const NodeType> kPart = make_type("Box", {{"x", "m", "W"}, {"y", "m", "W"}, {"z", "m", "W"}});
const std::shared_ptr<const NodeType> kSensor =
    make_type("GPSSensor", {{"sentence", "", "", FieldType::text}, {"latitude", "deg", "G"}});

class Sentence final : public TreeNode {
 public:
  explicit Sentence(std::string name) : TreeNode(std::move(name), kSensor) {}
  void text(std::size_t, std::span<const double> values, std::string& out) const override {
    out += values[0] > 0 ? "north" : "south";
  }
};

std::unique_ptr<TreeNode> node(std::string name, std::shared_ptr<const NodeType> type, Source source = {}) {
  return std::make_unique<TreeNode>(std::move(name), std::move(type), std::move(source));
}
}  // namespace

TEST_CASE("tree: registered children are called parent.child, and the root finds them by that name") {
  SimulationTree tree;
  Diagnostics problems;
  TreeNode* robot = tree.register_child(node("impreza", kRobot), problems);
  TreeNode* part = robot->register_child(node("chassis", kPart), problems);
  TreeNode* device = part->register_child(std::make_unique<Sentence>("gps0"), problems);
  CHECK(problems.empty());
  CHECK(device->name() == "impreza.chassis.gps0");
  CHECK(device->local_name() == "gps0");
  CHECK(tree.find("impreza.chassis.gps0") == device);
  CHECK(tree.find("impreza.chassis") == part);
  CHECK(tree.find("gps0") == nullptr);
  CHECK(tree.find("") == nullptr);
  CHECK(tree.nodes().size() == 3);
}

TEST_CASE("tree: a name with a dot or a blank is an error at its place") {
  SimulationTree tree;
  Diagnostics problems;
  CHECK(tree.register_child(node("a.b", kRobot, {"robot.xml", {2, 1}}), problems) == nullptr);
  CHECK(tree.nodes().empty());
  test::Expected expected(problems);
  expected.take(tree_code::kName, Position{2, 1});
}

TEST_CASE("tree: a subtree may be put together before it is registered") {
  SimulationTree tree;
  Diagnostics problems;
  auto robot = node("r", kRobot);
  TreeNode* part = robot->register_child(node("p", kPart), problems);
  CHECK(part->name() == "r.p");
  CHECK(part->values().empty());
  tree.register_child(std::move(robot), problems);
  CHECK(tree.find("r.p") == part);
  CHECK(part->values().size() == 3);
}

TEST_CASE("tree: a duplicate name is an error naming both places, and the tree stays as it was") {
  SimulationTree tree;
  Diagnostics problems;
  TreeNode* robot = tree.register_child(node("r", kRobot), problems);
  TreeNode* first = robot->register_child(node("p", kPart, {"robot.xml", {3, 5}}), problems);
  CHECK(robot->register_child(node("p", kPart, {"robot.xml", {9, 5}}), problems) == nullptr);
  CHECK(tree.find("r.p") == first);
  CHECK(robot->children().size() == 1);
  CHECK(tree.bank().size() == 3);
  test::Expected expected(problems);
  CHECK(expected.take(tree_code::kDuplicate, Position{9, 5}).find("\"r.p\"") != std::string::npos);
  expected.take(tree_code::kDuplicate, Position{3, 5});
}

TEST_CASE("tree: the bit stream holds the nodes' numbers depth-first and nothing else, and reads back") {
  const auto build = [](SimulationTree& tree) {
    Diagnostics problems;
    TreeNode* a = tree.register_child(node("a", kRobot), problems);
    TreeNode* a1 = a->register_child(node("p", kPart), problems);
    TreeNode* a2 = a->register_child(node("q", kPart), problems);
    a1->register_child(std::make_unique<Sentence>("gps"), problems);  // registered last, but serialized second
    return std::pair{a1, a2};
  };
  SimulationTree tree;
  const auto [p, q] = build(tree);
  for (std::size_t i = 0; i < tree.bank().size(); ++i) tree.bank()[i] = 0.1 * static_cast<double>(i) - 0.25;
  std::string bytes;
  BitWriter writer(bytes);
  tree.to_bit_stream(writer);
  CHECK(bytes.size() == tree.bit_stream_size());
  CHECK(bytes.size() == 7 * 8);
  BitReader numbers(bytes);
  double value = 0;
  for (int i = 0; i < 4; ++i) CHECK(numbers.number(value));
  CHECK(value == tree.find("a.p.gps")->values()[0]);

  SimulationTree again;
  build(again);
  BitReader reader(bytes);
  CHECK(again.from_bit_stream(reader));
  CHECK(reader.rest().empty());
  CHECK(again.printed() == tree.printed());
  // A stream that is truncated anywhere is reported.
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    BitReader cut(std::string_view(bytes).substr(0, size));
    CHECK_FALSE(again.from_bit_stream(cut));
  }
  CHECK(p->name() == "a.p");
  CHECK(q->name() == "a.q");
}

TEST_CASE("tree: printing shows names, kinds, values with units, and texts") {
  SimulationTree tree;
  Diagnostics problems;
  TreeNode* robot = tree.register_child(node("r", kRobot), problems);
  TreeNode* part = robot->register_child(node("p", kPart), problems);
  TreeNode* device = part->register_child(std::make_unique<Sentence>("gps"), problems);
  part->values()[1] = 1.5;
  device->values()[0] = 52.25;
  CHECK(tree.printed() ==
        "r (Robot)\n"
        "  r.p (Box): x=0 m, y=1.5 m, z=0 m\n"
        "    r.p.gps (GPSSensor): sentence=\"north\", latitude=52.25 deg\n");
}

TEST_CASE("tree: names and patterns") {
  for (std::string_view name : {"psd0", "third_person",
                                "r\xc3\xa4"
                                "der"})
    CHECK(is_node_name(name));
  for (std::string_view name : {"", "a.b", "a b", "a\n", "\xff"}) CHECK_FALSE(is_node_name(name));
  struct Row {
    std::string_view pattern, name;
    bool matches;
  };
  for (const Row& row : {Row{"*", "a.b.c", true},
                         {"a.*", "a.b.c", true},
                         {"*.psd?", "r.c.psd0", true},
                         {"*.psd?", "r.c.psd10", false},
                         {"", "", true},
                         {"", "a", false},
                         {"*a*b*", "xxaxxbx", true},
                         {"*a*b*", "xxbxxa", false},
                         {"a**", "a", true}}) {
    CAPTURE(row.pattern);
    CAPTURE(row.name);
    CHECK(glob_matches(row.pattern, row.name) == row.matches);
  }
  CHECK(is_chosen({}, "a.b"));  // no patterns: all
  CHECK(is_chosen(std::vector<std::string>{"x", "a.*"}, "a.b"));
  CHECK_FALSE(is_chosen(std::vector<std::string>{"x", "b.*"}, "a.b"));
}

TEST_CASE("tree: bit stream texts end in a zero") {
  std::string bytes;
  BitWriter writer(bytes);
  writer.text("Wheel");
  writer.integer(7);
  CHECK(bytes == std::string("Wheel\0\7\0\0\0\0\0\0\0", 14));
  BitReader reader(bytes);
  std::string text;
  std::uint64_t n = 0;
  CHECK(reader.text(text));
  CHECK(reader.integer(n));
  CHECK(text == "Wheel");
  CHECK(n == 7);
  CHECK_FALSE(reader.integer(n));
  CHECK(reader.failed());
}
