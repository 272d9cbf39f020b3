// How many outcomes a program has, as random walks estimate it (random_walk.hpp): numbers that no type of the language
// holds, their mean and its error, and words for them.
#pragma once

#include "replay/members.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dampi::heuristics {

/// A number that is not negative, however large; as exact as a double.
class LargeNumber {
public:
    LargeNumber() = default;
    /// Finite and not negative.
    explicit LargeNumber(double value);

    /// `factor` as above.
    [[nodiscard]] LargeNumber times(double factor) const;
    [[nodiscard]] LargeNumber plus(const LargeNumber& other) const;
    /// Divided by another, which is not 0; infinite if that is too large for a double.
    [[nodiscard]] double ratio(const LargeNumber& other) const;
    [[nodiscard]] bool is_zero() const { return mantissa_ == 0; }
    /// Infinite if it is too large.
    [[nodiscard]] double value() const;
    /// Not of 0.
    [[nodiscard]] double log10() const;

    bool operator==(const LargeNumber&) const = default;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, mantissa_, exponent_);
    }

private:
    void normalise();

    double mantissa_ = 0;  ///< 0, or from 0.5 to below 1
    std::int64_t exponent_ = 0;
};

/// "1458", "1.3 million", "10^42"; rounded to what an estimate deserves.
[[nodiscard]] std::string number_text(const LargeNumber& number);

/// What the walks say of the number of all outcomes.
struct SizeEstimate {
    std::uint64_t walks = 0;      ///< that were to be made
    std::uint64_t ended = 0;      ///< of these: what the estimate is made of
    std::uint64_t abandoned = 0;  ///< of these: in which a run did not follow its decisions
    std::uint64_t runs = 0;       ///< made for them
    LargeNumber mean;             ///< of the estimates of those that ended; without any, 0
    /// The standard error of the mean, itself estimated from how much the walks differ; with fewer than two, none.
    std::optional<LargeNumber> standard_error;

    /// The standard error as a part of the mean.
    [[nodiscard]] std::optional<double> relative_error() const;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, walks, ended, abandoned, runs, mean, standard_error);
    }
};

/// Mean and error; the counts but `ended` are left to the caller.
[[nodiscard]] SizeEstimate estimate_size(const std::vector<LargeNumber>& estimates);

/// Of two spaces together, estimated independently.
[[nodiscard]] SizeEstimate together(const SizeEstimate& one, const SizeEstimate& other);

/// "about 1.3 million (+-20%)"; empty when the estimate says nothing.
[[nodiscard]] std::string size_text(const SizeEstimate& estimate);

}  // namespace dampi::heuristics
