// Reads the file's ELF headers with libelf and asks the program's own dynamic loader, in its listing mode,
// which libraries it would load; so search paths, RPATHs and caches are the loader's business.
#include "launch/program/program.hpp"

#include "base/check.hpp"
#include "base/unique_fd.hpp"
#include "launch/program/elf_symbols.hpp"
#include "launch/program/python_mpi.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include <gelf.h>
#include <libelf.h>
#include <elf.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view mpich_soname = "libmpich.so.12";
constexpr const char* advice_to_link = "(dampi-cc links a program so that it can be verified)";

#if defined(__x86_64__)
constexpr GElf_Half own_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr GElf_Half own_machine = EM_AARCH64;
#elif defined(__riscv)
constexpr GElf_Half own_machine = EM_RISCV;
#elif defined(__powerpc64__)
constexpr GElf_Half own_machine = EM_PPC64;
#else
#error "name this machine's ELF number here"
#endif

bool is_executable_file(const fs::path& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           ::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0;
}

/// The file that `name` means. A file in the working directory that cannot be run gives way to PATH, but is
/// the one complained about when PATH has nothing either.
fs::path find_program(const std::string& name) {
    if (name.empty()) {
        throw Error("no program is named");
    }
    const bool plain = name.find('/') == std::string::npos;
    if (!plain || is_executable_file(name)) {
        return name;
    }
    if (const char* search = std::getenv("PATH")) {
        std::string_view rest(search);
        while (true) {
            const std::size_t colon = rest.find(':');
            const std::string_view folder = rest.substr(0, colon);
            fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
            if (is_executable_file(candidate)) {
                return candidate;
            }
            if (colon == std::string_view::npos) {
                break;
            }
            rest.remove_prefix(colon + 1);
        }
    }
    std::error_code ignored;
    if (!fs::exists(name, ignored)) {
        throw Error("the program " + name + " was found neither in the working directory nor in PATH");
    }
    return name;
}

/// What the headers tell.
struct Headers {
    std::string interpreter;  ///< the dynamic loader; empty without one
    bool dynamic = false;
    bool position_independent_executable = false;
};

Headers read_headers(Elf* elf, const std::string& shown) {
    GElf_Ehdr header;
    if (elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == nullptr) {
        throw Error(shown + " is not an executable program (no ELF file)");
    }
    if (header.e_machine != own_machine || header.e_ident[EI_CLASS] != (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32)) {
        throw Error(shown + " was built for another machine architecture");
    }
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
        throw Error(shown + " is an ELF file, but not an executable program");
    }
    Headers result;
    std::size_t file_size = 0;
    const char* file = elf_rawfile(elf, &file_size);
    std::size_t count = 0;
    if (elf_getphdrnum(elf, &count) != 0) {
        throw Error(shown + " is damaged: its program headers cannot be read");
    }
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr segment;
        if (gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr) {
            continue;
        }
        if (segment.p_type == PT_INTERP) {
            if (file == nullptr || segment.p_offset > file_size || segment.p_filesz > file_size - segment.p_offset) {
                throw Error(shown + " is damaged: the name of its dynamic loader lies outside the file");
            }
            const std::string_view name(file + segment.p_offset, segment.p_filesz);
            result.interpreter = name.substr(0, name.find('\0'));
        } else if (segment.p_type == PT_DYNAMIC) {
            result.dynamic = true;
            Elf_Data* data =
                elf_getdata_rawchunk(elf, static_cast<std::int64_t>(segment.p_offset), segment.p_filesz, ELF_T_DYN);
            GElf_Dyn entry;
            for (int k = 0; data != nullptr && gelf_getdyn(data, k, &entry) != nullptr && entry.d_tag != DT_NULL; ++k) {
                if (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE) != 0) {
                    result.position_independent_executable = true;
                }
            }
        }
    }
    if (header.e_type == ET_DYN && result.interpreter.empty() && !result.position_independent_executable) {
        throw Error(shown + " is a shared library, not a program");
    }
    return result;
}

/// What the symbol, an array of characters, is; empty where the file has none of it.
std::string text_at(Elf* elf, const GElf_Sym& symbol) {
    Elf_Scn* const section = elf_getscn(elf, symbol.st_shndx);
    GElf_Shdr header;
    Elf_Data* const data = section == nullptr ? nullptr : elf_getdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr || gelf_getshdr(section, &header) == nullptr ||
        symbol.st_value < header.sh_addr || symbol.st_value - header.sh_addr > data->d_size ||
        symbol.st_size > data->d_size - (symbol.st_value - header.sh_addr)) {
        return {};
    }
    const std::string_view text(static_cast<const char*>(data->d_buf) + (symbol.st_value - header.sh_addr),
                                symbol.st_size);
    return std::string(text.substr(0, text.find('\0')));
}

std::string mpich_version(const fs::path& library) {
    const base::UniqueFd fd(::open(library.c_str(), O_RDONLY | O_CLOEXEC));
    const ElfHandle elf = fd ? open_elf(fd.get()) : nullptr;
    std::string version;
    if (elf != nullptr) {
        any_entry(elf.get(), SHT_DYNSYM, [&](std::string_view name, const GElf_Sym& symbol) {
            const bool is_it = name == "MPII_Version_string" && symbol.st_shndx != SHN_UNDEF;
            version = is_it ? text_at(elf.get(), symbol) : version;
            return is_it;
        });
    }
    return version;
}

/// mpi_send_f08_, mpi_send_f08ts_, ...: what compilers make of a call through the module mpi_f08.
bool imports_mpi_f08(Elf* elf) {
    return any_symbol(elf, SHT_DYNSYM, [](std::string_view name, bool defined) {
        return !defined && (name.starts_with("mpi_") || name.starts_with("pmpi_")) &&
               (name.ends_with("_f08_") || name.find("_f08ts_") != std::string_view::npos);
    });
}

/// "MPI_Send" for the names of all bindings of it, in lower case: mpi_send, mpi_send_, mpi_send_f08_, mpi_send_f08ts_;
/// empty for others.
std::string mpi_function(std::string_view name) {
    if (!name.starts_with("mpi_") || name.size() < 5) {
        return {};
    }
    for (const std::string_view ending : {"_", "_f08ts", "_f08"}) {
        if (name.ends_with(ending)) {
            name.remove_suffix(ending.size());
        }
    }
    std::string function(name);
    function.replace(0, 4, "MPI_");
    function[4] = static_cast<char>(std::toupper(static_cast<unsigned char>(function[4])));
    return function;
}

/// All bindings in lower case, and without the P of PMPI: PMPI_Win_create, mpi_win_create_, mpi_win_create_f08_,
/// MPI::Win (mangled).
std::string name_of_binding(std::string_view symbol) {
    std::string name(symbol.substr(0, 64));
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    if (name.starts_with("pmpi")) {
        name.erase(0, 1);
    }
    return name;
}

/// What begins as a function of MPI's and is none, of Open MPI's Fortran: variables whose address is an argument, and
/// MPI_Sizeof, whose names have the types.
bool is_no_call(std::string_view name) { return name.starts_with("mpi_fortran_") || name.starts_with("mpi_sizeof_"); }

