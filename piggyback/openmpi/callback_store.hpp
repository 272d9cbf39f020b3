// Functions of the program's of one kind, each with one of ours that MPI calls in its place, where MPI hands on nothing
// that tells which function is meant.
#pragma once

#include <array>
#include <cstdio>
#include <mutex>
#include <utility>

#include <unistd.h>

namespace dampi::piggyback::openmpi {

/// `Ours::call<i>` is what is called instead of the i-th, `users[i]`; too many of them end the program with a sentence.
template <typename User, typename Library, typename Ours>
class CallbackStore {
public:
    static constexpr std::size_t room = 256;

    Library* function_for(User* user) {
        static constexpr auto functions = make(std::make_index_sequence<room>());
        const std::lock_guard lock(mutex_);
        for (std::size_t i = 0; i < room; ++i) {
            if (users[i] == nullptr || users[i] == user) {
                users[i] = user;
                return functions[i];
            }
        }
        std::fprintf(stderr, "dampi: the program has more than %zu different functions as %s\n", room, Ours::what);
        _exit(125);
    }

    static inline std::array<User*, room> users{};

private:
    template <std::size_t... indices>
    static constexpr std::array<Library*, room> make(std::index_sequence<indices...>) {
        return {&Ours::template call<indices>...};
    }

    std::mutex mutex_;
};

}  // namespace dampi::piggyback::openmpi
