// Process topologies as the centralized engine computes them.
#include "piggyback/central/topology.hpp"

#include <gtest/gtest.h>

namespace dampi::piggyback::central {
namespace {

Topology grid(std::vector<int> dims, std::vector<int> periods) {
    Topology topology;
    topology.kind = MPI_CART;
    topology.dims = std::move(dims);
    topology.periods = std::move(periods);
    return topology;
}

TEST(CentralTopology, RanksOfAGridCountTheLastDimensionFirst) {
    const Topology topology = grid({2, 3}, {0, 1});
    for (int rank = 0; rank < 6; ++rank) {
        EXPECT_EQ(topology.coordinates(rank), (std::vector<int>{rank / 3, rank % 3}));
        EXPECT_EQ(topology.rank_of(topology.coordinates(rank)), rank);
    }
    EXPECT_EQ(topology.rank_of({1, -1}), 5) << "periodic";
    EXPECT_EQ(topology.rank_of({1, 7}), 4);
    EXPECT_EQ(topology.rank_of({2, 0}), MPI_PROC_NULL) << "not periodic";
}

TEST(CentralTopology, ShiftsNameSourceAndDestination) {
    const Topology topology = grid({2, 3}, {0, 1});
    EXPECT_EQ(topology.shift(0, 0, 1), std::pair(MPI_PROC_NULL, 3));
    EXPECT_EQ(topology.shift(0, 1, 1), std::pair(2, 1));
    EXPECT_EQ(topology.shift(4, 1, -2), std::pair(3, 5));
}

TEST(CentralTopology, NeighboursOfAGridAreBelowAndAboveInEachDimension) {
    const Neighbours neighbours = grid({2, 3}, {0, 1}).neighbours(0);
    EXPECT_EQ(neighbours.in, (std::vector<int>{MPI_PROC_NULL, 3, 2, 1}));
    EXPECT_EQ(neighbours.out, neighbours.in);
}

TEST(CentralTopology, NeighboursInAGraphAreItsEdges) {
    Topology topology;
    topology.kind = MPI_GRAPH;
    topology.index = {2, 2, 3};
    topology.edges = {1, 2, 0};
    EXPECT_EQ(topology.graph_neighbours(0), (std::vector<int>{1, 2}));
    EXPECT_TRUE(topology.graph_neighbours(1).empty());
    EXPECT_EQ(topology.neighbours(2).out, (std::vector<int>{0}));
}

TEST(CentralTopology, ADistributedGraphHasTwoSidesOfItsOwn) {
    Topology topology;
    topology.kind = MPI_DIST_GRAPH;
    topology.sources = {3};
    topology.destinations = {1, 1};
    EXPECT_EQ(topology.neighbours(0).in, topology.sources);
    EXPECT_EQ(topology.neighbours(0).out, topology.destinations);
}

}  // namespace
}  // namespace dampi::piggyback::central
