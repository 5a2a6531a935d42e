#include "lib/view/page.hpp"

#include <stdexcept>

#include "base/compress/compress.hpp"
#include "lib/view/blocks.hpp"

namespace simbatch::view {
namespace {

constexpr int kLevel = 9;  // a page is read more often than written

void append_block(std::string& to, std::string_view name, std::string_view bytes) {
  to += "<script type=\"application/octet-stream\" data-block=\"";
  to += name;
  to += "\">";
  to += base64(deflated(bytes, Wrapper::none, kLevel));
  to += "</script>\n";
}

}  // namespace

std::string make_page(const PageInput& input) {
  const std::size_t mark = input.page.find(kDataMark);
  if (mark == std::string_view::npos) throw std::invalid_argument("make_page: the template has no place for data");
  const std::vector<detail::ValueBlock> values = detail::value_blocks(*input.trace);
  std::vector<std::size_t> first_devices;
  for (const detail::ValueBlock& block : values) first_devices.push_back(block.first);

  std::string page(input.page.substr(0, mark));
  if (!input.live.empty()) {
    // A replay may not connect to anything; a live page only to its own origin.
    constexpr std::string_view kNowhere = "connect-src 'none'";
    const std::size_t policy = page.find(kNowhere);
    if (policy == std::string::npos) throw std::invalid_argument("make_page: the template has no policy");
    page.replace(policy, kNowhere.size(), "connect-src 'self'");
    page += "<script type=\"application/json\" data-block=\"live\">" + input.live + "</script>\n";
  }
  page += "<script type=\"application/json\" data-block=\"head\">" + detail::page_head(input, first_devices) + "</script>\n";
  append_block(page, "steps", detail::step_block(*input.trace));
  if (input.world) {
    append_block(page, "scene", detail::scene_block(*input.world));
    append_block(page, "motion", detail::motion_block(*input.world));
  }
  for (const detail::ValueBlock& block : values) append_block(page, "values", block.bytes);
  append_block(page, "texts", detail::text_block(*input.trace));
  if (!input.expectations.empty()) append_block(page, "sides", detail::side_block(input.expectations));
  page += input.page.substr(mark + kDataMark.size());
  return page;
}

}  // namespace simbatch::view
