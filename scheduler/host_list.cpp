#include "scheduler/host_list.hpp"

#include "base/check.hpp"

#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

constexpr std::uint32_t most_slots = 4096;

std::optional<HostLine> parse_host(const std::string& word) {
    HostLine host{word.substr(0, word.rfind(':')), 0};
    if (host.host.empty() || host.host.front() == '-') {
        return std::nullopt;
    }
    if (host.host.size() != word.size()) {
        const char* const end = word.data() + word.size();
        const auto [stopped, error] = std::from_chars(word.data() + host.host.size() + 1, end, host.slots);
        if (error != std::errc{} || stopped != end || host.slots == 0 || host.slots > most_slots) {
            return std::nullopt;
        }
    }
    return host;
}

}  // namespace

std::vector<HostLine> read_hosts(const std::filesystem::path& file, const std::string& option) {
    std::ifstream in(file);
    if (!in) {
        throw Error("the hosts of " + option + " cannot be read from " + file.string());
    }
    std::vector<HostLine> hosts;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        std::istringstream words(line.substr(0, line.find('#')));
        std::string word;
        std::string more;
        if (!(words >> word)) {
            continue;
        }
        const auto host = words >> more ? std::nullopt : parse_host(word);
        if (!host) {
            throw Error(fmt::format("line {} of {} is not HOST or HOST:SLOTS: '{}'", number, file.string(), line));
        }
        hosts.push_back(*host);
    }
    if (hosts.empty()) {
        throw Error(file.string() + " names no host for " + option);
    }
    return hosts;
}

std::vector<HostLine> parse_hosts(const std::string& text, const std::string& option) {
    std::vector<HostLine> hosts;
    std::istringstream words(text + ',');
    for (std::string word; std::getline(words, word, ',');) {
        const auto host = parse_host(word);
        if (!host || word.find_first_of(" \t") != std::string::npos) {
            throw Error("the option " + option + " needs HOST or HOST:N, several with commas, not '" + text + "'");
        }
        hosts.push_back(*host);
    }
    return hosts;
}

}  // namespace dampi::scheduler
