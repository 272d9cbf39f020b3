// See size_estimate.hpp.
#include "heuristics/size_estimate.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace dampi::heuristics {

namespace {

/// Beyond this, adding a smaller number changes nothing.
constexpr std::int64_t digits = 1100;

std::string printed(const char* format, double value) {
    std::array<char, 64> text{};
    const int length = std::snprintf(text.data(), text.size(), format, value);
    DAMPI_CHECK(length > 0 && static_cast<std::size_t>(length) < text.size());
    return text.data();
}

/// `value` with two digits that say something, if it is below 10, else without a fraction.
std::string short_number(double value) { return printed(value < 9.95 ? "%.1f" : "%.0f", value); }

}  // namespace

LargeNumber::LargeNumber(double value) : mantissa_(value) {
    DAMPI_CHECK(std::isfinite(value) && value >= 0);
    normalise();
}

void LargeNumber::normalise() {
    int shift = 0;
    mantissa_ = std::frexp(mantissa_, &shift);
    exponent_ = mantissa_ == 0 ? 0 : exponent_ + shift;
}

LargeNumber LargeNumber::times(double factor) const {
    LargeNumber product(factor);
    product.mantissa_ *= mantissa_;
    product.exponent_ += exponent_;
    product.normalise();
    return product;
}

LargeNumber LargeNumber::plus(const LargeNumber& other) const {
    if (is_zero() || other.is_zero()) {
        return is_zero() ? other : *this;
    }
    LargeNumber sum = exponent_ < other.exponent_ ? other : *this;
    const LargeNumber& smaller = exponent_ < other.exponent_ ? *this : other;
    const std::int64_t apart = std::min(sum.exponent_ - smaller.exponent_, digits);
    sum.mantissa_ += std::ldexp(smaller.mantissa_, -static_cast<int>(apart));
    sum.normalise();
    return sum;
}

double LargeNumber::ratio(const LargeNumber& other) const {
    DAMPI_CHECK(!other.is_zero());
    const std::int64_t apart = std::clamp(exponent_ - other.exponent_, -2 * digits, 2 * digits);
    return std::ldexp(mantissa_ / other.mantissa_, static_cast<int>(apart));
}

double LargeNumber::value() const {
    return std::ldexp(mantissa_, static_cast<int>(std::clamp(exponent_, -2 * digits, 2 * digits)));
}

double LargeNumber::log10() const {
    DAMPI_CHECK(!is_zero());
    return std::log10(mantissa_) + static_cast<double>(exponent_) * std::log10(2.0);
}

std::string number_text(const LargeNumber& number) {
    struct Unit {
        double value;
        const char* name;
    };
    static constexpr std::array<Unit, 3> units{{{1e6, " million"}, {1e9, " billion"}, {1e12, " trillion"}}};
    const double value = number.value();
    if (value < 999'999.5) {
        return printed("%.0f", value);
    }
    for (const Unit& unit : units) {
        if (value < 999.5 * unit.value) {
            return short_number(value / unit.value) + unit.name;
        }
    }
    return printed("10^%.0f", number.log10());
}

std::optional<double> SizeEstimate::relative_error() const {
    if (!standard_error || mean.is_zero()) {
        return std::nullopt;
    }
    return standard_error->ratio(mean);
}

SizeEstimate estimate_size(const std::vector<LargeNumber>& estimates) {
    SizeEstimate result;
    result.ended = estimates.size();
    LargeNumber sum;
    for (const LargeNumber& each : estimates) {
        sum = sum.plus(each);
    }
    if (estimates.empty()) {
        return result;
    }
    const auto count = static_cast<double>(estimates.size());
    result.mean = sum.times(1 / count);
    if (estimates.size() < 2) {
        return result;
    }
    result.standard_error = LargeNumber{};
    if (!result.mean.is_zero()) {
        // In parts of the mean: each is at most the number of estimates.
        double squares = 0;
        for (const LargeNumber& each : estimates) {
            const double off = each.ratio(result.mean) - 1;
            squares += off * off;
        }
        // What is left of rounding is no difference between walks.
        const double error = std::sqrt(squares / (count - 1) / count);
        result.standard_error = result.mean.times(error < 1e-12 ? 0 : error);
    }
    return result;
}

SizeEstimate together(const SizeEstimate& one, const SizeEstimate& other) {
    SizeEstimate both{.walks = one.walks + other.walks,
                      .ended = one.ended + other.ended,
                      .abandoned = one.abandoned + other.abandoned,
                      .runs = one.runs + other.runs,
                      .mean = one.mean.plus(other.mean),
                      .standard_error = {}};
    if (one.standard_error && other.standard_error) {
        both.standard_error = LargeNumber{};
        if (!both.mean.is_zero()) {
            both.standard_error = both.mean.times(
                std::hypot(one.standard_error->ratio(both.mean), other.standard_error->ratio(both.mean)));
        }
    }
    return both;
}

std::string size_text(const SizeEstimate& estimate) {
    if (estimate.ended == 0 || estimate.mean.is_zero()) {
        return "";
    }
    std::string text = "about " + number_text(estimate.mean);
    if (const auto error = estimate.relative_error()) {
        text += " (+-" + printed("%.0f", 100 * *error) + "%)";
    }
    return text;
}

}  // namespace dampi::heuristics
