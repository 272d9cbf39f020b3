// The datatypes that this rank's program has used in calls that move data: what MPI says that they are made of is asked
// once for each, logged, and kept until the program frees the handle. Answers what the data of a call is in terms that
// others can compare. Decides nothing, and never changes a datatype.
#pragma once

#include "piggyback/rank/handle_map.hpp"
#include "transport/log.hpp"
#include "transport/type_table.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>

#include <mpi.h>

namespace dampi::piggyback {

class UsedTypes {
public:
    /// Both live as long as this. `misses_calls`: as for Resources.
    UsedTypes(transport::LogWriter& log, const std::atomic<bool>& misses_calls)
        : log_(log), misses_calls_(misses_calls) {}

    /// Data of `count` elements, of which nothing is known where MPI will refuse these arguments. With the lock of the
    /// layer's calls, as everything here.
    [[nodiscard]] transport::TypedData data(MPI_Count count, MPI_Datatype datatype) {
        const Use& known = uses_[place(count, datatype)];
        return known.datatype == datatype && known.count == count && !misses_calls_.load(std::memory_order_relaxed)
                   ? known.data
                   : look_up(count, datatype);
    }

    /// The program frees the datatype: MPI may use the handle again for another one.
    void forget(MPI_Datatype datatype);

    [[nodiscard]] const transport::TypeTable& table() const { return table_; }

private:
    /// Data that calls have described like this before.
    struct Use {
        MPI_Datatype datatype = MPI_DATATYPE_NULL;
        MPI_Count count = 0;
        transport::TypedData data;
    };

    static constexpr unsigned bits_of_places = 5;
    static std::size_t place(MPI_Count count, MPI_Datatype datatype) {
        const std::uint64_t mixed = static_cast<std::uint64_t>(count) << 32 ^ static_cast<std::uint32_t>(datatype);
        return static_cast<std::size_t>(mixed * 0x9e37'79b9'7f4a'7c15 >> (64 - bits_of_places));
    }

    transport::TypedData look_up(MPI_Count count, MPI_Datatype datatype);
    /// `depth`: of datatypes that this one is part of.
    transport::TypeNumber describe(MPI_Datatype datatype, unsigned depth);
    transport::TypeNumber number_of(transport::TypeDescription description);

    transport::LogWriter& log_;
    const std::atomic<bool>& misses_calls_;
    transport::TypeTable table_;
    std::map<transport::TypeDescription, transport::TypeNumber> numbers_;
    HandleMap<transport::TypeNumber> by_handle_;
    std::array<Use, std::size_t{1} << bits_of_places> uses_{};
};

}  // namespace dampi::piggyback
