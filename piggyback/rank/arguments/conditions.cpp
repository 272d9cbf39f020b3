#include "piggyback/rank/arguments/conditions.hpp"

#include "piggyback/rank/arguments/overflow.hpp"
#include "piggyback/rank/arguments/scale_bounds.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/errors/quiet_errors.hpp"
#include "piggyback/rank/resources/access_requests.hpp"
#include "piggyback/rank/resources/file_views.hpp"
#include "piggyback/rank/resources/following.hpp"
#include "piggyback/rank/resources/type_contents.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dampi::piggyback::arguments {
namespace {

/// The groups of datatypes by which the MPI standard says what an operator is defined for (6.9.2 of MPI 4.0).
enum Group : unsigned {
    none = 0,
    c_integer = 1,
    fortran_integer = 2,
    floating = 4,
    logical = 8,
    complex_number = 16,
    byte = 32,
    multi_language = 64,
    pair = 128,  ///< of MPI_MINLOC and MPI_MAXLOC
    unsaid = 256
};

Group group_of(MPI_Datatype datatype) {
    struct Known {
        MPI_Datatype datatype;
        Group group;
    };
    static constexpr std::array known{
        Known{MPI_INT, c_integer},
        Known{MPI_LONG, c_integer},
        Known{MPI_SHORT, c_integer},
        Known{MPI_UNSIGNED_SHORT, c_integer},
        Known{MPI_UNSIGNED, c_integer},
        Known{MPI_UNSIGNED_LONG, c_integer},
        Known{MPI_LONG_LONG, c_integer},
        Known{MPI_UNSIGNED_LONG_LONG, c_integer},
        Known{MPI_SIGNED_CHAR, c_integer},
        Known{MPI_UNSIGNED_CHAR, c_integer},
        Known{MPI_INT8_T, c_integer},
        Known{MPI_INT16_T, c_integer},
        Known{MPI_INT32_T, c_integer},
        Known{MPI_INT64_T, c_integer},
        Known{MPI_UINT8_T, c_integer},
        Known{MPI_UINT16_T, c_integer},
        Known{MPI_UINT32_T, c_integer},
        Known{MPI_UINT64_T, c_integer},
        Known{MPI_INTEGER, fortran_integer},
        Known{MPI_INTEGER1, fortran_integer},
        Known{MPI_INTEGER2, fortran_integer},
        Known{MPI_INTEGER4, fortran_integer},
        Known{MPI_INTEGER8, fortran_integer},
        Known{MPI_FLOAT, floating},
        Known{MPI_DOUBLE, floating},
        Known{MPI_LONG_DOUBLE, floating},
        Known{MPI_REAL, floating},
        Known{MPI_DOUBLE_PRECISION, floating},
        Known{MPI_REAL4, floating},
        Known{MPI_REAL8, floating},
        Known{MPI_REAL16, floating},
        Known{MPI_LOGICAL, logical},
        Known{MPI_C_BOOL, logical},
        Known{MPI_CXX_BOOL, logical},
        Known{MPI_COMPLEX, complex_number},
        Known{MPI_DOUBLE_COMPLEX, complex_number},
        Known{MPI_COMPLEX8, complex_number},
        Known{MPI_COMPLEX16, complex_number},
        Known{MPI_COMPLEX32, complex_number},
        Known{MPI_C_FLOAT_COMPLEX, complex_number},
        Known{MPI_C_DOUBLE_COMPLEX, complex_number},
        Known{MPI_C_LONG_DOUBLE_COMPLEX, complex_number},
        Known{MPI_CXX_FLOAT_COMPLEX, complex_number},
        Known{MPI_CXX_DOUBLE_COMPLEX, complex_number},
        Known{MPI_CXX_LONG_DOUBLE_COMPLEX, complex_number},
        Known{MPI_BYTE, byte},
        Known{MPI_AINT, multi_language},
        Known{MPI_OFFSET, multi_language},
        Known{MPI_COUNT, multi_language},
        Known{MPI_FLOAT_INT, pair},
        Known{MPI_DOUBLE_INT, pair},
        Known{MPI_LONG_INT, pair},
        Known{MPI_2INT, pair},
        Known{MPI_SHORT_INT, pair},
        Known{MPI_LONG_DOUBLE_INT, pair},
        Known{MPI_2REAL, pair},
        Known{MPI_2DOUBLE_PRECISION, pair},
        Known{MPI_2INTEGER, pair},
        Known{MPI_CHAR, none},
        Known{MPI_CHARACTER, none},
        Known{MPI_WCHAR, none},
        Known{MPI_PACKED, none},
    };
    for (const Known& each : known) {
        if (each.datatype == datatype) {
            return each.group;
        }
    }
    return unsaid;
}

/// For which groups an operator is defined; all of them for one that the program has made.
unsigned groups_of(MPI_Op op) {
    switch (op) {
        case MPI_MAX:
        case MPI_MIN:
            return c_integer | fortran_integer | floating | multi_language;
        case MPI_SUM:
        case MPI_PROD:
            return c_integer | fortran_integer | floating | complex_number | multi_language;
        case MPI_LAND:
        case MPI_LOR:
        case MPI_LXOR:
            // Not multi_language by the letter; these are C integers as well.
            return c_integer | logical | multi_language;
        case MPI_BAND:
        case MPI_BOR:
        case MPI_BXOR:
            return c_integer | fortran_integer | byte | multi_language;
        case MPI_MINLOC:
        case MPI_MAXLOC:
            return pair;
        case MPI_REPLACE:
        case MPI_NO_OP:
            return none;
        default:
            return ~0U;
    }
}

/// Whether none of the handles that are not null stands there twice, as far as that is seen at little cost.
bool are_seen_to_differ(const MPI_Request* requests, std::size_t count) {
    constexpr std::size_t few = 8;
    if (count <= few) {
        for (std::size_t i = 1; i < count; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (requests[i] == requests[j] && requests[i] != MPI_REQUEST_NULL) {
                    return false;
                }
            }
        }
        return true;
    }
    constexpr std::size_t places = 4096;  // handles are numbered: so many in a row have places of their own
    std::bitset<places> taken;
    for (std::size_t i = 0; i < count; ++i) {
        if (requests[i] != MPI_REQUEST_NULL) {
            const std::size_t place = static_cast<unsigned>(requests[i]) % places;
            if (taken[place]) {
                return false;
            }
            taken[place] = true;
        }
    }
    return true;
}

