// Looks at ranks through the boards that the light layer writes (transport/watch/watch_board.hpp): reads memory and a
// few files of the kernel's, stops nobody. What stands in a board comes from a program that may have overwritten it, so
// every number is checked before it is used.
#pragma once

#include "base/unique_fd.hpp"
#include "scheduler/watch/look.hpp"
#include "scheduler/watch/progress_graph.hpp"
#include "transport/watch/watch_board.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dampi::scheduler::watch {

class BoardEye {
public:
    explicit BoardEye(std::filesystem::path folder);
    ~BoardEye();
    BoardEye(const BoardEye&) = delete;
    BoardEye& operator=(const BoardEye&) = delete;

    /// Sees which ranks there are now. Cheap; for every second or so.
    void find_ranks();

    /// `closely`: also where in the program each is, and what the kernel says of its process.
    [[nodiscard]] Look look(bool closely);

    /// How many ranks their jobs have, as they say; 0: no rank has said so yet.
    [[nodiscard]] int size_of_jobs() const;

    /// What the calls of a rank have been, for the process of a look; nothing where it cannot be read.
    [[nodiscard]] std::optional<RankHistory> history(pid_t process);

    /// The numbers that its call got, as far as they are kept.
    [[nodiscard]] std::vector<std::uint64_t> arguments(pid_t process) const;

private:
    class Mapped;
    std::filesystem::path folder_;
    std::map<pid_t, std::unique_ptr<Mapped>> boards_;
};

}  // namespace dampi::scheduler::watch
