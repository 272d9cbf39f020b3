// Parses ISP's command line with getopt_long, which has its habits: joined letters, "--name=value", unambiguous
// beginnings of names, and an end at the program's name. One table says what each option is.
#include "scheduler/isp/options.hpp"

#include "base/check.hpp"
#include "scheduler/isp/findings.hpp"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <getopt.h>

namespace dampi::scheduler::isp {
namespace {

/// Options without a letter have numbers from here on.
constexpr int first_without_letter = 256;
constexpr int help = first_without_letter;
constexpr int bound = first_without_letter + 1;

struct Known {
    int letter;
    const char* name;
    const char* value;  ///< what stands for its value in the help; null: it takes none
    const char* text;
    bool has_effect = true;
};

// Those without effect belong to how ISP itself worked: sockets between its processes, threads of its scheduler.
constexpr Known all_known[] = {
    {'n', "numprocs", "N", "number of processes (default: 2)"},
    {'b', "block", nullptr, "sends wait for their receives: nothing is buffered"},
    {'g', "noblock", nullptr, "sends never wait: everything is buffered (the default)"},
    {'l', "logfile", "FILE", "write the log that GEM and ispUI read"},
    {'m', "mpicalls", nullptr, "print the number of MPI calls of each rank"},
    {'O', "verbose", nullptr, "print the calls of all interleavings, not only of those with an error"},
    {'q', "quiet", nullptr, "print nothing; the exit status says what was found"},
    {'r', "rpt-progress", "N", "print every Nth MPI call"},
    {'E', "exp-mode", "MODE", "all interleavings (the default), or one: random or left_most"},
    {'D', "stop-at-deadlock", nullptr, "stop at the first deadlock"},
    {bound, "bound", "K", "bounded mixing: go on in all directions only for K receives"},
    {'p', "port", "PORT", "nothing: no port is used", false},
    {'h', "host", "NAME", "nothing: all processes are on this machine", false},
    {'x', "us", nullptr, "nothing: no sockets are used", false},
    {'s', "disable-omp", nullptr, "nothing", false},
    {'e', "env", nullptr, "nothing: the program's arguments are never changed", false},
    {'d', "distributed", nullptr, "nothing: the processes are started here", false},
    {'f', "fibopt", nullptr, "nothing: irrelevant barriers are not looked for", false},
    {'S', "exp-some", "N", "nothing: all choices are explored", false},
    {'w', "view-prog-out-only", nullptr, "nothing", false},
    {'y', "no-ample-set-fix", nullptr, "nothing: sends that buffering enables are always found", false},
    {'z', "fprs", nullptr, "nothing", false},
    {'v', "version", nullptr, "print the version"},
    {help, "help", nullptr, "print this"},
};

std::string help_text() {
    std::string text =
        "Usage: dampi-isp -n N [options] PROGRAM [ARGUMENTS...]\n"
        "Verifies an MPI program as ISP does: the same options, messages, log and exit status.\n\n";
    for (const Known& known : all_known) {
        std::string names = known.letter < first_without_letter ? fmt::format("-{}, ", static_cast<char>(known.letter))
                                                                : std::string("    ");
        names += fmt::format("--{}{}", known.name, known.value == nullptr ? "" : fmt::format("={}", known.value));
        text += fmt::format("  {:<28}{}\n", names, known.text);
    }
    return text +
           "\nExit status: 0 no error found (but perhaps leaks), 1 deadlock, 2 no error found but something was left "
           "out,\n3 failed assertion, 4 MPI_Abort, 5 invalid rank, 10 internal error, 11 cannot start, 20 the log\n"
           "cannot be written, 21 the program is not repeatable, 22 the program crashed.\n"
           "Everything from PROGRAM on belongs to the program.\n";
}

template <typename Integer>
Integer whole_number(const std::string& name, std::string_view word, Integer least) {
    Integer number = 0;
    const auto [stopped, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || stopped != word.data() + word.size() || number < least) {
        throw Error(fmt::format("the option {} needs a whole number from {} on, not '{}'", name, least, word));
    }
    return number;
}

void take(const Known& known, const std::string& as_given, const char* value, Options& options) {
    if (!known.has_effect) {
        if (std::find(options.without_effect.begin(), options.without_effect.end(), as_given) ==
            options.without_effect.end()) {
            options.without_effect.push_back(as_given);
        }
        return;
    }
    switch (known.letter) {
        case 'n':
            options.processes = whole_number<int>(as_given, value, 1);
            break;
        case 'b':
        case 'g':
            options.sends_block = known.letter == 'b';
            break;
        case 'l':
            options.log = value;
            break;
        case 'm':
            options.count_calls = true;
            break;
        case 'O':
            options.every_list = true;
            break;
        case 'q':
            options.quiet = true;
            break;
        case 'r':
            options.report_every = whole_number<std::uint64_t>(as_given, value, 1);
            break;
        case 'D':
            options.stop_at_deadlock = true;
            break;
        case 'E': {
            const std::string_view mode = value;
            options.one_interleaving = mode != "all";
            if (mode == "random") {
                options.mode = "Random Choice";
            } else if (mode == "left_most") {
                options.mode = "First Available Choice";
            } else if (mode != "all") {
                throw Error(fmt::format("the option {} needs all, random or left_most, not '{}'", as_given, mode));
            }
            break;
        }
        case bound:
            options.mixing_bound = whole_number<std::uint32_t>(as_given, value, 0);
            break;
        default:
            check_failed("every option is taken", __FILE__, __LINE__);
    }
}

/// The words as getopt wants them: ISP's long names may have '_' for '-'.
std::vector<std::string> with_dashes(int argc, char** argv) {
    std::vector<std::string> words(argv, argv + argc);
    for (std::string& word : words) {
        if (word.starts_with("--")) {
            std::replace(word.begin(),
                         word.begin() + static_cast<std::ptrdiff_t>(std::min(word.find('='), word.size())), '_', '-');
        }
    }
    return words;
}

}  // namespace

ParsedOptions parse_options(int argc, char** argv) {
    std::string letters = "+";  // the first word that is no option ends them
    std::vector<option> names;
    for (const Known& known : all_known) {
        if (known.letter < first_without_letter) {
            letters += static_cast<char>(known.letter);
            letters += known.value == nullptr ? "" : ":";
        }
        names.push_back({known.name, known.value == nullptr ? no_argument : required_argument, nullptr, known.letter});
    }
    names.push_back({});
    std::vector<std::string> words = with_dashes(argc, argv);
    std::vector<char*> pointers;
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);