/// Of libm: sqrt, sqrtf, sqrtl, ...
bool is_mathematical(std::string_view name) {
    constexpr auto functions = std::to_array<std::string_view>(
        {"acos",  "acosh", "asin", "asinh",  "atan",  "atan2",  "atanh", "cbrt",      "ceil",    "copysign",
         "cos",   "cosh",  "erf",  "erfc",   "exp",   "exp2",   "expm1", "fabs",      "fdim",    "floor",
         "fma",   "fmax",  "fmin", "fmod",   "frexp", "hypot",  "ldexp", "llrint",    "llround", "log",
         "log10", "log1p", "log2", "logb",   "lrint", "lround", "modf",  "nearbyint", "pow",     "remainder",
         "rint",  "round", "sin",  "sincos", "sinh",  "sqrt",   "tan",   "tanh",      "tgamma",  "trunc"});
    const auto is_one = [&](std::string_view each) {
        return std::binary_search(functions.begin(), functions.end(), each);
    };
    const bool typed = !name.empty() && (name.back() == 'f' || name.back() == 'l');
    return is_one(name) || (typed && is_one(name.substr(0, name.size() - 1)));
}

/// Whether ch3 does the function of a window otherwise ("MPI_Win_lock"): without the target's help it cannot get at its
/// memory, it asks for a lock only when it is needed, and with sockets no window is shared memory. Not of those that
/// are accessed between fences, or between start and complete, alone.
bool is_window_beyond_ch3(std::string_view function) {
    constexpr auto same = std::to_array<std::string_view>(
        {"MPI_Win_allocate", "MPI_Win_complete", "MPI_Win_create", "MPI_Win_fence", "MPI_Win_free", "MPI_Win_get_group",
         "MPI_Win_post", "MPI_Win_start", "MPI_Win_test", "MPI_Win_wait"});
    return function.starts_with("MPI_Win_") && !std::binary_search(same.begin(), same.end(), function);
}

/// Whether ch3 lacks the function, or does it otherwise. The name is in lower case and without the P of PMPI_.
bool is_beyond_ch3(std::string_view name) {
    constexpr std::array<std::string_view, 16> beginnings{
        "mpi_psend_init", "mpi_precv_init",    "mpi_pready",          "mpi_parrived",
        "mpi_comm_spawn", "mpi_comm_accept",   "mpi_comm_join",       "mpi_comm_connect",
        "mpi_open_port",  "mpi_close_port",    "mpi_publish",         "mpi_lookup",
        "mpi_unpublish",  "mpi_get_library_v", "mpi_comm_split_type", "mpi_t_"};
    const auto begins_it = [&](std::string_view beginning) { return name.starts_with(beginning); };
    const bool large_count =
        name.starts_with("mpi_") && (name.ends_with("_c") || name.find("_c_f08") != std::string_view::npos);
    return large_count || name.starts_with("mpix_") || std::any_of(beginnings.begin(), beginnings.end(), begins_it) ||
           is_window_beyond_ch3(mpi_function(name)) || name.find("3mpi3win") != std::string_view::npos;
}

/// The runtime of a sanitizer: a library of its own, or part of the executable.
void note_sanitizers(Elf* elf, Program& program) {
    any_symbol(elf, SHT_DYNSYM, [&](std::string_view symbol, bool /*defined*/) {
        const bool thread = symbol.starts_with("__tsan_");
        program.thread_sanitized = program.thread_sanitized || thread;
        program.sanitized = program.sanitized || thread || symbol.starts_with("__asan_") ||
                            symbol.starts_with("__lsan_") || symbol.starts_with("__ubsan_");
        return program.thread_sanitized;
    });
}

/// Notes which of the program's flags the imports of this file raise.
void note_imports(Elf* elf, Program& program) {
    any_symbol(elf, SHT_DYNSYM, [&](std::string_view symbol, bool defined) {
        if (defined) {
            return false;
        }
        if (symbol.starts_with("hwloc_")) {
            program.observes_topology = true;
        }
        const std::string name = name_of_binding(symbol);
        if (const std::string function = mpi_function(name); !function.empty() && !is_no_call(name)) {
            program.mpi_functions.insert(function);
        }
        if (program.beyond_ch3.empty() && is_beyond_ch3(name)) {
            program.beyond_ch3 = symbol;
        }
        const bool both = name.starts_with("mpi_comm_split_type") || name.starts_with("mpi_t_");
        if (both) {
            program.observes_topology = true;
        }
        if (both || name.starts_with("mpi_win_allocate_shared") || name.starts_with("mpi_win_shared_query")) {
            program.observes_node = true;
        }
        program.has_windows =
            program.has_windows || name.starts_with("mpi_win_") || name.find("3mpi3win") != std::string::npos;
        return false;
    });
    program.uses_mpi_f08 = program.uses_mpi_f08 || imports_mpi_f08(elf);
    note_sanitizers(elf, program);
}

// Those that the layer makes virtual (piggyback/rank/time), in C, C++ and Fortran. In order.
constexpr std::array clock_functions = std::to_array<std::string_view>({"_ZNSt6chrono3_V212steady_clock3nowEv",
                                                                        "_ZNSt6chrono3_V212system_clock3nowEv",
                                                                        "__poll_chk",
                                                                        "_gfortran_date_and_time",
                                                                        "_gfortran_secnds",
                                                                        "_gfortran_sleep_i4_sub",
                                                                        "_gfortran_sleep_i8_sub",
                                                                        "_gfortran_system_clock_4",
                                                                        "_gfortran_system_clock_8",
                                                                        "_gfortran_time8_func",
                                                                        "_gfortran_time_func",
                                                                        "alarm",
                                                                        "clock_gettime",
                                                                        "clock_nanosleep",
                                                                        "gettimeofday",
                                                                        "nanosleep",
                                                                        "omp_get_wtime",
                                                                        "pause",
                                                                        "poll",
                                                                        "ppoll",
                                                                        "pselect",
                                                                        "select",
                                                                        "setitimer",
                                                                        "sleep",
                                                                        "thrd_sleep",
                                                                        "time",
                                                                        "timer_settime",
                                                                        "times",
                                                                        "timespec_get",
                                                                        "ualarm",
                                                                        "usleep"});

// What makes threads, or waits for a real time. Beginnings.
constexpr std::array real_time_functions = std::to_array<std::string_view>(
    {"GOMP_parallel", "_ZNSt6thread", "__kmpc_fork_call", "epoll_", "pthread_cond_clockwait", "pthread_cond_timedwait",
     "pthread_create", "pthread_mutex_timedlock", "sem_clockwait", "sem_timedwait", "signalfd", "sigsuspend",
     "sigtimedwait", "sigwait", "thrd_create", "timerfd_"});

/// Of the program's file, or of a library of its own.
void note_what_it_reads(Elf* elf, Program& program) {
    any_symbol(elf, SHT_DYNSYM, [&](std::string_view symbol, bool defined) {
        // The program's file may have the variable itself, as a copy of the C library's.
        program.reads_environ =
            program.reads_environ || symbol == "environ" || symbol == "__environ" || symbol == "_environ";
        if (defined) {
            return false;
        }
        if (std::binary_search(clock_functions.begin(), clock_functions.end(), symbol) ||
            symbol.starts_with("_ZNSt11this_thread11__sleep_for")) {
            program.clock_functions.emplace(symbol);
        }
        if (program.needs_real_time.empty() &&
            std::any_of(real_time_functions.begin(), real_time_functions.end(),
                        [&](std::string_view each) { return symbol.starts_with(each); })) {
            program.needs_real_time = symbol;
        }
        return false;
    });
}

