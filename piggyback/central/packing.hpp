// Moving the program's data into and out of the memory that ranks share: packed as MPI packs it, which for data without
// gaps is a copy.
#pragma once

#include <cstdint>
#include <utility>

#include <mpi.h>

namespace dampi::piggyback::central {

/// A datatype that stays there when the program frees its own handle.
class HeldType {
public:
    HeldType() = default;
    /// `type` is one that MPI takes.
    explicit HeldType(MPI_Datatype type);
    ~HeldType();
    HeldType(HeldType&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)), own_(other.own_) {
        other.own_ = false;
    }
    HeldType& operator=(HeldType&& other) noexcept {
        std::swap(type_, other.type_);
        std::swap(own_, other.own_);
        return *this;
    }
    HeldType(const HeldType&) = delete;
    HeldType& operator=(const HeldType&) = delete;

    [[nodiscard]] MPI_Datatype get() const { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    bool own_ = false;
};

/// Some of the program's data: `count` elements of `type` from `buffer` on.
struct Data {
    void* buffer = nullptr;
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// Of one element; 0 for types without data.
[[nodiscard]] std::uint64_t size_of(MPI_Datatype type);
[[nodiscard]] std::uint64_t packed_size(const Data& data);
/// Distance between elements.
[[nodiscard]] MPI_Aint extent_of(MPI_Datatype type);

/// `count` elements further.
[[nodiscard]] inline void* advance(const void* buffer, MPI_Aint elements, MPI_Datatype type) {
    // From MPI_BOTTOM, too, whatever the compiler makes of pointers.
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(buffer) +
                                   static_cast<std::uintptr_t>(elements * extent_of(type)));
}

/// Writes packed_size(data) bytes.
void pack(const Data& data, std::uint8_t* to);
/// Reads min(bytes, packed_size(data)) bytes, which need not be whole elements, and writes no more of the program's
/// data than they are for.
void unpack(const std::uint8_t* from, std::uint64_t bytes, const Data& data);

}  // namespace dampi::piggyback::central
