// A rank of the distributed engine between MPI_Init and MPI_Finalize, with nobody around it: FakePort stands for the
// others and dampi-run, FakeMpi for the MPI library. Tests call the MPI functions as a program does, or the rooms of
// piggyback/distributed directly.
#pragma once

#include "tests/unit/piggyback/distributed/fake_mpi.hpp"
#include "tests/unit/piggyback/distributed/fake_port.hpp"

#include "piggyback/distributed/layer.hpp"
#include "piggyback/rank/call.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

namespace dampi::piggyback::distributed {

class RankUnderTest : public ::testing::Test {
protected:
    static constexpr base::Rank own = 0;

    /// `processes` ranks with vector clocks.
    explicit RankUnderTest(std::uint32_t processes = 4, clocks::Protocol protocol = clocks::Protocol::vector)
        : port(own, processes, protocol) {}
    ~RankUnderTest() override;

    /// Makes the rank; afterwards nothing can be decided any more. Called by the first use of layer().
    void start();
    DistributedLayer& layer() {
        if (!layer_) {
            start();
        }
        return *layer_;
    }
    [[nodiscard]] Communicator& world() { return *layer().communicators.find(MPI_COMM_WORLD); }

    /// A message from another rank: its envelope, and MPI's message if `comes`.
    std::uint64_t message(base::Rank source, int tag, const clocks::Clock& clock = {}, bool comes = true);

    /// A clock that knows of these epochs.
    static clocks::Clock knowing(const std::vector<std::pair<base::Rank, std::uint32_t>>& epochs);

    FakePort port;
    FakeMpi mpi;

private:
    std::unique_ptr<DistributedLayer> layer_;
};

}  // namespace dampi::piggyback::distributed
