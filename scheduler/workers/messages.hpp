// What a sweep and its workers say to each other: a handful of messages, each a frame of the connection on which both
// sides have proven the secret. docs/architecture/sweeps.md has the course of a conversation.
#pragma once

#include "replay/decision.hpp"
#include "replay/run_record.hpp"
#include "transport/network/frames.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::scheduler::workers {

enum class Kind : std::uint8_t { hello = 1, refusal, order, ready, leases, recall, result, alive, farewell };
inline constexpr Kind last_kind = Kind::farewell;

/// A worker says who it is.
struct Hello {
    std::string build;  ///< of dampi; all that follows is understood by the same build only
    std::string host;
    std::uint64_t process = 0;
};

/// Which engine runs an interleaving.
enum class Purpose : std::uint8_t {
    central,
    distributed,
    repeating,  ///< the distributed one, for a run that is none of the sweep's own
};
inline constexpr Purpose last_purpose = Purpose::repeating;

/// An interleaving that a worker is to run; it is nobody else's until the worker is lost.
struct Lease {
    std::uint64_t id = 0;
    Purpose purpose = Purpose::central;
    replay::Interleaving interleaving;
};

/// What came of a lease.
struct Result {
    enum class Ending : std::uint8_t {
        record,
        refused,  ///< the program has called what the centralized engine does not model: `why` is the fact
        failed,   ///< it could not be run: `why` is the sentence
    };
    std::uint64_t lease = 0;
    Ending ending = Ending::record;
    std::string why;
    replay::RunRecord record;
    std::string printed;                 ///< on standard output
    std::string printed_errors;          ///< on standard error
    std::vector<std::string> launching;  ///< RunSetup::launching(), where that has changed
};
inline constexpr Result::Ending last_ending = Result::Ending::failed;

/// A message as it is sent; throws dampi::Error where it would be too large.
[[nodiscard]] std::string encode(const Hello& hello);
/// As a list of leases comes out; what they are for may be many others' as well.
struct LeaseOf {
    std::uint64_t id = 0;
    Purpose purpose = Purpose::central;
    const replay::Interleaving* interleaving = nullptr;
};
[[nodiscard]] std::string encode(const std::vector<LeaseOf>& leases);
[[nodiscard]] std::string encode(const Result& result);
[[nodiscard]] std::string encode_recall(std::uint64_t lease);
/// `slots`: interleavings that the worker runs at the same time.
[[nodiscard]] std::string encode_ready(std::uint32_t slots);
/// Those that consist of a text, or of nothing.
[[nodiscard]] std::string encode(Kind kind, std::string_view text = {});

/// The inverse, from a message's value. They throw dampi::Error unless it is one.
[[nodiscard]] Hello decode_hello(std::string_view bytes);
[[nodiscard]] std::vector<Lease> decode_leases(std::string_view bytes);
[[nodiscard]] Result decode_result(std::string_view bytes);
[[nodiscard]] std::uint64_t decode_recall(std::string_view bytes);
[[nodiscard]] std::uint32_t decode_ready(std::string_view bytes);

/// Whether a record can be one of a run of so many processes: what is looked up by its numbers is there.
[[nodiscard]] bool is_plausible(const replay::RunRecord& record, int processes);

/// Of frames that make messages.
[[nodiscard]] inline transport::network::FrameReader message_reader(std::size_t most) {
    return {static_cast<std::uint8_t>(last_kind), most};
}
[[nodiscard]] inline Kind kind_of(const transport::network::Frame& frame) { return static_cast<Kind>(frame.kind); }

}  // namespace dampi::scheduler::workers
