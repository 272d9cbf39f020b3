#include "launch/rank_plan.hpp"

#include <charconv>
#include <cstddef>
#include <fstream>

namespace dampi::launch {
namespace {

constexpr std::string_view plan_magic = "dampi-rank plan 1";

void add(std::string& bytes, std::string_view text) { bytes.append(text).push_back('\0'); }
void add(std::string& bytes, std::size_t number) { add(bytes, std::to_string(number)); }

class Fields {
public:
    explicit Fields(std::string_view bytes) : left_(bytes) {}

    std::string text() {
        const auto end = left_.find('\0');
        good_ = good_ && end != std::string_view::npos;
        if (!good_) {
            return {};
        }
        std::string result(left_.substr(0, end));
        left_.remove_prefix(end + 1);
        return result;
    }
    /// No more than there are bytes left, when it counts fields.
    std::uint32_t number(std::size_t most) {
        const std::string digits = text();
        std::uint32_t result = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result);
        good_ = good_ && error == std::errc{} && end == digits.data() + digits.size() && result <= most;
        return good_ ? result : 0;
    }
    [[nodiscard]] std::size_t left() const { return left_.size(); }
    [[nodiscard]] bool good() const { return good_; }

private:
    std::string_view left_;
    bool good_ = true;
};

}  // namespace

std::string to_bytes(const RankPlan& plan) {
    std::string bytes;
    add(bytes, plan_magic);
    add(bytes, plan.token);
    add(bytes, plan.job);
    add(bytes, static_cast<std::size_t>(plan.processes));
    for (const std::string* text :
         {&plan.working_directory, &plan.program, &plan.reports, &plan.output, &plan.error_output}) {
        add(bytes, *text);
    }
    add(bytes, plan.arguments.size());
    for (const std::string& argument : plan.arguments) {
        add(bytes, argument);
    }
    add(bytes, plan.environment.size());
    for (const auto& [name, value] : plan.environment) {
        add(bytes, name);
        add(bytes, value);
    }
    return bytes;
}

std::optional<RankPlan> plan_from(std::string_view bytes) {
    Fields fields(bytes);
    if (fields.text() != plan_magic) {
        return std::nullopt;
    }
    RankPlan plan;
    plan.token = fields.text();
    plan.job = fields.number(UINT32_MAX);
    plan.processes = static_cast<int>(fields.number(INT32_MAX));
    for (std::string* text :
         {&plan.working_directory, &plan.program, &plan.reports, &plan.output, &plan.error_output}) {
        *text = fields.text();
    }
    for (std::uint32_t count = fields.number(fields.left()); count > 0 && fields.good(); --count) {
        plan.arguments.push_back(fields.text());
    }
    for (std::uint32_t count = fields.number(fields.left()); count > 0 && fields.good(); --count) {
        std::string name = fields.text();
        plan.environment.emplace_back(std::move(name), fields.text());
    }
    if (!fields.good() || fields.left() != 0 || plan.arguments.empty()) {
        return std::nullopt;
    }
    return plan;
}

std::string machine_name() {
    std::string name;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> name;
    return name.empty() ? "unknown" : name;
}

std::string host_name() {
    std::string name;
    std::ifstream("/proc/sys/kernel/hostname") >> name;
    return name.empty() ? "a machine without a name" : name;
}

}  // namespace dampi::launch
