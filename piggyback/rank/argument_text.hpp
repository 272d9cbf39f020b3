// The arguments of one MPI call in words: "count 1, datatype MPI_INT, source 2, tag 7, comm MPI_COMM_WORLD". The
// generated wrappers know the parameters and add them one by one. What buffers and arrays hold is never looked at:
// the memory may be gone or not written yet.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <mpi.h>

namespace dampi::piggyback {

/// What objects that the program made are called; asked for what MPI has not defined itself.
class ObjectNames {
public:
    [[nodiscard]] virtual std::string datatype(MPI_Datatype handle) = 0;
    [[nodiscard]] virtual std::string communicator(MPI_Comm handle) = 0;

    ObjectNames() = default;
    ObjectNames(const ObjectNames&) = delete;
    ObjectNames& operator=(const ObjectNames&) = delete;
    virtual ~ObjectNames() = default;
};

/// Null for one that MPI has not defined.
[[nodiscard]] inline const char* predefined_name(MPI_Datatype handle) {
    static constexpr struct {
        MPI_Datatype handle;
        const char* name;
    } known[] = {
#define DAMPI_DATATYPE(datatype) {datatype, #datatype}
        DAMPI_DATATYPE(MPI_INT),
        DAMPI_DATATYPE(MPI_DOUBLE),
        DAMPI_DATATYPE(MPI_BYTE),
        DAMPI_DATATYPE(MPI_CHAR),
        DAMPI_DATATYPE(MPI_SIGNED_CHAR),
        DAMPI_DATATYPE(MPI_UNSIGNED_CHAR),
        DAMPI_DATATYPE(MPI_WCHAR),
        DAMPI_DATATYPE(MPI_SHORT),
        DAMPI_DATATYPE(MPI_UNSIGNED_SHORT),
        DAMPI_DATATYPE(MPI_UNSIGNED),
        DAMPI_DATATYPE(MPI_LONG),
        DAMPI_DATATYPE(MPI_UNSIGNED_LONG),
        DAMPI_DATATYPE(MPI_LONG_LONG),
        DAMPI_DATATYPE(MPI_UNSIGNED_LONG_LONG),
        DAMPI_DATATYPE(MPI_FLOAT),
        DAMPI_DATATYPE(MPI_LONG_DOUBLE),
        DAMPI_DATATYPE(MPI_PACKED),
        DAMPI_DATATYPE(MPI_INT8_T),
        DAMPI_DATATYPE(MPI_INT16_T),
        DAMPI_DATATYPE(MPI_INT32_T),
        DAMPI_DATATYPE(MPI_INT64_T),
        DAMPI_DATATYPE(MPI_UINT8_T),
        DAMPI_DATATYPE(MPI_UINT16_T),
        DAMPI_DATATYPE(MPI_UINT32_T),
        DAMPI_DATATYPE(MPI_UINT64_T),
        DAMPI_DATATYPE(MPI_C_BOOL),
        DAMPI_DATATYPE(MPI_C_FLOAT_COMPLEX),
        DAMPI_DATATYPE(MPI_C_DOUBLE_COMPLEX),
        DAMPI_DATATYPE(MPI_C_LONG_DOUBLE_COMPLEX),
        DAMPI_DATATYPE(MPI_AINT),
        DAMPI_DATATYPE(MPI_OFFSET),
        DAMPI_DATATYPE(MPI_COUNT),
        DAMPI_DATATYPE(MPI_FLOAT_INT),
        DAMPI_DATATYPE(MPI_DOUBLE_INT),
        DAMPI_DATATYPE(MPI_LONG_INT),
        DAMPI_DATATYPE(MPI_SHORT_INT),
        DAMPI_DATATYPE(MPI_2INT),
        DAMPI_DATATYPE(MPI_LONG_DOUBLE_INT),
        DAMPI_DATATYPE(MPI_INTEGER),
        DAMPI_DATATYPE(MPI_REAL),
        DAMPI_DATATYPE(MPI_DOUBLE_PRECISION),
        DAMPI_DATATYPE(MPI_COMPLEX),
        DAMPI_DATATYPE(MPI_DOUBLE_COMPLEX),
        DAMPI_DATATYPE(MPI_LOGICAL),
        DAMPI_DATATYPE(MPI_CHARACTER),
        DAMPI_DATATYPE(MPI_2INTEGER),
        DAMPI_DATATYPE(MPI_2REAL),
        DAMPI_DATATYPE(MPI_2DOUBLE_PRECISION),
        DAMPI_DATATYPE(MPI_INTEGER1),
        DAMPI_DATATYPE(MPI_INTEGER2),
        DAMPI_DATATYPE(MPI_INTEGER4),
        DAMPI_DATATYPE(MPI_INTEGER8),
        DAMPI_DATATYPE(MPI_REAL4),
        DAMPI_DATATYPE(MPI_REAL8),
        DAMPI_DATATYPE(MPI_REAL16),
        DAMPI_DATATYPE(MPI_COMPLEX8),
        DAMPI_DATATYPE(MPI_COMPLEX16),
        DAMPI_DATATYPE(MPI_COMPLEX32),
        DAMPI_DATATYPE(MPI_CXX_BOOL),
        DAMPI_DATATYPE(MPI_CXX_FLOAT_COMPLEX),
        DAMPI_DATATYPE(MPI_CXX_DOUBLE_COMPLEX),
        DAMPI_DATATYPE(MPI_CXX_LONG_DOUBLE_COMPLEX),
        DAMPI_DATATYPE(MPI_DATATYPE_NULL),
#undef DAMPI_DATATYPE
    };
    for (const auto& each : known) {
        if (each.handle == handle) {
            return each.name;
        }
    }
    return nullptr;
}

class ArgumentText {
public:
    explicit ArgumentText(ObjectNames& names) : names_(names) {}