    ParsedOptions parsed;
    constexpr int cannot_start = static_cast<int>(ExitCode::cannot_start);
    optind = 0;  // a new line: getopt keeps its place
    try {
        for (;;) {
            int long_one = -1;
            const int found = getopt_long(argc, pointers.data(), letters.c_str(), names.data(), &long_one);
            if (found == -1) {
                break;
            }
            if (found == '?') {  // getopt has said why
                parsed.exit_status = cannot_start;
                return parsed;
            }
            if (found == 'v') {
                // GEM looks for the name and, at the end of the line, a version of ISP's.
                std::cout << "dampi-isp " DAMPI_VERSION ", like ISP - In-Situ Partial Order 0.3.1\n";
                parsed.exit_status = 0;
                return parsed;
            }
            if (found == help) {
                std::cout << help_text();
                parsed.exit_status = 0;
                return parsed;
            }
            const Known& known = *std::find_if(std::begin(all_known), std::end(all_known),
                                               [found](const Known& each) { return each.letter == found; });
            take(known, long_one >= 0 ? fmt::format("--{}", known.name) : fmt::format("-{}", static_cast<char>(found)),
                 optarg, parsed.options);
        }
        if (optind >= argc) {
            throw Error("no program was given: dampi-isp -n N [options] program [arguments]");
        }
        // The program's own words are untouched.
        parsed.options.program = argv[optind];
        parsed.options.arguments.assign(argv + optind + 1, argv + argc);
    } catch (const Error& error) {
        std::cerr << "dampi-isp: " << error.what() << " (see dampi-isp --help)\n";
        parsed.exit_status = cannot_start;
    }
    return parsed;
}

}  // namespace dampi::scheduler::isp