bool is_fortran_of_open_mpi(std::string_view library) {
    return library.starts_with("libmpi_mpifh.so") || library.starts_with("libmpi_usempi");
}

/// A library of Open MPI's that does without its MPI library proper.
bool goes_with_translation(std::string_view library) {
    return library.starts_with("libopen-rte.so") || library.starts_with("libopen-pal.so") ||
           library.starts_with("libmpi_cxx.so") || is_fortran_of_open_mpi(library) ||
           library.starts_with("libdampi-openmpi");
}

/// Whether a library belongs to the program rather than to the system: it is nowhere where the system has its own, or
/// it calls MPI.
bool is_programs_own(const fs::path& library, Elf* elf) {
    const std::string path = library.lexically_normal().string();
    const bool systems = path.starts_with("/lib") || path.starts_with("/usr/lib");
    return !systems || any_symbol(elf, SHT_DYNSYM, [](std::string_view symbol, bool defined) {
        return !defined && (symbol.starts_with("MPI_") || symbol.starts_with("PMPI_") || symbol.starts_with("mpi_"));
    });
}

base::UniqueFd open_to_read(const fs::path& path) {
    base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) {
        throw Error("cannot read " + path.string() + ": " + std::strerror(errno));
    }
    return fd;
}

/// Calls back with each name that the library exports.
template <typename Take>
void for_each_export(const fs::path& library, Take take) {
    const base::UniqueFd fd = open_to_read(library);
    const ElfHandle elf = open_elf(fd.get());
    if (elf != nullptr) {
        any_symbol(elf.get(), SHT_DYNSYM, [&](std::string_view symbol, bool defined) {
            if (defined) {
                take(symbol);
            }
            return false;
        });
    }
}

/// Names of MPI functions, without those of Fortran.
std::set<std::string> exported_functions(const fs::path& library) {
    std::set<std::string> names;
    for_each_export(library, [&](std::string_view symbol) {
        if (symbol.starts_with("PMPI_")) {
            names.emplace(symbol);
        }
    });
    return names;
}

bool contains_mpi_itself(Elf* elf) {
    const auto is_mpi = [](std::string_view name, bool defined) { return defined && name == "PMPI_Init"; };
    return any_symbol(elf, SHT_SYMTAB, is_mpi) || any_symbol(elf, SHT_DYNSYM, is_mpi);
}

bool contains_mpi_f08(Elf* elf) {
    return any_symbol(elf, SHT_SYMTAB, [](std::string_view name, bool defined) {
        return defined && name.starts_with("mpi_") && name.ends_with("_f08_");
    });
}

std::string in_hexadecimal(const void* bytes, std::size_t size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) {
        std::array<char, 3> digits{};
        std::snprintf(digits.data(), digits.size(), "%02x", static_cast<const unsigned char*>(bytes)[i]);
        text += digits.data();
    }
    return text;
}

/// What the note says that piggyback/rank/archive.cpp leaves; empty without one.
std::string find_contained_layer(Elf* elf) {
    constexpr std::string_view owner = "dampi";
    std::size_t segments = 0;
    if (elf_getphdrnum(elf, &segments) != 0) {
        return {};
    }
    for (std::size_t i = 0; i < segments; ++i) {
        GElf_Phdr segment;
        if (gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr || segment.p_type != PT_NOTE) {
            continue;
        }
        Elf_Data* data =
            elf_getdata_rawchunk(elf, static_cast<std::int64_t>(segment.p_offset), segment.p_filesz, ELF_T_NHDR);
        GElf_Nhdr note;
        std::size_t name = 0;
        std::size_t text = 0;
        std::size_t next = 0;
        while (data != nullptr && (next = gelf_getnote(data, next, &note, &name, &text)) > 0) {
            const auto* bytes = static_cast<const char*>(data->d_buf);
            if (note.n_type == 1 && note.n_namesz == owner.size() + 1 && owner.compare(bytes + name) == 0) {
                return in_hexadecimal(bytes + text, note.n_descsz);
            }
        }
    }
    return {};
}

/// By the names under which the file itself asks for them.
std::vector<std::string> needed_libraries(Elf* elf) {
    std::vector<std::string> names;
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf, section)) != nullptr) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNAMIC) {
            continue;
        }
        Elf_Data* data = elf_getdata(section, nullptr);
        GElf_Dyn entry;
        for (int i = 0; data != nullptr && gelf_getdyn(data, i, &entry) != nullptr && entry.d_tag != DT_NULL; ++i) {
            if (entry.d_tag == DT_NEEDED) {
                const char* name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
                names.emplace_back(name == nullptr ? "?" : name);
            }
        }
    }
    return names;
}

struct Library {
    std::string name;  ///< as the program asks for it
    fs::path path;     ///< empty: not found
};

