// The program has called what the centralized engine does not model.
#pragma once

#include "base/check.hpp"

#include <string>
#include <utility>

namespace dampi::scheduler::central {

class Refused : public Error {
public:
    /// `fact`: a phrase for people, which names the call.
    explicit Refused(std::string fact)
        : Error(fact + ": use --engine distributed (or --engine auto)"), fact_(std::move(fact)) {}
    [[nodiscard]] const std::string& fact() const { return fact_; }

private:
    std::string fact_;
};

}  // namespace dampi::scheduler::central
