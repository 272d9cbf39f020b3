// A rank of the distributed engine between MPI_Init and MPI_Finalize, with nobody around it: FakePort stands for the
// others and dampi-run, FakeMpi for the MPI library. Tests call the MPI functions as a program does, or the rooms of
// piggyback/distributed directly.
#pragma once

#include "tests/unit/piggyback/distributed/fake_mpi.hpp"
#include "tests/unit/piggyback/distributed/fake_port.hpp"

#include "piggyback/distributed/layer.hpp"
#include "piggyback/rank/call.hpp"
#include "replay/epoch.hpp"
#include "transport/collective_operation.hpp"
#include "transport/log.hpp"

#include <memory>
#include <optional>
#include <string_view>
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

    /// Another rank enters its next collective of the world, with this part in it.
    void enters(base::Rank rank, transport::Collective collective,
                transport::CollectiveForm form = transport::CollectiveForm::blocking,
                transport::Contribution contribution = {}) {
        contribution.operation = transport::operation_number(collective, form);
        port.entered_by(rank, base::world_comm, contribution);
    }

    /// A clock that knows of these epochs.
    static clocks::Clock knowing(const std::vector<std::pair<base::Rank, std::uint32_t>>& epochs);

    // ---- What the program does

    /// Receives a message that is there.
    MPI_Status receive(int source, int tag) {
        layer();
        MPI_Status status{};
        EXPECT_EQ(MPI_Recv(nullptr, 0, MPI_INT, source, tag, MPI_COMM_WORLD, &status), MPI_SUCCESS);
        return status;
    }

    MPI_Request start_receive(int source, int tag) {
        layer();
        MPI_Request request = MPI_REQUEST_NULL;
        EXPECT_EQ(MPI_Irecv(nullptr, 0, MPI_INT, source, tag, MPI_COMM_WORLD, &request), MPI_SUCCESS);
        return request;
    }

    void wait(MPI_Request& request) {
        EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
        EXPECT_EQ(request, MPI_REQUEST_NULL);
    }

    // ---- What dampi-run decides, and is told

    void decide_source(std::uint32_t index, base::Rank source, int tag = base::any_tag) {
        port.decide({.index = index,
                     .kind = static_cast<std::uint32_t>(replay::EpochKind::receive),
                     .comm = base::world_comm,
                     .tag = tag,
                     .source = source});
    }

    /// In which order matches have been written down, by the postings' places.
    std::vector<std::uint64_t> matched_orders() {
        std::vector<std::uint64_t> orders;
        for (const auto& each : port.logged<transport::MatchedRecord>()) {
            orders.push_back(each.order);
        }
        return orders;
    }

    /// Whether the program knows of this rank's epoch.
    bool knows(base::Rank rank, std::uint32_t index) { return layer().clocks.now()->clock.vector.knows(rank, index); }

    /// How often this was counted as not modelled.
    std::uint64_t not_modelled(std::string_view name) {
        for (const auto& slot : port.board().not_modelled) {
            if (slot.name[0] != '\0' && name.starts_with(slot.name)) {  // names are cut off
                return slot.count;
            }
        }
        return 0;
    }

    FakePort port;
    FakeMpi mpi;

private:
    std::unique_ptr<DistributedLayer> layer_;
};

}  // namespace dampi::piggyback::distributed