/// Runs the loader in its listing mode, which maps the libraries but starts nothing of the program. `preloaded` are
/// ours, with colons between.
std::vector<Library> list_libraries(const std::string& loader, const fs::path& program, const std::string& shown,
                                    const std::vector<std::pair<std::string, std::string>>& additions,
                                    const std::string& preloaded = {}) {
    std::vector<std::string> variables;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        variables.emplace_back(*entry);
    }
    for (const auto& addition : additions) {
        const std::string assignment = addition.first + "=";
        std::erase_if(variables, [&](const std::string& entry) { return entry.starts_with(assignment); });
        variables.push_back(assignment + addition.second);
    }
    // What is preloaded is not what the program is linked against, and LD_DEBUG's chatter is not a list.
    std::erase_if(variables, [](const std::string& entry) {
        return entry.starts_with("LD_") && !entry.starts_with("LD_LIBRARY_PATH=");
    });
    if (!preloaded.empty()) {
        variables.push_back("LD_PRELOAD=" + preloaded);
    }
    std::vector<char*> environment;
    for (std::string& entry : variables) {
        environment.push_back(entry.data());
    }
    environment.push_back(nullptr);
    std::array<std::string, 3> words{loader, "--list", program.string()};
    std::array<char*, 4> arguments{words[0].data(), words[1].data(), words[2].data(), nullptr};

    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw Error(std::string("cannot create a pipe: ") + std::strerror(errno));
    }
    base::UniqueFd read_end(ends[0]);
    base::UniqueFd write_end(ends[1]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, write_end.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, write_end.get(), STDERR_FILENO);
    pid_t pid = 0;
    const int error = ::posix_spawn(&pid, loader.c_str(), &actions, nullptr, arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    write_end.reset();
    if (error != 0) {
        throw Error(shown + " needs the dynamic loader " + loader + ", which cannot be run: " + std::strerror(error));
    }
    std::string text;
    std::array<char, 4096> buffer;
    while (true) {
        const ssize_t count = ::read(read_end.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            break;
        }
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {}

    std::vector<Library> libraries;
    std::string_view rest(text);
    while (!rest.empty()) {
        const std::size_t newline = rest.find('\n');
        std::string_view line = rest.substr(0, newline);
        rest.remove_prefix(newline == std::string_view::npos ? rest.size() : newline + 1);
        // Lines: "<tab>name => /path (0x...)", "<tab>name => not found", "<tab>/path (0x...)", and complaints.
        if (!line.starts_with('\t')) {
            continue;
        }
        line.remove_prefix(1);
        const std::size_t arrow = line.find(" => ");
        std::string_view name = line.substr(0, arrow);
        std::string_view path = arrow == std::string_view::npos ? line : line.substr(arrow + 4);
        const std::size_t address = path.rfind(" (0x");
        if (address == std::string_view::npos) {
            if (path == "not found") {
                libraries.push_back({std::string(name), {}});
            }
            continue;
        }
        path = path.substr(0, address);
        if (arrow == std::string_view::npos) {
            name = path;
        }
        if (path.starts_with('/')) {
            libraries.push_back({fs::path(name).filename().string(), std::string(path)});
        }
    }
    if (libraries.empty() || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        const bool only_missing = std::any_of(libraries.begin(), libraries.end(),
                                              [](const Library& library) { return library.path.empty(); });
        if (!only_missing) {
            const std::string first_line = text.substr(0, text.find('\n'));
            throw Error("the dynamic loader cannot load " + shown +
                        (first_line.empty() || first_line.front() == '\t' ? std::string() : ": " + first_line));
        }
    }
    return libraries;
}

/// The name for people of an MPI library that is not the MPICH we verify with; empty for any other library.
std::string other_mpi(std::string_view library) {
    if (library.starts_with("libopen-rte.so") || library.starts_with("libopen-pal.so")) {
        return "Open MPI";
    }
    if (library.starts_with("libmpi.so.") || library == "libmpi.so") {
        if (library == "libmpi.so.12") {
            return "an MPI library named libmpi.so.12 (Intel MPI, or an MPICH of another build)";
        }
        return "Open MPI";
    }
    if (is_fortran_of_open_mpi(library)) {
        return "Open MPI";
    }
    if (library.starts_with("libmpifort.so.12") || library.starts_with("libmpicxx.so.12")) {
        return "an MPI library of another build of MPICH or of Intel MPI";
    }
    if (library.starts_with("libmpich.so") && library != mpich_soname) {
        return "another version of MPICH";
    }
    if (library.starts_with("liblam")) {
        return "LAM/MPI";
    }
    return {};
}

std::string fingerprint_of(int fd, const std::string& shown) {
    // FNV-1a over 64-bit words with a final mix: it tells versions of a program apart, it is no seal.
    constexpr std::uint64_t prime = 0x100000001b3;
    std::uint64_t hash = 0xcbf29ce484222325;
    std::uint64_t size = 0;
    std::vector<unsigned char> buffer(std::size_t{1} << 18);
    while (true) {
        std::size_t filled = 0;  // whole buffers, so that words do not depend on how read() cuts the file
        while (filled < buffer.size()) {
            const ssize_t count =
                ::pread(fd, buffer.data() + filled, buffer.size() - filled, static_cast<off_t>(size + filled));
            if (count < 0 && errno == EINTR) {
                continue;
            }
            if (count < 0) {
                throw Error("cannot read " + shown + ": " + std::strerror(errno));
            }
            if (count == 0) {
                break;
            }
            filled += static_cast<std::size_t>(count);
        }
        for (std::size_t i = 0; i < filled; i += sizeof(std::uint64_t)) {
            std::uint64_t word = 0;
            std::memcpy(&word, buffer.data() + i, std::min(sizeof word, filled - i));
            hash = (hash ^ word) * prime;
            hash ^= hash >> 29;
        }
        size += filled;
        if (filled < buffer.size()) {
            break;
        }
    }
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%llx-%016llx", static_cast<unsigned long long>(size),
                  static_cast<unsigned long long>(hash));
    return text.data();
}

void refuse_without_translation(const Program& program, const std::string& shown) {
    std::error_code ignored;
    for (const fs::path& library : program.translation.files()) {
        if (!fs::exists(library, ignored)) {
            throw Error(shown + " uses Open MPI, and " + library.string() +
                        ", by which it would run, is missing: install dampi again");
        }
    }
}

/// What is built with MPICH, where the program is Open MPI's.
void refuse_two_libraries(const Program& program, const std::string& shown, const std::vector<std::string>& needed,
                          const std::vector<Library>& libraries) {
    if (program.translation.empty()) {
        return;
    }
    const auto is_mpich = [](const std::string& name) { return name.starts_with("libmpich"); };
    std::string who = std::any_of(needed.begin(), needed.end(), is_mpich) ? shown : "";
    for (const Library& library : libraries) {
        if (who.empty() && !is_mpich(library.name) && !library.name.starts_with("libdampi") && !library.path.empty()) {
            const std::vector<std::string> its = launch::needed_libraries(library.path);
            who = std::any_of(its.begin(), its.end(), is_mpich) ? library.path.string() : "";
        }
    }
    if (!who.empty()) {
        throw Error(shown + " needs two MPI libraries, Open MPI's, and MPICH's (" + std::string(mpich_soname) +
                    (who == shown ? "" : ", for " + who) +
                    "); build all of it with the compiler commands of one of them");
    }
}

void refuse_what_is_not_translated(const Program& program, const std::string& shown) {
    if (program.translation.empty()) {
        return;
    }
    std::set<std::string> known;
    for (const fs::path& library : program.translation.files()) {
        for_each_export(library, [&](std::string_view symbol) { known.insert(mpi_function(name_of_binding(symbol))); });
    }
    for (const std::string& function : program.mpi_functions) {
        if (!known.contains(function)) {
            throw Error(shown + " is linked against Open MPI and calls " + function +
                        ", which is not known there; build it with MPICH's own compiler commands (mpicc.mpich)");
        }
    }
}

