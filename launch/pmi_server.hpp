// The server side of MPICH's process-management protocol (PMI version 1, the "simple" wire format) for one
// job: bytes of the ranks go in, lines for the ranks come out. It does no input or output itself, so it is
// tested without processes. What a rank writes is not trusted: nonsense is ignored or answered with an error.
#pragma once

#include "base/types.hpp"
#include "launch/job_values.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::launch {

class PmiServer {
public:
    struct Reply {
        base::Rank rank = 0;
        std::string line;  ///< with its newline
    };

    /// `kvs_name` names the job's key-value space: 1 to 255 characters without blanks and '='.
    PmiServer(int processes, std::string kvs_name);

    /// Takes what came from a rank (0 <= rank < processes), in pieces of any size.
    void receive(base::Rank rank, std::string_view bytes);

    /// The replies made since the last call, in order.
    [[nodiscard]] std::vector<Reply> take_replies();

    /// In the order of their coming; of each rank the first.
    [[nodiscard]] const std::vector<AbortRequest>& abort_requests() const { return abort_requests_; }

    /// Whether it has begun to speak with us, as the MPI library does in MPI_Init.
    [[nodiscard]] bool begun(base::Rank rank) const;
    [[nodiscard]] bool finalized(base::Rank rank) const;

private:
    struct Client {
        std::string partial;      // an unfinished line
        bool discarding = false;  // the rest of an overlong line
        bool in_spawn = false;    // between mcmd=spawn and endcmd
        long spawns_total = 1;    // MPI_Comm_spawn_multiple sends one block per command, but expects
        long spawns_so_far = 1;   // a single answer after the last
        bool in_barrier = false;
        bool asked_to_abort = false;
        bool begun = false;
        bool finalized = false;
    };

    void handle_line(base::Rank rank, std::string_view line);
    void handle_spawn_line(base::Rank rank, std::string_view line);
    void handle_put(base::Rank rank, std::string_view line);
    void handle_get(base::Rank rank, std::string_view line);
    void handle_names(base::Rank rank, std::string_view command, std::string_view line);
    void handle_barrier(base::Rank rank);
    bool store(std::map<std::string, std::string, std::less<>>& table, std::string_view key, std::string_view value);
    void reply(base::Rank rank, std::string line);

    std::string kvs_name_;
    std::vector<Client> clients_;
    std::map<std::string, std::string, std::less<>> values_;
    std::map<std::string, std::string, std::less<>> ports_;  // published names
    std::size_t stored_bytes_ = 0;
    std::vector<Reply> replies_;
    std::vector<AbortRequest> abort_requests_;
};

}  // namespace dampi::launch
