// What the program's own MPI library made of a run of the centralized engine that it was told to repeat.
#pragma once

#include "replay/members.hpp"

#include <cstdint>
#include <string>

namespace dampi::scheduler {

struct Confirmation {
    enum class Result : std::uint8_t {
        not_tried,
        agreed,    ///< it went the same way there, with the same end
        differed,  ///< it went another way: one of the two is wrong, or the program does not repeat itself
        no_end,    ///< it did not come to its end there, in far more time than here
    };

    Result result = Result::not_tried;
    std::string what = {};  ///< a phrase for people: the difference; or why it was not tried, empty: nobody wanted it

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, result, what);
    }
};

}  // namespace dampi::scheduler
