#include "piggyback/central/buffer_room.hpp"

#include "piggyback/central/errors.hpp"
#include "piggyback/central/rank_side.hpp"
#include "piggyback/rank/errors/errors.hpp"

namespace dampi::piggyback::central {

int check_room(const Call& call, MPI_Comm comm, std::uint64_t bytes) {
    RankSide& side = *RankSide::current();
    const std::uint64_t size = side.attached.size();
    const std::uint64_t needed = bytes + MPI_BSEND_OVERHEAD;
    if (needed > size) {
        return raise(call, comm, Wrong::buffer_too_small, static_cast<int>(needed), static_cast<int>(size));
    }
    const Answer answer = side.ask(call, transport::requests::RoomCall{.overhead = MPI_BSEND_OVERHEAD});
    if (answer.taken + needed <= size) {
        return MPI_SUCCESS;
    }
    if (answer.flag == 0) {
        Layer::current()->count_not_modelled("buffered sends: is there room");
    } else {
        note_misuse(call, replay::ViolationKind::argument_buffer,
                    no_room_text(needed, size, answer.taken, answer.takers));
    }
    return MPI_SUCCESS;  // the data is not there in truth, so the run goes on
}

}  // namespace dampi::piggyback::central