/// Null where nothing can be said about the partitions of this request.
const std::vector<bool>* partitions_of(MPI_Request handle) {
    const Request* request = Layer::current()->requests.find(handle);
    return request != nullptr && request->partitioned && request->active && !request->special().ready.empty()
               ? &request->special().ready
               : nullptr;
}

}  // namespace

namespace {

/// What the program has promised of a communicator.
struct Promises {
    bool no_any_source = false;
    bool no_any_tag = false;
    std::uint64_t hints_set = 0;  ///< hints_set() when MPI was asked
};

/// How often the program has called MPI_Comm_set_info.
std::uint64_t hints_set() {
    for (const auto& slot : Layer::current()->board().not_modelled) {
        if (slot.name[0] == '\0') {
            break;
        }
        if (std::strcmp(slot.name, "MPI_Comm_set_info") == 0) {
            return slot.count.load(std::memory_order_relaxed);
        }
    }
    return 0;
}

bool is_true(MPI_Info hints, const char* key) {
    std::array<char, 8> value{};
    int found = 0;
    return PMPI_Info_get(hints, key, static_cast<int>(value.size()) - 1, value.data(), &found) == MPI_SUCCESS &&
           found != 0 && std::string_view(value.data()) == "true";
}

/// MPI is asked once of each communicator, and again when hints were set.
Promises promises_of(MPI_Comm comm) {
    static std::unordered_map<base::CommId, Promises> known;
    const Communicator* const communicator = Layer::current()->communicators.find(comm);
    if (communicator == nullptr) {
        return {};
    }
    const std::uint64_t now = hints_set();
    const auto [place, is_new] = known.try_emplace(communicator->id);
    Promises& promises = place->second;
    if (is_new || promises.hints_set != now) {
        const QuietErrors quiet;
        promises = {.hints_set = now};
        if (MPI_Info hints = MPI_INFO_NULL; PMPI_Comm_get_info(comm, &hints) == MPI_SUCCESS) {
            promises.no_any_source = is_true(hints, "mpi_assert_no_any_source");
            promises.no_any_tag = is_true(hints, "mpi_assert_no_any_tag");
            PMPI_Info_free(&hints);
        }
    }
    return promises;
}

}  // namespace