    void number(std::string_view name, long long value) { add(name, std::to_string(value)); }

    /// A number that may be MPI_UNDEFINED.
    void choice(std::string_view name, int value) {
        add(name, value == MPI_UNDEFINED ? "MPI_UNDEFINED" : std::to_string(value));
    }

    /// A rank that the call names.
    void peer(std::string_view name, int value) {
        switch (value) {
            case MPI_ANY_SOURCE:
                return add(name, "MPI_ANY_SOURCE");
            case MPI_PROC_NULL:
                return add(name, "MPI_PROC_NULL");
            case MPI_ROOT:
                return add(name, "MPI_ROOT");
            default:
                return number(name, value);
        }
    }

    void tag(std::string_view name, int value) {
        add(name, value == MPI_ANY_TAG ? "MPI_ANY_TAG" : std::to_string(value));
    }

    void lock(std::string_view name, int value) {
        add(name, value == MPI_LOCK_EXCLUSIVE ? "MPI_LOCK_EXCLUSIVE"
                  : value == MPI_LOCK_SHARED  ? "MPI_LOCK_SHARED"
                                              : std::to_string(value));
    }

    /// Assertions of a call that synchronises a window.
    void assertions(std::string_view name, int value) {
        flags(name, value,
              {{MPI_MODE_NOCHECK, "MPI_MODE_NOCHECK"},
               {MPI_MODE_NOSTORE, "MPI_MODE_NOSTORE"},
               {MPI_MODE_NOPUT, "MPI_MODE_NOPUT"},
               {MPI_MODE_NOPRECEDE, "MPI_MODE_NOPRECEDE"},
               {MPI_MODE_NOSUCCEED, "MPI_MODE_NOSUCCEED"}});
    }

    /// How a file is opened.
    void access_mode(std::string_view name, int value) {
        flags(name, value,
              {{MPI_MODE_CREATE, "MPI_MODE_CREATE"},
               {MPI_MODE_RDONLY, "MPI_MODE_RDONLY"},
               {MPI_MODE_WRONLY, "MPI_MODE_WRONLY"},
               {MPI_MODE_RDWR, "MPI_MODE_RDWR"},
               {MPI_MODE_DELETE_ON_CLOSE, "MPI_MODE_DELETE_ON_CLOSE"},
               {MPI_MODE_UNIQUE_OPEN, "MPI_MODE_UNIQUE_OPEN"},
               {MPI_MODE_EXCL, "MPI_MODE_EXCL"},
               {MPI_MODE_APPEND, "MPI_MODE_APPEND"},
               {MPI_MODE_SEQUENTIAL, "MPI_MODE_SEQUENTIAL"}});
    }

    /// The length of the call's array of requests.
    void requests(long long count) {
        begin();
        text_ += "array of " + std::to_string(count) + (count == 1 ? " request" : " requests");
    }

    void datatype(std::string_view name, MPI_Datatype handle) {
        const char* known = predefined_name(handle);
        add(name, known != nullptr ? known : names_.datatype(handle));
    }

    void operation(std::string_view name, MPI_Op handle) {
        static constexpr struct {
            MPI_Op handle;
            const char* name;
        } known[] = {{MPI_SUM, "MPI_SUM"},         {MPI_MAX, "MPI_MAX"},       {MPI_MIN, "MPI_MIN"},
                     {MPI_PROD, "MPI_PROD"},       {MPI_LAND, "MPI_LAND"},     {MPI_BAND, "MPI_BAND"},
                     {MPI_LOR, "MPI_LOR"},         {MPI_BOR, "MPI_BOR"},       {MPI_LXOR, "MPI_LXOR"},
                     {MPI_BXOR, "MPI_BXOR"},       {MPI_MINLOC, "MPI_MINLOC"}, {MPI_MAXLOC, "MPI_MAXLOC"},
                     {MPI_REPLACE, "MPI_REPLACE"}, {MPI_NO_OP, "MPI_NO_OP"},   {MPI_OP_NULL, "MPI_OP_NULL"}};
        for (const auto& each : known) {
            if (each.handle == handle) {
                return add(name, each.name);
            }
        }
        add(name, "a user-defined operator");
    }

    void communicator(std::string_view name, MPI_Comm handle) {
        switch (handle) {
            case MPI_COMM_WORLD:
                return add(name, "MPI_COMM_WORLD");
            case MPI_COMM_SELF:
                return add(name, "MPI_COMM_SELF");
            case MPI_COMM_NULL:
                return add(name, "MPI_COMM_NULL");
            default:
                return add(name, names_.communicator(handle));
        }
    }

    [[nodiscard]] const std::string& text() const { return text_; }

private:
    struct Flag {
        int bit;
        std::string_view name;
    };

    /// "MPI_MODE_CREATE | MPI_MODE_RDWR"; the number where it has bits of no such name.
    void flags(std::string_view name, int value, std::initializer_list<Flag> known) {
        std::string text;
        int rest = value;
        for (const Flag& flag : known) {
            if ((value & flag.bit) != 0) {
                text.append(text.empty() ? "" : " | ").append(flag.name);
                rest &= ~flag.bit;
            }
        }
        add(name, rest != 0 || text.empty() ? std::to_string(value) : text);
    }

    void begin() { text_ += text_.empty() ? "" : ", "; }
    void add(std::string_view name, std::string_view value) {
        begin();
        text_.append(name).append(" ").append(value);
    }

    ObjectNames& names_;
    std::string text_;
};

}  // namespace dampi::piggyback
