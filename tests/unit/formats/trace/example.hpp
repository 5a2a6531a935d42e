#pragma once
/// A small trace for the tests.

#include <cmath>

#include "formats/trace/trace.hpp"

namespace simbatch::trace {

inline Trace example_trace(std::size_t rows = 5) {
  Trace trace;
  Header& h = trace.header;
  h.generator = "simrun 0.1.0";
  h.scenario = "scenario.xml";
  h.seed = 18446744073709551615u;
  h.dt = 1.0 / 240;
  h.steps = 40;
  h.every = 10;
  h.hash_every = 20;
  h.engine = "Bullet \"3.24\" double";
  h.mathematics = "0123456789abcdef";
  h.float_mode = "round-to-nearest";
  h.inputs = {{"scenario.xml", "00000000000000aa"}, {"robots/impreza.xml", "00000000000000bb"}};
  h.devices = {{"impreza.chassis", "Box", {{"x", "m", "W", FieldType::number}, {"y", "m", "W", FieldType::number}}},
               {"impreza.chassis.gps0",
                "GPSSensor",
                {{"latitude", "deg", "G", FieldType::number},
                 {"fix", "1", "", FieldType::integer},
                 {"sentence", "", "", FieldType::text}}},
               {"r\xc3\xa4"
                "der.a/b%c",
                "LightDevice",
                {{"intensity", "1", "", FieldType::number}}}};
  for (const Device& device : h.devices) trace.columns.emplace_back(device.fields.size());
  for (std::size_t i = 0; i < rows; ++i) {
    trace.steps.push_back(static_cast<std::int64_t>(i) * 10);
    const double t = static_cast<double>(i) + 0.1;
    trace.columns[0][0].numbers.push_back(std::sin(t) * 1e3);
    trace.columns[0][1].numbers.push_back(i % 2 == 0 ? -0.0 : 1e-300 * t);
    trace.columns[1][0].numbers.push_back(52.5 + t * 1e-7);
    trace.columns[1][1].numbers.push_back(static_cast<double>(i) * 100000);
    trace.columns[1][2].texts.push_back("$GPRMC,\"" + std::to_string(i) + "\"\\*00\r\n");
    trace.columns[2][0].numbers.push_back(1);
  }
  trace.hashes = {{0, 1}, {20, 0xfedcba9876543210u}, {40, 3}};
  trace.end = End{"complete", "", 40, 40 / 240.0, 3};
  return trace;
}

}  // namespace simbatch::trace
