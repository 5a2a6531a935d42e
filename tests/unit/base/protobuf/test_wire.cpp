// Expected bytes: the examples of https://protobuf.dev/programming-guides/encoding, and what protoc 3.21 writes.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/protobuf/descriptor.hpp"
#include "base/protobuf/wire.hpp"

using namespace simbatch::protobuf;

namespace {

std::string problem_of(std::string_view bytes) {
  try {
    Reader in(bytes);
    for (Field field; in.next(field);) continue;
  } catch (const ReadFault& fault) {
    return std::string(fault.message) + " at " + std::to_string(fault.offset);
  }
  return "none";
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes)
    for (const int shift : {4, 0}) text += "0123456789abcdef"[static_cast<unsigned char>(c) >> shift & 15];
  return text;
}

}  // namespace

TEST_CASE("protobuf: scalars have the bytes of the specification's examples") {
  std::string out;
  Writer writer(out);
  writer.whole(1, 150);
  CHECK(out == "\x08\x96\x01");
  out.clear();
  writer.text(2, "testing");
  CHECK(out == "\x12\x07testing");
  out.clear();
  const std::size_t opened = writer.open(3);
  writer.whole(1, 150);
  writer.close(opened);
  CHECK(out == "\x1a\x03\x08\x96\x01");
  out.clear();
  writer.number(1, 1.0);
  CHECK(out == std::string("\x09\0\0\0\0\0\0\xf0\x3f", 9));
  out.clear();
  writer.fixed32(16, 1);
  CHECK(out == std::string("\x85\x01\x01\0\0\0", 6));
}

TEST_CASE("protobuf: what is zero is left out, but the sign of a zero stays") {
  std::string out;
  Writer writer(out);
  writer.whole(1, 0);
  writer.number(2, 0.0);
  writer.text(3, "");
  writer.fixed32(4, 0);
  writer.numbers(5, {});
  CHECK(out.empty());
  writer.number(2, -0.0);
  CHECK(out.size() == 9);
  writer.numbers(5, std::vector<double>{0.0, 1.0});
  CHECK(out.size() == 9 + 2 + 16);
  Reader in(out);
  Field field;
  REQUIRE(in.next(field));
  CHECK(field.number == 2);
  CHECK(std::signbit(field.real()));
  REQUIRE(in.next(field));
  CHECK(field.bytes.size() == 16);
  CHECK(!in.next(field));
}

TEST_CASE("protobuf: messages within messages, of any length") {
  for (const std::size_t length : {0u, 1u, 125u, 126u, 127u, 128u, 20000u, 3000000u}) {
    const std::string text(length, 'x');
    std::string out;
    Writer writer(out);
    const std::size_t outer = writer.open(1), inner = writer.open(2);
    writer.text(3, text);
    writer.close(inner);
    writer.whole(4, std::numeric_limits<std::uint64_t>::max());
    writer.close(outer);
    Reader file(out);
    Field a, b, c;
    REQUIRE(file.next(a));
    CHECK(!file.next(b));
    Reader message(a.bytes);
    REQUIRE(message.next(b));
    Reader within(b.bytes);
    if (length > 0) {
      REQUIRE(within.next(c));
      CHECK(c.bytes == text);
    }
    CHECK(!within.next(c));
    REQUIRE(message.next(b));
    CHECK(b.whole == std::numeric_limits<std::uint64_t>::max());
  }
}

TEST_CASE("protobuf: a message of numbers is what its fields one by one give") {
  for (const std::vector<double>& values :
       {std::vector<double>{}, {0.0, 0.0}, {1.5, 0.0, -0.0, 4e300}, std::vector<double>(13, 0.1)}) {
    std::string together, single;
    Writer(together).message_of_numbers(21, values);
    Writer writer(single);
    const std::size_t opened = writer.open(21);
    for (std::size_t i = 0; i < values.size(); ++i) writer.number(static_cast<std::uint32_t>(i + 1), values[i]);
    writer.close(opened);
    CHECK(together == single);
  }
}

TEST_CASE("protobuf: broken bytes are refused, and where") {
  CHECK(problem_of("") == "none");
  CHECK(problem_of("\x08") == "a message of protobuf ends within a number at 1");
  CHECK(problem_of("\x09\x01") == "a message of protobuf ends within a number at 1");
  CHECK(problem_of("\x12\x05"
                   "four") == "a field of protobuf is longer than its message at 2");
  CHECK(problem_of(std::string("\x00\x01", 2)) == "a field of protobuf has a number out of range at 0");
  CHECK(problem_of("\x0b") == "a field of protobuf has an unknown wire type at 0");
  CHECK(problem_of("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02") == "a number of protobuf has more than 64 bits at 11");
  CHECK(problem_of("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01") == "none");
  CHECK(problem_of("\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01") == "a field of protobuf is longer than its message at 11");
}

TEST_CASE("protobuf: a descriptor has the bytes that protoc writes") {
  // protoc --include_imports --descriptor_set_out, of: syntax = "proto3"; package p; message M { double a_b = 1; repeated double c = 2;
  // E e = 3; enum E { NONE = 0; ONE = 1; } }
  const FileType file{
      "m.proto",
      "p",
      {},
      {{"M",
        {{"a_b", 1, FieldKind::number}, {"c", 2, FieldKind::number, {}, true}, {"e", 3, FieldKind::enumeration, ".p.M.E"}},
        {},
        {{"E", {{"NONE", 0}, {"ONE", 1}}}}}}};
  CHECK(
      hex(descriptor_set({file})) ==
      "0a660a076d2e70726f746f12017022500a014d120f0a03615f6218012001280152026142120c0a016318022003280152016312140a016518032001280e32062e702e4d2e"
      "4552016522160a014512080a044e4f4e45100012070a034f4e451001620670726f746f33");
}