/// The first line of a script, without "#!"; none for another file.
std::optional<std::string> interpreter_line(int fd) {
    std::array<char, 256> begin{};  // the kernel looks at no more
    const ssize_t length = ::pread(fd, begin.data(), begin.size(), 0);
    std::string_view text(begin.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
    if (!text.starts_with("#!")) {
        return std::nullopt;
    }
    text.remove_prefix(2);
    return std::string(text.substr(0, text.find('\n')));
}

void inspect_file(const fs::path& path, const std::string& shown,
                  const std::vector<std::pair<std::string, std::string>>& environment, int depth, Program& program);

/// A script: what it is for must be a program that can be verified.
void inspect_script(const std::string& line, const std::string& shown,
                    const std::vector<std::pair<std::string, std::string>>& environment, int depth, Program& program) {
    constexpr int deepest = 4;  // as for the kernel
    std::istringstream words(line);
    std::string interpreter;
    words >> interpreter;
    if (interpreter.empty()) {
        throw Error(shown + " is a script that names no program to run it");
    }
    if (depth == deepest) {
        throw Error(shown + " is a script for a script for a script, and so on");
    }
    std::error_code ignored;
    if (!fs::exists(interpreter, ignored)) {
        throw Error(shown + " is a script for " + interpreter + ", which is missing");
    }
    inspect_file(interpreter, interpreter, environment, depth + 1, program);
    if (fs::path(interpreter).filename() != "env") {
        return;
    }
    // env looks for the program that it executes, behind options and variables.
    for (std::string word; words >> word;) {
        if (word.starts_with('-') || word.find('=') != std::string::npos) {
            continue;
        }
        inspect_file(find_program(word), word, environment, depth + 1, program);
        return;
    }
}

/// Adds to `program` what the file says.
void inspect_file(const fs::path& path, const std::string& shown,
                  const std::vector<std::pair<std::string, std::string>>& environment, int depth, Program& program) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            throw Error("there is no program " + shown);
        }
        throw Error("cannot look at " + shown + ": " + std::strerror(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        throw Error(shown + " is a directory, not a program");
    }
    if (!S_ISREG(status.st_mode)) {
        throw Error(shown + " is not a regular file");
    }
    if (!is_executable_file(path)) {
        const fs::path ending = path.extension();
        const bool is_source = ending == ".c" || ending == ".cpp" || ending == ".cc" || ending == ".cxx" ||
                               ending == ".f" || ending == ".f90" || ending == ".F90";
        throw Error(shown + (is_source ? " is a source: compile it first" : " is not executable (chmod +x?)"));
    }
    if (((status.st_mode & S_ISUID) != 0 && status.st_uid != ::geteuid()) ||
        ((status.st_mode & S_ISGID) != 0 && status.st_gid != ::getegid())) {
        throw Error(shown +
                    " runs as another user or group, so that the system lets nothing be preloaded into it: run " +
                    "a copy without that permission (cp, chmod u-s,g-s)");
    }
    const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) {
        throw Error("cannot read " + shown + ": " + std::strerror(errno));
    }
    program.fingerprint += (depth == 0 ? "" : "+") + fingerprint_of(fd.get(), shown);
    if (depth > 0) {
        program.interpreters.push_back(path);
    }
    if (const auto script_for = interpreter_line(fd.get())) {
        inspect_script(*script_for, shown, environment, depth, program);
        program.mpi_at_run_time =
            true;  // also where the interpreter itself is linked against MPI: it may execute others
        program.observes_node = program.observes_topology = true;
        return;
    }

    const ElfHandle elf = open_elf(fd.get());
    const Headers headers = read_headers(elf.get(), shown);
    if (headers.interpreter.empty()) {
        throw Error(shown + " is statically linked; link it dynamically, so that its MPI calls can be observed " +
                    advice_to_link);
    }
    if (!fs::path(headers.interpreter).filename().string().starts_with("ld")) {
        throw Error(shown + " asks for " + headers.interpreter + " as its dynamic loader, which is not known as one");
    }

    // Open MPI itself need not be there.
    const std::vector<std::string> needed = needed_libraries(elf.get());
    const auto asks_for = [&needed](const auto& is_meant) {
        return std::any_of(needed.begin(), needed.end(), is_meant);
    };
    const fs::path for_fortran = std::exchange(program.translation.fortran, {});
    if (!asks_for([](std::string_view name) { return name == open_mpi_soname || is_fortran_of_open_mpi(name); })) {
        program.translation.c.clear();
    }
    refuse_without_translation(program, shown);
    std::vector<Library> libraries =
        list_libraries(headers.interpreter, path, shown, environment, program.translation.preloaded());
    if (!program.translation.empty() && std::any_of(libraries.begin(), libraries.end(), [](const Library& library) {
            return is_fortran_of_open_mpi(library.name);
        })) {
        program.translation.fortran = for_fortran;
        refuse_without_translation(program, shown);
        libraries = list_libraries(headers.interpreter, path, shown, environment, program.translation.preloaded());
    }
    for (const Library& library : libraries) {
        const bool is_known = !program.translation.empty() && goes_with_translation(library.name);
        const std::string other = is_known ? "" : other_mpi(library.name);
        if (!other.empty()) {
            throw Error(shown + " is linked against " + other + "; build it with MPICH's own compiler commands" +
                        " (mpicc.mpich, mpicxx.mpich, mpifort.mpich)");
        }
    }
    refuse_two_libraries(program, shown, needed, libraries);
    std::string missing;
    for (const Library& library : libraries) {
        if (library.path.empty() && missing.find(library.name) == std::string::npos) {
            missing += (missing.empty() ? "" : ", ") + library.name;
        }
        if (library.name == mpich_soname) {
            program.mpi_library = library.path;
            program.mpich_version = mpich_version(library.path);
        }
        program.linked_with_layer = program.linked_with_layer || library.name == "libdampi.so";
        if (!library.path.empty()) {
            program.libraries.push_back(library.path);
        }
    }
    if (!missing.empty()) {
        throw Error(shown + " needs shared libraries that are not found: " + missing);
    }
    if (program.mpi_library.empty()) {
        program.observes_node = program.observes_topology = true;
        program.contained_layer = find_contained_layer(elf.get());
        program.mpi_at_run_time = program.contained_layer.empty();
        if (program.mpi_at_run_time && contains_mpi_itself(elf.get())) {
            throw Error(shown + " has the MPI library linked in statically, but not the layer " + advice_to_link);
        }
        if (!program.mpi_at_run_time && contains_mpi_f08(elf.get())) {
            throw Error(shown +
                        " has the MPI library and its module mpi_f08 linked in statically, so that many of its " +
                        "calls cannot be observed; link it dynamically");
        }
        return;
    }

    note_imports(elf.get(), program);
    note_what_it_reads(elf.get(), program);
    refuse_what_is_not_translated(program, shown);
    for (const Library& library : libraries) {
        program.imports_whole_bindings =
            program.imports_whole_bindings || library.name.starts_with("libmpi_cxx.so");  // Open MPI's
        // MPICH's own libraries call everything, and what they are built on (hwloc, UCX) is not the program's.
        if (library.name.starts_with("libmpich") || library.name.starts_with("libhwloc") ||
            goes_with_translation(library.name)) {
            continue;
        }
        const base::UniqueFd library_fd(::open(library.path.c_str(), O_RDONLY | O_CLOEXEC));
        if (!library_fd) {
            continue;
        }
        const ElfHandle library_elf = open_elf(library_fd.get());
        if (library_elf != nullptr) {
            note_imports(library_elf.get(), program);
            if (is_programs_own(library.path, library_elf.get())) {
                note_what_it_reads(library_elf.get(), program);
            }
        }
    }
}

