#include "lib/serve/live_messages.hpp"

#include "base/json/write_json.hpp"

namespace simbatch::serve {

std::string hello_text(std::int64_t session, std::string_view page) {
  json::Writer out;
  out.open_object().key("hello").open_object().member("protocol", 1).member("session", session).member("page", page);
  return out.close().close().text();
}

std::string state_text(const LiveState& state) {
  const Pace& pace = *state.pace;
  json::Writer out;
  out.open_object().key("state").open_object();
  out.member("session", state.session).member("step", state.clock.step).member("time", state.clock.time);
  out.member("running", pace.running()).member("speed", pace.speed()).member("rate", pace.rate());
  out.key("until");
  if (pace.until())
    out.value(static_cast<double>(*pace.until()) * state.clock.dt);
  else
    out.null();
  out.member("failed", state.failed).member("settings", state.settings);
  out.member("viewers", state.viewers).member("dropped", state.dropped).member("waits_for", state.waits_for);
  return out.key("expectations").raw(state.expectations).close().close().text();
}

std::string message_text(std::string_view severity, std::string_view code, std::string_view text, std::int64_t step) {
  json::Writer out;
  out.open_object().key("message").open_object().member("severity", severity).member("code", code).member("text", text);
  return out.member("step", step).close().close().text();
}

std::string set_text(std::int64_t step, std::string_view device, std::string_view input, double value) {
  json::Writer out;
  out.open_object().key("set").open_object().member("step", step).member("device", device).member("input", input);
  return out.member("value", value).close().close().text();
}

std::string answer_text(std::optional<std::int64_t> id, std::string_view problem) {
  json::Writer out;
  out.open_object().key("answer").open_object().member("id", id).member("problem", problem);
  return out.close().close().text();
}

}  // namespace simbatch::serve
