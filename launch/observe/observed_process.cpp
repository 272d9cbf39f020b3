#include "launch/observe/observed_process.hpp"

#include "base/content_of.hpp"
#include "base/hash.hpp"
#include "launch/observe/traced_thread.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <sstream>

#include <elfutils/libdwfl.h>
#include <sys/uio.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

constexpr std::size_t most_frames = 64;
constexpr std::size_t digested_stack = 16 * 1024;

// As DWARF numbers them: what a function gives back as it found it, and the stack pointer.
#if defined(__x86_64__)
constexpr std::array<unsigned, 6> kept_registers{3, 6, 12, 13, 14, 15};
constexpr unsigned stack_register = 7;
#else
constexpr std::array<unsigned, 10> kept_registers{19, 20, 21, 22, 23, 24, 25, 26, 27, 28};
constexpr unsigned stack_register = 31;
#endif

/// Unwinding and names of functions need no debug information, and the library might look for it far away.
int no_debug_information(Dwfl_Module* /*module*/, void** /*user*/, const char* /*name*/, Dwarf_Addr /*base*/,
                         const char* /*file*/, const char* /*link*/, GElf_Word /*check*/, char** /*found*/) {
    return -1;
}

/// The number behind a word in one of /proc's files.
std::uint64_t number_behind(const std::string& text, std::string_view word) {
    const auto at = text.find(word);
    std::uint64_t number = 0;
    if (at != std::string::npos) {
        const auto digits = text.find_first_of("0123456789", at + word.size());
        if (digits != std::string::npos) {
            std::from_chars(text.data() + digits, text.data() + text.size(), number);
        }
    }
    return number;
}

/// What a file `stat` of the kernel's says of a process or a thread: its state, and its CPU time.
ProcessState read_stat(const std::string& file) {
    const std::string stat = base::content_of(file);
    const auto name_ends = stat.rfind(')');
    if (name_ends == std::string::npos) {
        return {};
    }
    std::istringstream words(stat.substr(name_ends + 1));
    ProcessState result;
    words >> result.state;
    std::string skipped;
    for (int i = 0; i < 10; ++i) {
        words >> skipped;
    }
    std::uint64_t user = 0;
    std::uint64_t system = 0;
    words >> user >> system;
    result.ticks = user + system;
    return result;
}

}  // namespace

std::uint64_t ticks_of_thread(pid_t process, pid_t thread) {
    return read_stat("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/stat").ticks;
}

ProcessState state_of_process(pid_t process) {
    let_late_ones_go();
    const std::string folder = "/proc/" + std::to_string(process);
    ProcessState result = read_stat(folder + "/stat");
    if (result.state == 'X') {
        return result;
    }
    const auto tracer = number_behind(base::content_of(folder + "/status"), "TracerPid:");
    // One of our own threads, whose wish to stop it the process has not met yet.
    const bool is_own = tracer != 0 && access(("/proc/self/task/" + std::to_string(tracer)).c_str(), F_OK) == 0;
    result.tracer = is_own ? 0 : static_cast<pid_t>(tracer);
    const std::string io = base::content_of(folder + "/io");
    result.io_bytes = number_behind(io, "rchar:") + number_behind(io, "wchar:");
    return result;
}

class ObservedProcess::Modules {
public:
    explicit Modules(pid_t process) : process(process) {}

    /// The process as libdwfl sees it; made anew after it has loaded libraries. Null where it cannot be read.
    Dwfl* get() {
        if (dwfl_ == nullptr) {
            dwfl_.reset(dwfl_begin(&callbacks_));
            if (dwfl_ == nullptr || dwfl_linux_proc_report(dwfl_.get(), process) != 0 ||
                dwfl_report_end(dwfl_.get(), nullptr, nullptr) != 0 ||
                dwfl_linux_proc_attach(dwfl_.get(), process, true) != 0) {
                dwfl_.reset();
            }
        }
        return dwfl_.get();
    }
    void forget() { dwfl_.reset(); }

    const pid_t process;

private:
    Dwfl_Callbacks callbacks_{.find_elf = dwfl_linux_proc_find_elf,
                              .find_debuginfo = no_debug_information,
                              .section_address = nullptr,
                              .debuginfo_path = nullptr};
    std::unique_ptr<Dwfl, void (*)(Dwfl*)> dwfl_{nullptr, dwfl_end};
};

namespace {

replay::CodePlace find_place(Dwfl* dwfl, std::uint64_t address) {
    replay::CodePlace place;
    Dwfl_Module* module = dwfl_addrmodule(dwfl, address);
    GElf_Addr bias = 0;
    if (module != nullptr && dwfl_module_getelf(module, &bias) != nullptr) {
        if (const char* name =
                dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr)) {
            place.module = name;
        }
        place.offset = address - bias;
    }
    return place;
}