// What is defined by the C library and does nothing but compute, use the standard streams, and ask for what hooks
// notice before MPI_Init (piggyback/rank/lifecycle/before_main.cpp) or what is the same for all processes of a user. In
// order.
constexpr std::array harmless_functions = std::to_array<std::string_view>({"_ITM_deregisterTMCloneTable",
                                                                           "_ITM_registerTMCloneTable",
                                                                           "_Unwind_Resume",
                                                                           "__assert_fail",
                                                                           "__ctype_b_loc",
                                                                           "__ctype_tolower_loc",
                                                                           "__ctype_toupper_loc",
                                                                           "__cxa_allocate_exception",
                                                                           "__cxa_atexit",
                                                                           "__cxa_bad_cast",
                                                                           "__cxa_bad_typeid",
                                                                           "__cxa_begin_catch",
                                                                           "__cxa_deleted_virtual",
                                                                           "__cxa_end_catch",
                                                                           "__cxa_finalize",
                                                                           "__cxa_free_exception",
                                                                           "__cxa_get_exception_ptr",
                                                                           "__cxa_guard_abort",
                                                                           "__cxa_guard_acquire",
                                                                           "__cxa_guard_release",
                                                                           "__cxa_init_primary_exception",
                                                                           "__cxa_pure_virtual",
                                                                           "__cxa_rethrow",
                                                                           "__cxa_throw",
                                                                           "__cxa_throw_bad_array_new_length",
                                                                           "__dynamic_cast",
                                                                           "__errno_location",
                                                                           "__fprintf_chk",
                                                                           "__gmon_start__",
                                                                           "__gxx_personality_v0",
                                                                           "__isoc23_sscanf",
                                                                           "__isoc23_strtol",
                                                                           "__isoc23_strtoll",
                                                                           "__isoc23_strtoul",
                                                                           "__isoc23_strtoull",
                                                                           "__isoc99_sscanf",
                                                                           "__libc_single_threaded",
                                                                           "__libc_start_main",
                                                                           "__longjmp_chk",
                                                                           "__memcpy_chk",
                                                                           "__memmove_chk",
                                                                           "__mempcpy_chk",
                                                                           "__memset_chk",
                                                                           "__printf_chk",
                                                                           "__sigsetjmp",
                                                                           "__snprintf_chk",
                                                                           "__sprintf_chk",
                                                                           "__stack_chk_fail",
                                                                           "__stpcpy_chk",
                                                                           "__strcat_chk",
                                                                           "__strcpy_chk",
                                                                           "__strncat_chk",
                                                                           "__strncpy_chk",
                                                                           "__vfprintf_chk",
                                                                           "__vsnprintf_chk",
                                                                           "__vsprintf_chk",
                                                                           "_exit",
                                                                           "_longjmp",
                                                                           "_setjmp",
                                                                           "abort",
                                                                           "abs",
                                                                           "aligned_alloc",
                                                                           "asctime",
                                                                           "atexit",
                                                                           "atof",
                                                                           "atoi",
                                                                           "atol",
                                                                           "atoll",
                                                                           "bcopy",
                                                                           "bsearch",
                                                                           "bzero",
                                                                           "calloc",
                                                                           "clearerr",
                                                                           "clock_gettime",
                                                                           "ctime",
                                                                           "difftime",
                                                                           "div",
                                                                           "drand48",
                                                                           "erand48",
                                                                           "exit",
                                                                           "feclearexcept",
                                                                           "fedisableexcept",
                                                                           "feenableexcept",
                                                                           "fegetenv",
                                                                           "fegetexcept",
                                                                           "fegetround",
                                                                           "feholdexcept",
                                                                           "feof",
                                                                           "feraiseexcept",
                                                                           "ferror",
                                                                           "fesetenv",
                                                                           "fesetround",
                                                                           "fetestexcept",
                                                                           "feupdateenv",
                                                                           "fflush",
                                                                           "fprintf",
                                                                           "fputc",
                                                                           "fputs",
                                                                           "free",
                                                                           "fwrite",
                                                                           "getenv",
                                                                           "gethostname",
                                                                           "getpagesize",
                                                                           "getpid",
                                                                           "gettimeofday",
                                                                           "gmtime",
                                                                           "gmtime_r",
                                                                           "jrand48",
                                                                           "labs",
                                                                           "ldiv",
                                                                           "llabs",
                                                                           "lldiv",
                                                                           "localeconv",
                                                                           "localtime",
                                                                           "localtime_r",
                                                                           "longjmp",
                                                                           "lrand48",
                                                                           "malloc",
                                                                           "memalign",
                                                                           "memchr",
                                                                           "memcmp",
                                                                           "memcpy",
                                                                           "memmem",
                                                                           "memmove",
                                                                           "mempcpy",
                                                                           "memrchr",
                                                                           "memset",
                                                                           "mktime",
                                                                           "mrand48",
                                                                           "nanosleep",
                                                                           "nrand48",
                                                                           "perror",
                                                                           "posix_memalign",
                                                                           "printf",
                                                                           "putc",
                                                                           "putchar",
                                                                           "putenv",
                                                                           "puts",
                                                                           "qsort",
                                                                           "qsort_r",
                                                                           "raise",
                                                                           "rand",
                                                                           "rand_r",
                                                                           "random",
                                                                           "realloc",
                                                                           "reallocarray",
                                                                           "seed48",
                                                                           "setbuf",
                                                                           "setenv",
                                                                           "setjmp",
                                                                           "setlocale",
                                                                           "setvbuf",
                                                                           "sigaddset",
                                                                           "sigdelset",
                                                                           "sigemptyset",
                                                                           "sigfillset",
                                                                           "sigismember",
                                                                           "siglongjmp",
                                                                           "sigsetjmp",
                                                                           "sleep",
                                                                           "snprintf",
                                                                           "sprintf",
                                                                           "srand",
                                                                           "srand48",
                                                                           "srandom",
                                                                           "sscanf",
                                                                           "stderr",
                                                                           "stdout",
                                                                           "stpcpy",
                                                                           "stpncpy",
                                                                           "strcasecmp",
                                                                           "strcasestr",
                                                                           "strcat",
                                                                           "strchr",
                                                                           "strchrnul",
                                                                           "strcmp",
                                                                           "strcoll",
                                                                           "strcpy",
                                                                           "strcspn",
                                                                           "strdup",
                                                                           "strerror",
                                                                           "strftime",
                                                                           "strlen",
                                                                           "strncasecmp",
                                                                           "strncat",
                                                                           "strncmp",
                                                                           "strncpy",
                                                                           "strndup",
                                                                           "strnlen",
                                                                           "strpbrk",
                                                                           "strrchr",
                                                                           "strsep",
                                                                           "strspn",
                                                                           "strstr",
                                                                           "strtod",
                                                                           "strtof",
                                                                           "strtoimax",
                                                                           "strtok",
                                                                           "strtok_r",
                                                                           "strtol",
                                                                           "strtold",
                                                                           "strtoll",
                                                                           "strtoul",
                                                                           "strtoull",
                                                                           "strtoumax",
                                                                           "sysconf",
                                                                           "time",
                                                                           "tolower",
                                                                           "toupper",
                                                                           "uname",
                                                                           "unsetenv",
                                                                           "usleep",
                                                                           "vfprintf",
                                                                           "vprintf",
                                                                           "vsnprintf"});

