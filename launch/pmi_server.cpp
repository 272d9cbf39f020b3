// The protocol's commands, as MPICH 4's client sends them and hydra answers them.
#include "launch/pmi_server.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace dampi::launch {
namespace {

// What hydra announces in get_maxes; the client sizes its keys and values by these.
constexpr std::size_t max_kvs_name = 256;
constexpr std::size_t max_key = 64;
constexpr std::size_t max_value = 1024;

// The client's lines are at most 1024 bytes long.
constexpr std::size_t max_line = 8192;
// A rank that runs wild must not fill our memory; a job of a thousand ranks stores about one megabyte.
constexpr std::size_t max_stored_bytes = std::size_t{64} << 20;

/// The value of `key` in "key=value key=value ..."; up to the line's end when `to_end`, as values of the last
/// key may contain blanks.
std::optional<std::string_view> field(std::string_view line, std::string_view key, bool to_end = false) {
    std::size_t at = 0;
    while (at < line.size()) {
        while (at < line.size() && line[at] == ' ') {
            ++at;
        }
        const std::size_t end = std::min(line.find(' ', at), line.size());
        const std::string_view word = line.substr(at, end - at);
        if (word.size() > key.size() && word.substr(0, key.size()) == key && word[key.size()] == '=') {
            return to_end ? line.substr(at + key.size() + 1) : word.substr(key.size() + 1);
        }
        at = end;
    }
    return std::nullopt;
}

template <typename Integer>
std::optional<Integer> number(std::string_view text) {
    Integer value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

/// Whether the text survives as one value in a reply line.
bool is_plain(std::string_view text) { return text.find_first_of(" \n") == std::string_view::npos; }

}  // namespace

PmiServer::PmiServer(int processes, std::string kvs_name) : kvs_name_(std::move(kvs_name)) {
    DAMPI_CHECK(processes >= 1);
    DAMPI_CHECK(!kvs_name_.empty() && kvs_name_.size() < max_kvs_name);
    DAMPI_CHECK(kvs_name_.find_first_of(" =\n") == std::string::npos);
    clients_.resize(static_cast<std::size_t>(processes));
    // All ranks live on node 0: (first node 0, one node, `processes` ranks per node).
    store(values_, "PMI_process_mapping", "(vector,(0,1," + std::to_string(processes) + "))");
}

void PmiServer::receive(base::Rank rank, std::string_view bytes) {
    DAMPI_CHECK(rank >= 0 && static_cast<std::size_t>(rank) < clients_.size());
    Client& client = clients_[static_cast<std::size_t>(rank)];
    while (!bytes.empty()) {
        const std::size_t newline = bytes.find('\n');
        const std::string_view piece = bytes.substr(0, newline);
        if (!client.discarding) {
            if (client.partial.size() + piece.size() > max_line) {
                client.partial.clear();
                client.discarding = true;
            } else {
                client.partial += piece;
            }
        }
        if (newline == std::string_view::npos) {
            return;
        }
        bytes.remove_prefix(newline + 1);
        if (client.discarding) {
            client.discarding = false;
            reply(rank, "cmd=error rc=-1 msg=line_too_long\n");
            continue;
        }
        const std::string line = std::exchange(client.partial, {});
        handle_line(rank, line);
    }
}

std::vector<PmiServer::Reply> PmiServer::take_replies() { return std::exchange(replies_, {}); }

bool PmiServer::begun(base::Rank rank) const {
    DAMPI_CHECK(rank >= 0 && static_cast<std::size_t>(rank) < clients_.size());
    return clients_[static_cast<std::size_t>(rank)].begun;
}

bool PmiServer::finalized(base::Rank rank) const {
    DAMPI_CHECK(rank >= 0 && static_cast<std::size_t>(rank) < clients_.size());
    return clients_[static_cast<std::size_t>(rank)].finalized;
}

void PmiServer::handle_line(base::Rank rank, std::string_view line) {
    Client& client = clients_[static_cast<std::size_t>(rank)];
    if (client.in_spawn || field(line, "mcmd")) {
        handle_spawn_line(rank, line);
        return;
    }
    const auto command = field(line, "cmd");
    if (!command) {
        if (line.find_first_not_of(' ') != std::string_view::npos) {
            reply(rank, "cmd=error rc=-1 msg=no_command\n");
        }
        return;
    }
    client.begun = true;
    if (*command == "init") {
        const bool known = field(line, "pmi_version") == std::string_view("1");
        reply(rank, std::string("cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=") + (known ? "0\n" : "-1\n"));
    } else if (*command == "get_maxes") {
        reply(rank, "cmd=maxes kvsname_max=" + std::to_string(max_kvs_name) + " keylen_max=" + std::to_string(max_key) +
                        " vallen_max=" + std::to_string(max_value) + "\n");
    } else if (*command == "get_appnum") {
        reply(rank, "cmd=appnum appnum=0\n");
    } else if (*command == "get_my_kvsname") {
        reply(rank, "cmd=my_kvsname kvsname=" + kvs_name_ + "\n");
    } else if (*command == "get_universe_size") {
        // -1: the attribute MPI_UNIVERSE_SIZE is not set, as under mpiexec without -usize.
        reply(rank, "cmd=universe_size size=-1\n");
    } else if (*command == "put") {
        handle_put(rank, line);
    } else if (*command == "get") {
        handle_get(rank, line);
    } else if (*command == "barrier_in") {
        handle_barrier(rank);
    } else if (*command == "finalize") {
        client.finalized = true;
        reply(rank, "cmd=finalize_ack\n");
    } else if (*command == "abort") {
        // No answer, as under mpiexec: the client waits for its end. Answered, it would run its exit handlers,
        // which the program never sees otherwise.
        const auto code = field(line, "exitcode");
        if (!std::exchange(client.asked_to_abort, true)) {
            abort_requests_.push_back({rank, code ? number<int>(*code).value_or(1) : 1});
        }
    } else if (*command == "publish_name" || *command == "lookup_name" || *command == "unpublish_name") {
        handle_names(rank, *command, line);
    } else {
        reply(rank, "cmd=error rc=-1 msg=unknown_command\n");
    }
}

void PmiServer::handle_spawn_line(base::Rank rank, std::string_view line) {
    Client& client = clients_[static_cast<std::size_t>(rank)];
    if (!client.in_spawn) {
        client.in_spawn = true;
        client.spawns_total = client.spawns_so_far = 1;
        return;
    }
    if (line != "endcmd") {
        constexpr std::string_view total = "totspawns=";
        constexpr std::string_view so_far = "spawnssofar=";
        if (line.substr(0, total.size()) == total) {
            client.spawns_total = number<long>(line.substr(total.size())).value_or(1);
        } else if (line.substr(0, so_far.size()) == so_far) {
            client.spawns_so_far = number<long>(line.substr(so_far.size())).value_or(client.spawns_total);
        }
        return;
    }
    client.in_spawn = false;
    // A job's process count is fixed while it is explored, so the spawn fails with an error that the program sees.
    if (client.spawns_so_far >= client.spawns_total) {
        reply(rank, "cmd=spawn_result rc=-1 status=spawning_is_not_supported\n");
    }
}

void PmiServer::handle_put(base::Rank rank, std::string_view line) {
    const auto space = field(line, "kvsname");
    const auto key = field(line, "key");
    const auto value = field(line, "value", true);
    if (!space || *space != kvs_name_) {
        reply(rank, "cmd=put_result rc=-1 msg=unknown_kvsname\n");
    } else if (!key || !value || key->empty() || key->size() >= max_key || !is_plain(*value) ||
               !store(values_, *key, *value)) {
        reply(rank, "cmd=put_result rc=-1 msg=not_stored\n");
    } else {
        reply(rank, "cmd=put_result rc=0 msg=success\n");
    }
}

void PmiServer::handle_get(base::Rank rank, std::string_view line) {
    const auto space = field(line, "kvsname");
    const auto key = field(line, "key");
    if (!space || *space != kvs_name_) {
        reply(rank, "cmd=get_result rc=-1 msg=unknown_kvsname value=unknown\n");
        return;
    }
    const auto found = key ? values_.find(*key) : values_.end();
    if (found == values_.end()) {
        reply(rank, "cmd=get_result rc=-1 msg=key_not_found value=unknown\n");
    } else {
        reply(rank, "cmd=get_result rc=0 msg=success value=" + found->second + "\n");
    }
}

void PmiServer::handle_names(base::Rank rank, std::string_view command, std::string_view line) {
    // Service names come unquoted and may contain blanks.
    auto service = field(line, "service", true);
    if (command == "publish_name") {
        std::optional<std::string_view> port;
        if (service) {
            constexpr std::string_view separator = " port=";
            const std::size_t at = service->rfind(separator);
            if (at != std::string_view::npos) {
                port = service->substr(at + separator.size());
                service = service->substr(0, at);
            }
        }
        if (!service || !port || !is_plain(*port)) {
            reply(rank, "cmd=publish_result info=failed rc=-1 msg=malformed_request\n");
        } else if (ports_.find(*service) != ports_.end()) {
            reply(rank, "cmd=publish_result info=failed rc=-1 msg=duplicate_service\n");
        } else if (!store(ports_, *service, *port)) {
            reply(rank, "cmd=publish_result info=failed rc=-1 msg=not_stored\n");
        } else {
            reply(rank, "cmd=publish_result info=ok rc=0 msg=success\n");
        }
        return;
    }
    const auto found = service ? ports_.find(*service) : ports_.end();
    const std::string result = command == "lookup_name" ? "cmd=lookup_result" : "cmd=unpublish_result";
    if (found == ports_.end()) {
        reply(rank, result + " info=failed rc=1 msg=service_not_found\n");
    } else if (command == "lookup_name") {
        reply(rank, result + " port=" + found->second + " info=ok rc=0 msg=success\n");
    } else {
        stored_bytes_ -= found->first.size() + found->second.size();
        ports_.erase(found);
        reply(rank, result + " info=ok rc=0 msg=success\n");
    }
}

void PmiServer::handle_barrier(base::Rank rank) {
    clients_[static_cast<std::size_t>(rank)].in_barrier = true;
    for (const Client& client : clients_) {
        if (!client.in_barrier) {
            return;
        }
    }
    for (std::size_t i = 0; i < clients_.size(); ++i) {
        clients_[i].in_barrier = false;
        reply(static_cast<base::Rank>(i), "cmd=barrier_out\n");
    }
}

bool PmiServer::store(std::map<std::string, std::string, std::less<>>& table, std::string_view key,
                      std::string_view value) {
    if (value.size() > max_value) {
        return false;
    }
    const auto found = table.find(key);
    const std::size_t freed = found == table.end() ? 0 : found->first.size() + found->second.size();
    const std::size_t bytes = stored_bytes_ - freed + key.size() + value.size();
    if (bytes > max_stored_bytes) {
        return false;
    }
    stored_bytes_ = bytes;
    table.insert_or_assign(std::string(key), std::string(value));
    return true;
}

void PmiServer::reply(base::Rank rank, std::string line) { replies_.push_back({rank, std::move(line)}); }

}  // namespace dampi::launch