struct Walk {
    Dwfl* dwfl;
    std::vector<ObservedFrame> stack;
};

int visit_frame(Dwfl_Frame* frame, void* argument) {
    Walk& walk = *static_cast<Walk*>(argument);
    Dwarf_Addr address = 0;
    bool exact = false;
    if (!dwfl_frame_pc(frame, &address, &exact) || walk.stack.size() >= most_frames) {
        return DWARF_CB_ABORT;
    }
    ObservedFrame found;
    found.address = address - (exact ? 0 : 1);  // within the calling instruction
    found.place = find_place(walk.dwfl, found.address);
    if (Dwfl_Module* module = dwfl_addrmodule(walk.dwfl, found.address)) {
        if (const char* name = dwfl_module_addrname(module, found.address)) {
            found.symbol = name;
        }
    }
    for (unsigned number = 0; number < found.registers.size(); ++number) {
        Dwarf_Word value = 0;
        if (dwfl_frame_reg(frame, number, &value) == 0) {
            found.registers[number] = value;
        }
    }
    found.stack = found.registers[stack_register].value_or(0);
    base::Hash saved;
    for (const unsigned number : kept_registers) {
        saved.add(found.registers[number].value_or(0));
    }
    found.saved = saved.value();
    walk.stack.push_back(std::move(found));
    return DWARF_CB_OK;
}

}  // namespace

ObservedProcess::ObservedProcess(pid_t process) : modules_(std::make_unique<Modules>(process)) {}
ObservedProcess::~ObservedProcess() = default;
ObservedProcess::ObservedProcess(ObservedProcess&&) noexcept = default;
ObservedProcess& ObservedProcess::operator=(ObservedProcess&&) noexcept = default;

pid_t ObservedProcess::process() const { return modules_->process; }

std::vector<ObservedFrame> ObservedProcess::read_stack(pid_t thread, std::chrono::milliseconds patience) {
    let_late_ones_go();
    TracedThread traced(thread);
    if (!traced.wait(std::chrono::steady_clock::now() + patience)) {
        return {};
    }
    return read_stopped_stack(thread);
}

std::vector<ObservedFrame> ObservedProcess::read_stopped_stack(pid_t thread) {
    Dwfl* dwfl = modules_->get();
    if (dwfl == nullptr) {
        return {};
    }
    Walk walk{.dwfl = dwfl, .stack = {}};
    // What has been found when it cannot go on is still true.
    dwfl_getthread_frames(dwfl, thread, visit_frame, &walk);
    const bool is_unknown =
        walk.stack.empty() ||
        std::any_of(walk.stack.begin(), walk.stack.end(), [](const auto& frame) { return frame.place.module.empty(); });
    if (is_unknown) {
        modules_->forget();  // there may be a library now that there was not
    }
    return std::move(walk.stack);
}

std::vector<pid_t> ObservedProcess::threads() const {
    std::vector<pid_t> found{process()};
    std::error_code error;
    for (const auto& entry :
         std::filesystem::directory_iterator("/proc/" + std::to_string(process()) + "/task", error)) {
        const std::string name = entry.path().filename();
        pid_t thread = 0;
        std::from_chars(name.data(), name.data() + name.size(), thread);
        if (thread > 0 && thread != process()) {
            found.push_back(thread);
        }
    }
    std::sort(found.begin() + 1, found.end());
    return found;
}

std::uint64_t ObservedProcess::digest_of_stack(std::uint64_t from) const {
    std::array<std::uint64_t, digested_stack / sizeof(std::uint64_t)> words{};
    // The stack may end before; pages are read as far as there are any.
    ssize_t got = -1;
    for (std::size_t size = digested_stack; got < 0 && size >= 512; size /= 2) {
        const iovec here{words.data(), size};
        const iovec there{reinterpret_cast<void*>(from), size};  // NOLINT(performance-no-int-to-ptr)
        got = process_vm_readv(process(), &here, 1, &there, 1, 0);
    }
    base::Hash hash;
    for (std::size_t i = 0; got > 0 && i < static_cast<std::size_t>(got) / sizeof words[0]; ++i) {
        hash.add(words[i]);
    }
    return hash.value();
}

replay::CodePlace ObservedProcess::place_of(std::uint64_t address) {
    Dwfl* dwfl = modules_->get();
    return dwfl == nullptr ? replay::CodePlace{} : find_place(dwfl, address);
}

}  // namespace dampi::launch
