// The hosts over which the ranks of each run of a sweep are spread, as dampi-run has them: which ranks are where, a
// dampi-node on each other host, which is started by a remote shell when it is first needed and stays, and its
// connections, the lanes, on each of which one run goes on at a time. A node that is lost is started again for the next
// run. All ends with this.
#pragma once

#include "base/check.hpp"
#include "base/types.hpp"
#include "transport/network/link.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace dampi::scheduler::hosts {

/// The ranks of one host, one after the other.
struct HostRanks {
    std::string name;
    base::Rank first = 0;
    int count = 0;
    bool here = false;  ///< it is this machine: they are started by dampi-run itself

    [[nodiscard]] bool has(base::Rank rank) const { return rank >= first && rank < first + count; }
};

/// A node is gone, or its connection, in the middle of a run: what the ranks there would have done is not known.
class HostLost : public Error {
public:
    using Error::Error;
};

struct HostsSettings {
    std::vector<HostRanks> layout;
    std::uint32_t lanes = 1;
    std::string build;           ///< Hello::build of nodes that are accepted
    std::string sweep;           ///< Order::sweep
    std::filesystem::path node;  ///< dampi-node
    std::string shell = "ssh";   ///< the command in ssh's place, split at blanks
    /// Told, in a sentence, of each node that was lost; by several threads.
    std::function<void(const std::string&)> lost = [](const std::string& /*what*/) {};
};

class Hosts {
public:
    /// A connection with the node of a host, for one run.
    struct Lane {
        std::size_t host = 0;  ///< its place in the layout
        std::uint64_t incarnation = 0;
        std::unique_ptr<transport::network::Link> link;
    };
    /// One of each other host, in the order of the layout.
    using Lanes = std::vector<Lane>;

    /// Throws dampi::Error when it cannot listen.
    explicit Hosts(HostsSettings settings);
    ~Hosts();
    Hosts(const Hosts&) = delete;
    Hosts& operator=(const Hosts&) = delete;

    [[nodiscard]] const std::vector<HostRanks>& layout() const;
    /// Where the rank is, in the layout.
    [[nodiscard]] std::size_t host_of(base::Rank rank) const;
    /// Of the host that this is, or of none.
    [[nodiscard]] std::uint32_t own_number() const;
    [[nodiscard]] bool has_ranks_here() const { return own_number() < layout().size(); }
    /// Where the ranks are, which hosts were lost, and how the ranks there were started, as the nodes have said last;
    /// line by line.
    [[nodiscard]] std::vector<std::string> launching() const;
    void note_launching(std::size_t host, std::vector<std::string> lines);

    // By several threads:

    /// Waits until there is one of each; empty: nobody wants them any more. Throws dampi::Error, in a sentence, when a
    /// host does not come or refuses, or is lost again and again.
    [[nodiscard]] Lanes take(const std::stop_token& stop);
    /// After a run that came to its end on all of them.
    void put_back(Lanes lanes);
    /// The node of this lane is lost, and all that it has to do with. `why`: a sentence's part.
    void lose(const Lane& lane, const std::string& why);

private:
    class Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace dampi::scheduler::hosts