bool excludes_any_source(MPI_Comm comm) { return promises_of(comm).no_any_source; }
bool excludes_any_tag(MPI_Comm comm) { return promises_of(comm).no_any_tag; }

bool is_intra(MPI_Comm comm) {
    const Communicator* communicator = Layer::current()->communicators.find(comm);
    return communicator != nullptr && !communicator->inter;
}

bool is_inter(MPI_Comm comm) { return is_known(comm) && !is_intra(comm); }

bool has_no_topology(MPI_Comm comm) {
    Communicator* communicator = Layer::current()->communicators.find(comm);
    return communicator != nullptr && neighbours_of(*communicator) == nullptr;
}

bool has_neighbours_before(MPI_Comm comm) { return number_of(comm, Peers::neighbours_before) != 0; }

bool has_neighbours_after(MPI_Comm comm) { return number_of(comm, Peers::neighbours_after) != 0; }

bool is_defined(MPI_Op op, MPI_Datatype datatype) {
    const Group group = group_of(datatype);
    return group == unsaid || groups_of(op) == ~0U || (groups_of(op) & group) != 0;
}

namespace {

std::string& overflow_text() {
    static auto& text = *new std::string;  // as long as the process
    return text;
}

template <typename Length>
bool finds_overflow(MPI_Comm comm, Peers peers, const int* displacements, Length&& length) {
    const auto found = displacements == nullptr
                           ? std::nullopt
                           : find_overflow(number_of(comm, peers), displacements, std::forward<Length>(length));
    if (found) {
        overflow_text() = text_of(*found);
    }
    return found.has_value();
}

}  // namespace

bool has_overflowed(MPI_Comm comm, Peers peers, const int* counts, const int* displacements) {
    return counts != nullptr &&
           finds_overflow(comm, peers, displacements, [&](std::size_t i) { return std::int64_t{counts[i]}; });
}

bool has_overflowed(MPI_Comm comm, Peers peers, const int* counts, const MPI_Datatype* types,
                    const int* displacements) {
    return counts != nullptr && types != nullptr && finds_overflow(comm, peers, displacements, [&](std::size_t i) {
               const QuietErrors quiet;
               MPI_Count low = 0;
               MPI_Count extent = 0;
               return PMPI_Type_get_extent_x(types[i], &low, &extent) == MPI_SUCCESS ? counts[i] * extent : 0;
           });
}

const char* overflow() { return overflow_text().c_str(); }

namespace {

const ScaleBounds& known_bounds() {
    static const auto& bounds = *new ScaleBounds([] {
        const char* const text = std::getenv(scale_bounds_variable);
        return std::string_view(text == nullptr ? "" : text);
    }());  // as long as the process
    return bounds;
}

std::string& bound_text() {
    static auto& text = *new std::string;
    return text;
}

}  // namespace

bool knows_bounds() { return !known_bounds().empty(); }

bool is_beyond(const char* function, MPI_Comm comm, MPI_Count count, MPI_Datatype type) {
    const QuietErrors quiet;
    MPI_Count bytes = 0;
    const auto processes = static_cast<std::int64_t>(number_of(comm, Peers::all));
    if (count <= 0 || processes == 0 || PMPI_Type_size_x(type, &bytes) != MPI_SUCCESS || bytes <= 0) {
        return false;
    }
    std::string text = known_bounds().exceeded(function, processes, bytes, count);
    const bool is = !text.empty();
    if (is) {
        bound_text() = std::move(text);
    }
    return is;
}

bool is_beyond(const char* function, MPI_Comm comm, Counts counts, MPI_Datatype type) {
    MPI_Count sum = 0;
    const std::size_t number = counts.null() ? 0 : number_of(comm, Peers::all);
    for (std::size_t i = 0; i < number; ++i) {
        sum += std::max<MPI_Count>(counts[i], 0);
    }
    const auto ranks = static_cast<MPI_Count>(number);
    return ranks > 0 && is_beyond(function, comm, (sum + ranks - 1) / ranks, type);
}

