// The buffers of receives whose requests the program has freed while they were pending. It will never be told that such
// a message is there, and can know of it from other messages only: so the buffer is the receive's until a call has
// begun and ended, after the receive, from which the program may have learned something of other ranks. (That does not
// hang on when the message comes.)
#pragma once

#include "piggyback/rank/buffers/pending.hpp"
#include "piggyback/rank/requests.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace dampi::piggyback {

class FreedReceives {
public:
    /// The program frees the request of this receive, which is pending: takes its buffers over.
    void take(PendingBuffers& pending, Request& request) {
        // Of several that have one handle nobody knows which one the program means.
        const bool is_certain = request.next_with_same_handle == nullptr;
        std::vector<PendingUse> uses;
        request.release_buffers([&](const PendingUse& each) {
            if (is_certain && each.since == pending.lessons && each.use.array == nullptr) {
                uses.push_back(each);
            }
        });
        for (const PendingUse& each : uses) {
            held_.add(pending, each.use, each.function, each.site);
            holds_ = true;
        }
        since_ = pending.lessons;
    }

    /// The program calls this MPI function, whose name ends with zeros (Function::name).
    void enters_call(PendingBuffers& pending, const char* function) {
        if (holds_ && since_ != pending.lessons) [[unlikely]] {
            held_.release();
            holds_ = false;
        }
        if (!only_begins(function)) {
            ++pending.lessons;
        }
    }

private:
    /// The letters behind "MPI_", or the first of them. With each call: so they are compared at once.
    static consteval std::uint64_t word_of(const char* letters) {
        std::array<char, sizeof(std::uint64_t)> word{};
        for (std::size_t i = 0; i < word.size() && letters[i] != '\0'; ++i) {
            word[i] = letters[i];
        }
        return std::bit_cast<std::uint64_t>(word);
    }

    static bool only_begins(const char* function) {
        constexpr std::size_t behind_prefix = 4;
        std::uint64_t word = 0;
        std::memcpy(&word, function + behind_prefix, sizeof word);
        return word == word_of("Irecv") || word == word_of("Isend") || word == word_of("Ibsend") ||
               word == word_of("Issend") || word == word_of("Irsend") ||
               (word == word_of("Request_free") && std::strcmp(function, "MPI_Request_free") == 0);
    }

    HeldBuffers held_;
    bool holds_ = false;
    std::uint64_t since_ = 0;  ///< PendingBuffers::lessons
};

}  // namespace dampi::piggyback
