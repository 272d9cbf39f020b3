// Looks at ranks through the boards that the light layer writes (transport/watch/watch_board.hpp): reads memory and a
// few files of the kernel's, stops nobody. What stands in a board comes from a program that may have overwritten it, so
// every number is checked before it is used.
#pragma once

#include "base/unique_fd.hpp"
#include "scheduler/watch/facts.hpp"
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

    /// What the calls of the ranks have been, as far as it can be read. The stack of a call stands in one of them.
    [[nodiscard]] std::vector<RankHistory> histories() const;

    /// Its threads that are in MPI, or ask it again and again and may be between two questions.
    [[nodiscard]] std::vector<pid_t> threads_in_mpi(pid_t process) const;

    /// Where the call was made that the rank is in, or its last one, as the layer has seen it; innermost first.
    [[nodiscard]] std::vector<replay::CodePlace> last_call(pid_t process) const;

    /// What the ranks say of messages and of their calls. Who has ended is among them until the whole job has.
    /// `with_counts`: of messages, which are long to read.
    [[nodiscard]] std::vector<RankFacts> facts(bool with_counts) const;

private:
    class Mapped;
    std::filesystem::path folder_;
    std::map<pid_t, std::unique_ptr<Mapped>> boards_;
};

}  // namespace dampi::scheduler::watch