const char* bound() { return bound_text().c_str(); }

bool has_repeated(int count, const int* ranks) {
    if (count < 2 || ranks == nullptr) {
        return false;
    }
    std::vector<int> sorted(ranks, ranks + count);
    std::sort(sorted.begin(), sorted.end());
    return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

bool has_no_stride(int count, const int (*ranges)[3]) {
    return ranges != nullptr &&
           std::any_of(ranges, ranges + std::max(count, 0), [](const int(&range)[3]) { return range[2] == 0; });
}

bool is_outside(MPI_Comm comm, int count, const int* ranks) {
    const Communicator* communicator = Layer::current()->communicators.find(comm);
    if (communicator == nullptr || ranks == nullptr) {
        return false;
    }
    const auto size = static_cast<int>(communicator->members.size());
    return std::any_of(ranks, ranks + std::max(count, 0),
                       [&](int rank) { return rank != MPI_PROC_NULL && (rank < 0 || rank >= size); });
}

int total(int count, const int* numbers) {
    int sum = 0;
    for (int i = 0; numbers != nullptr && i < count; ++i) {
        sum += std::max(numbers[i], 0);
    }
    return sum;
}

bool has_no_distribution(int count, const int* distributions) {
    return distributions != nullptr &&
           std::any_of(distributions, distributions + std::max(count, 0), [](int distribution) {
               return distribution != MPI_DISTRIBUTE_BLOCK && distribution != MPI_DISTRIBUTE_CYCLIC &&
                      distribution != MPI_DISTRIBUTE_NONE;
           });
}

bool is_product(int product, int count, const int* numbers) {
    std::int64_t all = 1;
    for (int i = 0; i < count; ++i) {
        if (numbers[i] <= 0) {
            return true;
        }
        all *= numbers[i];
        if (all > product) {
            return false;
        }
    }
    return all == product;
}

bool outruns(MPI_Count position, MPI_Count count, MPI_Datatype datatype, MPI_Count size) {
    const QuietErrors quiet;
    MPI_Count each = 0;
    return size >= 0 && position >= 0 && PMPI_Type_size_x(datatype, &each) == MPI_SUCCESS && each > 0 &&
           (position > size || count > (size - position) / each);
}

bool repeats_request(int count, const MPI_Request* requests) {
    if (count < 2 || requests == nullptr || are_seen_to_differ(requests, static_cast<std::size_t>(count))) {
        return false;
    }
    std::vector<MPI_Request> sorted(requests, requests + count);
    std::sort(sorted.begin(), sorted.end());
    for (auto first = sorted.begin(); first != sorted.end();) {
        const auto last = std::upper_bound(first, sorted.end(), *first);
        const std::ptrdiff_t others = access_requests().count(*first);
        if (last - first > 1 && Layer::current()->requests.are_fewer(*first, last - first - others)) {
            return true;
        }
        first = last;
    }
    return false;
}

bool reaches_into(int count, const MPI_Status* statuses, const MPI_Request* requests) {
    if (count <= 0 || statuses == nullptr || statuses == MPI_STATUSES_IGNORE || requests == nullptr) {
        return false;
    }
    const auto at = [](const auto* place) { return reinterpret_cast<std::uintptr_t>(place); };
    return at(statuses) < at(requests + count) && at(requests) < at(statuses + count);
}

bool repeats_persistent(int count, const MPI_Request* requests) {
    if (count < 2 || requests == nullptr || are_seen_to_differ(requests, static_cast<std::size_t>(count))) {
        return false;
    }
    std::vector<MPI_Request> sorted(requests, requests + count);
    std::sort(sorted.begin(), sorted.end());
    for (auto each = sorted.begin(); (each = std::adjacent_find(each, sorted.end())) != sorted.end(); ++each) {
        const Request* known = Layer::current()->requests.find(*each);
        if (known != nullptr && known->persistent) {
            return true;
        }
    }
    return false;
}

bool is_of_active_collective(const MPI_Request* request) {
    const Request* known = request == nullptr ? nullptr : Layer::current()->requests.find(*request);
    return known != nullptr && known->kind == RequestKind::collective && known->active && !known->on_file;
}

bool is_of_access(const MPI_Request* request) {
    if (request == nullptr || Layer::current()->requests.find(*request) != nullptr) {
        return false;
    }
    const AccessRequest* const access = access_requests().find(*request);
    return access != nullptr && access->file == MPI_FILE_NULL;
}

namespace {

/// Adds those that have data.
void add_basics(MPI_Datatype datatype, std::set<std::uint32_t>& basics) {
    const TypeContents contents(datatype);
    const bool is_structure = contents.combiner() == MPI_COMBINER_STRUCT;
    for (std::size_t i = 0; contents.is_known() && i < contents.inner().size(); ++i) {
        const bool is_empty = is_structure && i + 1 < contents.numbers().size() && contents.numbers()[i + 1] == 0;
        const MPI_Datatype each = contents.inner()[i];
        const Element* const element = is_empty ? nullptr : Layer::current()->elements.of(each);
        if (element != nullptr && element->basic != 0) {
            basics.insert(element->basic);
        } else if (element != nullptr) {
            add_basics(each, basics);
        }
    }
}

}  // namespace

bool mixes_basics(MPI_Datatype datatype) {
    const QuietErrors quiet;
    const Element* const element = Layer::current()->elements.of(datatype);
    if (element == nullptr || element->basic != 0) {
        return false;
    }
    std::set<std::uint32_t> basics;
    add_basics(datatype, basics);
    return basics.size() > 1;
}

bool made_of_more(MPI_Datatype datatype, Made what, MPI_Count most) {
    const QuietErrors quiet;
    int integers = 0;
    int addresses = 0;
    int datatypes = 0;
    int combiner = MPI_COMBINER_NAMED;
    if (most < 0 || PMPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, &combiner) != MPI_SUCCESS ||
        combiner == MPI_COMBINER_NAMED) {
        return false;
    }
    return (what == Made::of_integers ? integers : what == Made::of_addresses ? addresses : datatypes) > most;
}

