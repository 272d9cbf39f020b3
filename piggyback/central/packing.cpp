#include "piggyback/central/packing.hpp"

#include "base/check.hpp"
#include "piggyback/rank/resources/type_contents.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace dampi::piggyback::central {
namespace {

bool is_predefined(MPI_Datatype type) {
    // MPICH keeps the kind of a handle in its upper bits, and of a predefined type the size in the second byte.
    return static_cast<unsigned>(type) >> 30 == 1;
}

/// Whether elements lie one behind the other without gaps, in the order in which they are packed.
bool is_dense(MPI_Datatype type) {
    if (is_predefined(type)) {
        return true;
    }
    MPI_Count size = 0;
    MPI_Count lower = 0;
    MPI_Count extent = 0;
    MPI_Count true_lower = 0;
    MPI_Count true_extent = 0;
    PMPI_Type_size_x(type, &size);
    PMPI_Type_get_extent_x(type, &lower, &extent);
    PMPI_Type_get_true_extent_x(type, &true_lower, &true_extent);
    if (lower != 0 || true_lower != 0 || size != extent || size != true_extent) {
        return false;
    }
    // One without gaps may still name its parts in another order: only the simplest are known not to.
    const TypeContents contents(type);
    if (contents.is_basic()) {
        return true;
    }
    const bool repeats = contents.combiner() == MPI_COMBINER_CONTIGUOUS || contents.combiner() == MPI_COMBINER_DUP;
    return repeats && contents.is_known() && is_dense(contents.inner().front());
}

/// MPI's functions for packing refuse MPI_BOTTOM, which is the null pointer: this says the same from another address
/// on, as one element of a datatype.
class FromSomewhere {
public:
    explicit FromSomewhere(const Data& data) : data_{&anchor_, 1, MPI_DATATYPE_NULL} {
        const auto length = data.count;
        const auto distance = static_cast<MPI_Count>(-reinterpret_cast<std::intptr_t>(&anchor_));
        PMPI_Type_create_hindexed_c(1, &length, &distance, data.type, &data_.type);
        PMPI_Type_commit(&data_.type);
    }
    ~FromSomewhere() { PMPI_Type_free(&data_.type); }
    FromSomewhere(const FromSomewhere&) = delete;
    FromSomewhere& operator=(const FromSomewhere&) = delete;
    [[nodiscard]] const Data& data() const { return data_; }

private:
    static inline char anchor_ = 0;
    Data data_;
};

}  // namespace

HeldType::HeldType(MPI_Datatype type) : type_(type) {
    // The pairs for MPI_MAXLOC are predefined as well, and of a duplicate of one MPI says that it is none.
    if (type != MPI_DATATYPE_NULL && !is_predefined(type) && !TypeContents(type).is_basic()) {
        own_ = PMPI_Type_dup(type, &type_) == MPI_SUCCESS;
    }
}

HeldType::~HeldType() {
    if (own_) {
        PMPI_Type_free(&type_);
    }
}

std::uint64_t size_of(MPI_Datatype type) {
    if (is_predefined(type)) {
        return (static_cast<unsigned>(type) >> 8) & 0xff;
    }
    MPI_Count size = 0;
    return type != MPI_DATATYPE_NULL && PMPI_Type_size_x(type, &size) == MPI_SUCCESS && size > 0
               ? static_cast<std::uint64_t>(size)
               : 0;
}

std::uint64_t packed_size(const Data& data) {
    return data.count <= 0 ? 0 : size_of(data.type) * static_cast<std::uint64_t>(data.count);
}

MPI_Aint extent_of(MPI_Datatype type) {
    if (is_predefined(type)) {
        return static_cast<MPI_Aint>(size_of(type));
    }
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    return PMPI_Type_get_extent(type, &lower, &extent) == MPI_SUCCESS ? extent : 0;
}

void pack(const Data& data, std::uint8_t* to) {
    const std::uint64_t bytes = packed_size(data);
    if (bytes == 0) {
        return;
    }
    if (is_dense(data.type)) {
        std::memcpy(to, data.buffer, bytes);
        return;
    }
    if (data.buffer == MPI_BOTTOM) {
        pack(FromSomewhere(data).data(), to);
        return;
    }
    MPI_Count position = 0;
    const int result =
        PMPI_Pack_c(data.buffer, data.count, data.type, to, static_cast<MPI_Count>(bytes), &position, MPI_COMM_SELF);
    DAMPI_CHECK(result == MPI_SUCCESS);
}

void unpack(const std::uint8_t* from, std::uint64_t bytes, const Data& data) {
    bytes = std::min(bytes, packed_size(data));
    if (bytes == 0) {
        return;
    }
    if (is_dense(data.type)) {
        std::memcpy(data.buffer, from, bytes);
        return;
    }
    const std::uint64_t size = size_of(data.type);
    const auto whole = static_cast<MPI_Count>(bytes / size);
    if (data.buffer == MPI_BOTTOM && whole != 0) {
        unpack(from, static_cast<std::uint64_t>(whole) * size, FromSomewhere({data.buffer, whole, data.type}).data());
    }
    MPI_Count position = 0;
    if (data.buffer != MPI_BOTTOM && whole != 0) {
        const int result =
            PMPI_Unpack_c(from, static_cast<MPI_Count>(bytes), &position, data.buffer, whole, data.type, MPI_COMM_SELF);
        DAMPI_CHECK(result == MPI_SUCCESS);
    }
    if (const std::uint64_t rest = bytes % size; rest != 0) {
        // Of the last element only the beginning came: the rest of it stays as it is.
        const Data last{advance(data.buffer, whole, data.type), 1, data.type};
        std::vector<std::uint8_t> element(size);
        pack(last, element.data());
        std::memcpy(element.data(), from + bytes - rest, rest);
        unpack(element.data(), size, last);
    }
}

}  // namespace dampi::piggyback::central