// What C++ programs import of the standard library that only computes, or writes to the standard streams: beginnings of
// mangled names behind _Z, so of what belongs to a class or is called like that. Not in it, and so not harmless: files,
// std::cin, buffers of the standard streams' own (sync_with_stdio), threads, random_device, locales with names.
constexpr std::array harmless_in_cpp = std::to_array<std::string_view>({
    "NKRSt7__cxx1115basic_stringbuf",
    "NKRSt7__cxx1118basic_stringstream",
    "NKRSt7__cxx1119basic_istringstream",
    "NKRSt7__cxx1119basic_ostringstream",
    "NKSaIcE",
    "NKSt13runtime_error",
    "NKSt5ctypeIcE",
    "NKSt7__cxx1112basic_string",
    "NKSt7__cxx1115basic_stringbuf",
    "NKSt7__cxx1118basic_stringstream",
    "NKSt7__cxx1119basic_istringstream",
    "NKSt7__cxx1119basic_ostringstream",
    "NKSt8__detail20_Prime_rehash_policy",
    "NKSt9basic_ios",
    "NKSt9exception",
    "NKSt9type_info",
    "NSaIcE",
    "NSi",
    "NSo",
    "NSt11logic_error",
    "NSt11range_error",
    "NSt12domain_error",
    "NSt12length_error",
    "NSt12out_of_range",
    "NSt13bad_exception",
    "NSt13runtime_error",
    "NSt14overflow_error",
    "NSt15__exception_ptr13exception_ptr",
    "NSt15basic_streambuf",
    "NSt15underflow_error",
    "NSt16invalid_argument",
    "NSt19_Sp_make_shared_tag",
    "NSt6chrono3_V212steady_clock3now",
    "NSt6chrono3_V212system_clock3now",
    "NSt6locale7classicEv",
    "NSt6localeC1ERKS_",
    "NSt6localeC1Ev",
    "NSt6localeD1Ev",
    "NSt7__cxx1112basic_string",
    "NSt7__cxx1115basic_stringbuf",
    "NSt7__cxx1118basic_stringstream",
    "NSt7__cxx1119basic_istringstream",
    "NSt7__cxx1119basic_ostringstream",
    "NSt8__detail15_List_node_base",
    "NSt8ios_base4InitC1Ev",
    "NSt8ios_base4InitD1Ev",
    "NSt8ios_baseC2Ev",
    "NSt8ios_baseD2Ev",
    "NSt9bad_alloc",
    "NSt9basic_ios",
    "NSt9exception",
    "St11_Hash_bytes",
    "St16__ostream_insert",
    "St16__throw_bad_cast",
    "St17__throw_bad_alloc",
    "St17current_exception",
    "St17rethrow_exception",
    "St18_Rb_tree_decrement",
    "St18_Rb_tree_increment",
    "St19__throw_logic_error",
    "St19__throw_range_error",
    "St20__throw_length_error",
    "St20__throw_out_of_range",
    "St21__glibcxx_assert_fail",
    "St21__throw_runtime_error",
    "St24__throw_invalid_argument",
    "St24__throw_out_of_range_fmt",
    "St25__throw_bad_function_call",
    "St28_Rb_tree_rebalance_for_erase",
    "St28__throw_bad_array_new_length",
    "St29_Rb_tree_insert_and_rebalance",
    "St4cerr",
    "St4clog",
    "St4cout",
    "St4endlIc",
    "St5flushIc",
    "St7getlineIc",
    "St9terminate",
    "St9use_facetISt5ctypeIcEE",
    "StlsISt11char_traitsIcEE",
    "StlsIcSt11char_traitsIcE",
    "StlsIdcSt11char_traitsIcE",
    "StrsISt11char_traitsIcEE",
    "StrsIcSt11char_traitsIcE",
    "TISt",
    "TTNSt7__cxx1118basic_stringstream",
    "TTNSt7__cxx1119basic_istringstream",
    "TTNSt7__cxx1119basic_ostringstream",
    "TVN10__cxxabiv1",
    "TVNSt7__cxx1115basic_stringbuf",
    "TVNSt7__cxx1118basic_stringstream",
    "TVNSt7__cxx1119basic_istringstream",
    "TVNSt7__cxx1119basic_ostringstream",
    "TVSt15basic_streambuf",
    "TVSt9basic_ios",
    "TVSt9exception",
    "da",  // operators new and delete
    "dl",
    "na",
    "nw",
});

template <std::size_t number>
bool begins_with_one_of(std::string_view name, const std::array<std::string_view, number>& beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [name](std::string_view beginning) { return name.starts_with(beginning); });
}

bool is_harmless_in_cpp(std::string_view name) {
    if (!name.starts_with("_Z")) {
        return false;
    }
    name.remove_prefix(2);
    return begins_with_one_of(name, harmless_in_cpp);
}

// What Fortran programs import of gfortran's library that only computes, or writes: beginnings of names behind
// _gfortran_. That it is to the standard output that they write is seen when they do
// (piggyback/rank/lifecycle/file_hooks.cpp). Not in it: what opens, reads or asks for files, clocks, random numbers
// (which are others in each run), signals, processes.
constexpr std::array harmless_in_fortran = std::to_array<std::string_view>({
    "CFI_",
    "adjustl",
    "adjustr",
    "all_",
    "any_",
    "associated",
    "bessel_",
    "cfi_desc_to",
    "compare_string",
    "concat_string",
    "convert_char",
    "count_",
    "cshift",
    "eoshift",
    "erfc_scaled",
    "error_stop_",
    "exit_",
    "findloc",
    "flush_i",
    "get_command",
    "getarg_",
    "gfc_desc_to",
    "iall_",
    "iany_",
    "iargc",
    "ieee_procedure_",
    "internal_pack",
    "internal_unpack",
    "iparity_",
    "is_contiguous",
    "is_extension_of",
    "ishftc",
    "matmul_",
    "maxloc",
    "maxval",
    "mfindloc",
    "miall_",
    "miany_",
    "minloc",
    "minval",
    "miparity_",
    "mmaxloc",
    "mmaxval",
    "mminloc",
    "mminval",
    "move_alloc",
    "mproduct_",
    "msum_",
    "mvbits_",
    "norm2_",
    "os_error",
    "pack",
    "parity_",
    "pow_",
    "product_",
    "reshape",
    "runtime_error",
    "runtime_warning",
    "select_string",
    "selected_",
    "set_args",
    "set_convert",
    "set_fpe",
    "set_max_subrecord_length",
    "set_options",
    "set_record_marker",
    "sfindloc",
    "siall_",
    "siany_",
    "siparity_",
    "size0",
    "size1",
    "smaxloc",
    "smaxval",
    "sminloc",
    "sminval",
    "specific_",
    "spread",
    "sproduct_",
    "ssum_",
    "st_iolength",
    "st_set_nml_var",
    "st_write",
    "stop_",
    "string_",
    "sum_",
    "transfer_array_write",
    "transfer_character_wide_write",
    "transfer_character_write",
    "transfer_complex128_write",
    "transfer_complex_write",
    "transfer_integer_write",
    "transfer_logical_write",
    "transfer_real128_write",
    "transfer_real_write",
    "unpack",
});

bool is_harmless_in_fortran(std::string_view name) {
    constexpr std::string_view of_library = "_gfortran_";
    if (!name.starts_with(of_library)) {
        // MPI's functions, and the common blocks and modules with its constants.
        constexpr auto of_mpi =
            std::to_array<std::string_view>({"mpi_", "pmpi_", "mpir_", "mpifcmb", "mpipriv", "__mpi_"});
        return begins_with_one_of(name, of_mpi);
    }
    name.remove_prefix(of_library.size());
    return begins_with_one_of(name, harmless_in_fortran);
}