bool has_strangers(MPI_Group group, MPI_Win win) {
    const QuietErrors quiet;
    int size = 0;
    MPI_Group all = MPI_GROUP_NULL;
    if (group == MPI_GROUP_NULL || win == MPI_WIN_NULL || PMPI_Group_size(group, &size) != MPI_SUCCESS || size == 0 ||
        PMPI_Win_get_group(win, &all) != MPI_SUCCESS) {
        return false;
    }
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::iota(ranks.begin(), ranks.end(), 0);
    std::vector<int> members(ranks.size(), 0);
    const bool known = PMPI_Group_translate_ranks(group, size, ranks.data(), all, members.data()) == MPI_SUCCESS;
    PMPI_Group_free(&all);
    return known && std::find(members.begin(), members.end(), MPI_UNDEFINED) != members.end();
}

bool is_handler_of_others(MPI_Errhandler handler) {
    const Origin* const origin =
        Layer::current()->resources.held(ResourceKind::errhandler).newest_origin(following_detail::key(handler));
    const std::string_view made_by = origin == nullptr ? "" : origin->function;
    return made_by.starts_with("MPI_Win_") || made_by.starts_with("MPI_File_") || made_by.starts_with("MPI_Session_");
}

bool is_open(MPI_File file) {
    return Layer::current()->resources.held(ResourceKind::file).newest_origin(following_detail::key(file)) != nullptr;
}

bool moves_data(MPI_File file, MPI_Count count, MPI_Datatype datatype) {
    return is_open(file) && is_missed(MPI_COMM_SELF, count, datatype);
}

bool is_opened(MPI_File file, int mode) {
    if (!is_open(file)) {
        return false;
    }
    const QuietErrors quiet;
    int modes = 0;
    return PMPI_File_get_amode(file, &modes) == MPI_SUCCESS && (modes & mode) != 0;
}

bool breaks_view(MPI_File file, MPI_Count count, MPI_Datatype datatype) {
    Layer& layer = *Layer::current();
    const FileView* view = file_views().find(file);
    if (view == nullptr || count <= 0 || layer.misses_calls.load(std::memory_order_relaxed)) {
        return false;
    }
    const QuietErrors quiet;
    const transport::TypedData data = layer.types.data(count, datatype);
    MPI_Count bytes = 0;
    if (data.type == transport::no_type || PMPI_Type_size_x(datatype, &bytes) != MPI_SUCCESS ||
        __builtin_mul_overflow(bytes, count, &bytes) || bytes % view->bytes != 0) {
        return false;
    }
    const transport::TypeTable& table = layer.types.table();
    const auto asked = table.data(view->etype.type, static_cast<std::uint64_t>(bytes / view->bytes));
    return !transport::surely_agree(data, table, asked) && transport::difference(table, data, table, asked).has_value();
}

