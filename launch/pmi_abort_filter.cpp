#include "launch/pmi_abort_filter.hpp"

#include <charconv>
#include <cstddef>

namespace dampi::launch {
namespace {

constexpr std::string_view request = "cmd=abort";
constexpr std::string_view code_key = "exitcode=";
constexpr std::size_t longest_request = 1024;  // the protocol's longest line

}  // namespace

std::string PmiAbortFilter::pass(std::string_view bytes) {
    std::string passed;
    for (const char c : bytes) {
        if (within_other_) {
            passed += c;
            within_other_ = c != '\n';
            continue;
        }
        held_ += c;
        const bool may_be =
            held_.size() <= request.size() ? request.starts_with(held_) : held_.size() < longest_request;
        if (!may_be) {
            passed += held_;
            held_.clear();
            within_other_ = c != '\n';
        } else if (c == '\n') {
            take_abort(held_);
            held_.clear();
        }
    }
    return passed;
}

void PmiAbortFilter::take_abort(std::string_view line) {
    if (abort_code_) {
        return;
    }
    int code = 1;
    if (const auto at = line.find(code_key); at != std::string_view::npos) {
        const std::string_view number = line.substr(at + code_key.size());
        std::from_chars(number.data(), number.data() + number.size(), code);
    }
    abort_code_ = code;
}

}  // namespace dampi::launch