// What is about files that the program itself has opened, or those by which it does that, of which the layer knows
// (piggyback/rank/lifecycle/file_hooks.cpp). Not in it: what changes more of the process than what it may read and
// write (directories, rights of files that are to be made, other numbers for descriptors). That the standard input was
// read before MPI_Init is seen from outside. In order.
constexpr std::array functions_of_files = std::to_array<std::string_view>({"__fgets_chk",
                                                                           "__fread_chk",
                                                                           "__isoc23_fscanf",
                                                                           "__isoc23_scanf",
                                                                           "__isoc99_fscanf",
                                                                           "__isoc99_scanf",
                                                                           "_gfortran_st_backspace",
                                                                           "_gfortran_st_close",
                                                                           "_gfortran_st_endfile",
                                                                           "_gfortran_st_flush",
                                                                           "_gfortran_st_inquire",
                                                                           "_gfortran_st_open",
                                                                           "_gfortran_st_read",
                                                                           "_gfortran_st_read_done",
                                                                           "_gfortran_st_rewind",
                                                                           "_gfortran_transfer_array",
                                                                           "_gfortran_transfer_character",
                                                                           "_gfortran_transfer_character_wide",
                                                                           "_gfortran_transfer_complex",
                                                                           "_gfortran_transfer_complex128",
                                                                           "_gfortran_transfer_integer",
                                                                           "_gfortran_transfer_logical",
                                                                           "_gfortran_transfer_real",
                                                                           "_gfortran_transfer_real128",
                                                                           "access",
                                                                           "close",
                                                                           "closedir",
                                                                           "creat",
                                                                           "fclose",
                                                                           "fdatasync",
                                                                           "fgetc",
                                                                           "fgets",
                                                                           "fileno",
                                                                           "fopen",
                                                                           "fopen64",
                                                                           "fread",
                                                                           "fscanf",
                                                                           "fseek",
                                                                           "fseeko",
                                                                           "fseeko64",
                                                                           "fstat",
                                                                           "fsync",
                                                                           "ftell",
                                                                           "ftello",
                                                                           "ftello64",
                                                                           "ftruncate",
                                                                           "getc",
                                                                           "getchar",
                                                                           "getdelim",
                                                                           "getline",
                                                                           "lseek",
                                                                           "lseek64",
                                                                           "lstat",
                                                                           "mkdir",
                                                                           "open",
                                                                           "open64",
                                                                           "opendir",
                                                                           "pread",
                                                                           "pread64",
                                                                           "pwrite",
                                                                           "pwrite64",
                                                                           "read",
                                                                           "readdir",
                                                                           "remove",
                                                                           "rename",
                                                                           "rewind",
                                                                           "rmdir",
                                                                           "scanf",
                                                                           "stat",
                                                                           "stdin",
                                                                           "ungetc",
                                                                           "unlink",
                                                                           "vfscanf",
                                                                           "vscanf"});
constexpr std::array classes_of_files = std::to_array<std::string_view>(
    {"NKSt12__basic_file", "NKSt13basic_filebuf", "NSt12__basic_file", "NSt13basic_filebuf", "NSt13basic_fstream",
     "NSt14basic_ifstream", "NSt14basic_ofstream", "St3cin", "TTSt13basic_fstream", "TTSt14basic_ifstream",
     "TTSt14basic_ofstream", "TVSt13basic_filebuf", "TVSt13basic_fstream", "TVSt14basic_ifstream",
     "TVSt14basic_ofstream"});

bool is_about_files(std::string_view name) {
    return std::binary_search(functions_of_files.begin(), functions_of_files.end(), name) ||
           (name.starts_with("_Z") && begins_with_one_of(name.substr(2), classes_of_files));
}

// The functions of these are all harmless, or in the lists above.
constexpr std::array harmless_libraries =
    std::to_array<std::string_view>({"libc.so.6", "libgcc_s.so.1", "libgfortran.so.5", "libm.so.6", mpich_soname,
                                     "libmpichfort.so.12", "libquadmath.so.0", open_mpi_soname, "libstdc++.so.6"});

}  // namespace

std::string reaches_outside(const Program& program, Reach allowed) {
    const base::UniqueFd fd(::open(program.path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) {
        return "it cannot be read";
    }
    const ElfHandle elf = open_elf(fd.get());
    if (elf == nullptr) {
        return "it cannot be read";
    }
    std::string why;
    for (const std::string& library : needed_libraries(elf.get())) {
        if (std::find(harmless_libraries.begin(), harmless_libraries.end(), library) == harmless_libraries.end()) {
            return "it is linked against " + library;
        }
    }
    Elf* const file = elf.get();
    bool any = false;
    any_symbol(file, SHT_DYNSYM, [&](std::string_view name, bool defined) {
        any = true;
        const bool known = defined || name.empty() || name.starts_with("MPI_") || name.starts_with("PMPI_") ||
                           name.starts_with("ompi_") ||
                           std::binary_search(harmless_functions.begin(), harmless_functions.end(), name) ||
                           is_mathematical(name) || is_harmless_in_cpp(name) || is_harmless_in_fortran(name) ||
                           (allowed == Reach::files && is_about_files(name));
        if (!known) {
            why = "it imports " + std::string(name);
        }
        return !known;
    });
    return any ? why : "its imports cannot be read";
}

std::vector<fs::path> Translation::files() const {
    std::vector<fs::path> all;
    for (const fs::path& each : {c, fortran}) {
        if (!each.empty()) {
            all.push_back(each);
        }
    }
    return all;
}

std::string Translation::preloaded() const {
    std::string all;
    for (const fs::path& each : files()) {
        all += (all.empty() ? "" : ":") + each.string();
    }
    return all;
}

Program inspect_program(const std::string& name, const std::vector<std::pair<std::string, std::string>>& environment,
                        const std::vector<std::string>& arguments, const Translation& translation) {
    Program program;
    program.translation = translation;
    program.path = fs::absolute(find_program(name)).lexically_normal();
    inspect_file(program.path, name, environment, 0, program);
    if (program.mpi_at_run_time) {
        const fs::path& executed = program.interpreters.empty() ? program.path : program.interpreters.back();
        const std::vector<std::string> needed = needed_libraries(mpi4py_of(executed, environment));
        const bool is_open_mpi = std::find(needed.begin(), needed.end(), open_mpi_soname) != needed.end();
        program.translation.c = is_open_mpi ? translation.c : fs::path();
        program.translation.fortran.clear();
        refuse_without_translation(program, name);
        const auto is_file = [](const std::string& word) {
            std::error_code ignored;
            return fs::is_regular_file(word, ignored);
        };
        const auto script = std::find_if(arguments.begin(), arguments.end(), is_file);
        if (script != arguments.end()) {
            const base::UniqueFd fd(::open(script->c_str(), O_RDONLY | O_CLOEXEC));
            if (fd) {
                program.fingerprint += "+" + fingerprint_of(fd.get(), *script);
            }
        }
    }
    return program;
}

std::string lacking_function(const fs::path& library, const fs::path& other) {
    const std::set<std::string> there = exported_functions(other);
    for (const std::string& name : exported_functions(library)) {
        if (!there.contains(name)) {
            return name;
        }
    }
    return {};
}

std::vector<std::string> needed_libraries(const fs::path& file) {
    const base::UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    const ElfHandle elf = fd ? open_elf(fd.get()) : nullptr;
    return elf == nullptr ? std::vector<std::string>() : needed_libraries(elf.get());
}

bool exports(const fs::path& library, std::string_view name) {
    const base::UniqueFd fd(::open(library.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) {
        return false;
    }
    const ElfHandle elf = open_elf(fd.get());
    return elf != nullptr && any_symbol(elf.get(), SHT_DYNSYM, [&](std::string_view symbol, bool defined) {
               return defined && symbol == name;
           });
}

std::string build_fingerprint(const fs::path& path) {
    const base::UniqueFd fd = open_to_read(path);
    const ElfHandle elf = open_elf(fd.get());
    const void* id = nullptr;
    const auto size = elf != nullptr ? dwelf_elf_gnu_build_id(elf.get(), &id) : ssize_t{0};
    if (size <= 0) {
        return fingerprint_of(fd.get(), path.string());
    }
    return in_hexadecimal(id, static_cast<std::size_t>(size));
}

std::string content_fingerprint(const fs::path& path) {
    return fingerprint_of(open_to_read(path).get(), path.string());
}

}  // namespace dampi::launch