bool is_no_partition(MPI_Request request, int low, int high) {
    const std::vector<bool>* partitions = partitions_of(request);
    return partitions != nullptr && low <= high && (low < 0 || static_cast<std::size_t>(high) >= partitions->size());
}

bool is_ready(MPI_Request request, int low, int high) {
    const std::vector<bool>* partitions = partitions_of(request);
    if (partitions == nullptr || is_no_partition(request, low, high)) {
        return false;
    }
    for (int i = low; i <= high; ++i) {
        if ((*partitions)[static_cast<std::size_t>(i)]) {
            return true;
        }
    }
    return false;
}

bool is_wrong_list(MPI_Request request, int count, const int* partitions) {
    if (partitions == nullptr || partitions_of(request) == nullptr) {
        return false;
    }
    return has_repeated(count, partitions) ||
           std::any_of(partitions, partitions + std::max(count, 0), [&](int partition) {
               return is_no_partition(request, partition, partition) || is_ready(request, partition, partition);
           });
}

bool has_no_logical(int count, const int* values) {
    return values != nullptr &&
           std::any_of(values, values + std::max(count, 0), [](int each) { return !is_logical(each); });
}

bool is_blocking(const Call& call) {
    const std::string_view name = call.function();
    return !name.starts_with("MPI_I") && name.find("_init") == std::string_view::npos;
}

bool is_self(MPI_Comm comm, int rank) {
    const Communicator* communicator = Layer::current()->communicators.find(comm);
    return communicator != nullptr && !communicator->inter && rank >= 0 &&
           static_cast<std::size_t>(rank) < communicator->members.size() &&
           communicator->members[static_cast<std::size_t>(rank)] == Layer::current()->rank();
}

bool is_alone(MPI_Comm comm) {
    const Communicator* communicator = Layer::current()->communicators.find(comm);
    return communicator != nullptr && !communicator->inter && communicator->members.size() == 1;
}

bool has_none_active(int count, const MPI_Request* requests) {
    return count > 0 && requests != nullptr && std::all_of(requests, requests + count, [](MPI_Request each) {
               const Request* known = Layer::current()->requests.find(each);
               return each == MPI_REQUEST_NULL || (known != nullptr && known->persistent && !known->active);
           });
}

bool is_cancelled(const MPI_Request* request) {
    const Request* known = request == nullptr ? nullptr : Layer::current()->requests.find(*request);
    return known != nullptr && known->active && known->cancel_called;
}

bool is_never_started(const MPI_Request* request) {
    const Request* known = request == nullptr ? nullptr : Layer::current()->requests.find(*request);
    return known != nullptr && known->persistent && !known->was_started;
}

bool is_predefined(const MPI_Datatype* datatype) {
    return datatype != nullptr && *datatype != MPI_DATATYPE_NULL && !following_detail::is_programs_own(*datatype);
}

bool is_committed_before(const MPI_Datatype* datatype) {
    return datatype != nullptr && following_detail::is_programs_own(*datatype) &&
           Layer::current()->resources.held(ResourceKind::datatype).newest_origin(following_detail::key(*datatype)) !=
               nullptr &&
           is_committed(MPI_COMM_SELF, *datatype);
}

bool leaves_some_out(MPI_Comm comm, int count, const int* dimensions) {
    const Communicator* communicator = Layer::current()->communicators.find(comm);
    if (communicator == nullptr || communicator->inter || count < 0 || (count > 0 && dimensions == nullptr)) {
        return false;
    }
    std::size_t places = 1;
    for (int i = 0; i < count && places < communicator->members.size(); ++i) {
        if (dimensions[i] <= 0) {
            return false;
        }
        places *= static_cast<std::size_t>(dimensions[i]);
    }
    return places < communicator->members.size();
}

}  // namespace dampi::piggyback::arguments
