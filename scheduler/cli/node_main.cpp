// dampi-node: runs ranks of a program on this host for a dampi-run on another one, which has started it (--hosts).
// Joins its sweep, checks that it would run the same program in the same way, and works until that dampi-run is gone.

#include "base/check.hpp"
#include "scheduler/cli/command.hpp"
#include "scheduler/cli/engine_settings.hpp"
#include "scheduler/cli/joining.hpp"
#include "scheduler/cli/worker_order.hpp"
#include "scheduler/engines/engines.hpp"
#include "scheduler/engines/hosts/messages.hpp"
#include "scheduler/engines/hosts/node.hpp"
#include "scheduler/workers/exit_status.hpp"
#include "transport/network/link.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

namespace {

using namespace dampi;
using namespace dampi::scheduler;
using namespace dampi::scheduler::hosts;
using transport::network::Link;
namespace fs = std::filesystem;

constexpr const char* secret_variable = "DAMPI_NODE_SECRET";
constexpr std::chrono::seconds patience{30};
constexpr std::chrono::seconds silence{30};  ///< of a machine that is lost

std::unique_ptr<Link> connect(const transport::network::Address& address, const std::string& secret) {
    auto link = std::make_unique<Link>(
        address, secret,
        transport::network::Joining{.who = "node", .last_kind = static_cast<std::uint8_t>(hosts::last_kind)}, patience);
    link->lose_after(silence);
    return link;
}

/// Throws dampi::Error where dampi-run refuses this node, with its reason.
std::optional<Order> introduce(Link& link, const Hello& hello) {
    link.send(encode(hello));
    if (link.receive(patience) != Link::Heard::message) {
        return std::nullopt;
    }
    if (link.message().kind == static_cast<std::uint8_t>(Kind::refusal)) {
        throw Error("dampi-run refuses this node: " + decode<Refusal>(link.message().bytes).why);
    }
    if (link.message().kind != static_cast<std::uint8_t>(Kind::order)) {
        return std::nullopt;
    }
    return decode<Order>(link.message().bytes);
}

/// Until one of the connections is gone; then all go.
void serve(const std::list<std::unique_ptr<Link>>& links, RunSetup& setup, const NodePart& part) {
    std::vector<std::jthread> lanes;
    for (const auto& link : links) {
        lanes.emplace_back([&] {
            try {
                serve_lane(*link, setup, part);
            } catch (const std::exception& error) {
                std::cerr << fmt::format("dampi-node: {}\n", error.what());
            }
            for (const auto& each : links) {
                each->hang_up();
            }
        });
    }
}

int work(const std::string& join, const std::string& secret_file, std::uint32_t number) {
    const transport::network::Address address = transport::network::parse_address(join);
    const std::string secret = secret_of_join(secret_file, secret_variable);
    const fs::path layer = find_part("libdampi.so", {DAMPI_LAYER_FROM_BUILT_RUN, DAMPI_LAYER_FROM_INSTALLED_RUN});
    const fs::path run = find_part("dampi-run", {"dampi-run"});
    Hello hello{.build = worker_build("/proc/self/exe", layer), .host = own_host(), .number = number, .lane = 0};
    std::list<std::unique_ptr<Link>> links;
    links.push_back(connect(address, secret));
    Link& first = *links.front();
    const auto order = introduce(first, hello);
    if (!order) {
        std::cerr << "dampi-node: dampi-run has ended, or does not answer\n";
        return workers::exit_gone;
    }
    std::optional<SettledRequest> request;
    try {
        request = follow_order(order->sweep, run, layer);
        const int processes = request->options.processes;
        if (order->first < 0 || order->ranks == 0 || order->first + static_cast<int>(order->ranks) > processes) {
            throw Error("the order of dampi-run is damaged");
        }
    } catch (const Error& error) {
        first.send(encode(Refusal{error.what()}));
        std::cerr << "dampi-node: " << error.what() << '\n';
        return workers::exit_refused;
    }
    const OwnFolder folder("dampi-node.");
    fs::create_directories(folder.path() / "output");
    RunSetup setup(settings_of_central(engine_settings(*request, folder.path() / "output", {}, layer)));
    const NodePart part{.first = order->first, .ranks = static_cast<int>(order->ranks), .host = number};
    first.send(encode(Ready{}));
    for (hello.lane = 1; hello.lane < order->lanes; ++hello.lane) {
        links.push_back(connect(address, secret));
        links.back()->send(encode(hello));
    }
    serve(links, setup, part);
    return workers::exit_sent_away;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Runs ranks of a program on this host, for a dampi-run on another one. That dampi-run was\n"
        "given --hosts and starts it by itself.\n"};
    app.name("dampi-node");
    std::string join;
    std::string secret_file;
    std::uint32_t number = 0;
    app.add_option("--join", join, "Where dampi-run is")->type_name("HOST[,HOST...]:PORT")->required();
    app.add_option("--secret-file", secret_file,
                   fmt::format("The secret of its sweep; - is standard input (default: ${})", secret_variable))
        ->type_name("FILE");
    app.add_option("--number", number, "Which of the hosts this is")->type_name("N")->required();
    app.set_version_flag("--version", "dampi-node " DAMPI_VERSION);
    return run_command(app, argc, argv, [&] { return work(join, secret_file, number); });
}
