// The journal: what was appended is there whatever kills its writer, torn ends are cut off, damage is said, a full disk
// loses nothing, and only one process writes.
#include "replay/journal.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::replay {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

struct Content {
    std::string header;
    std::vector<std::string> entries;  ///< "type:payload"
    std::uint64_t torn = 0;

    bool operator==(const Content&) const = default;
};

Content content_of(JournalReader& reader) {
    Content content{.header = reader.header()};
    while (const auto entry = reader.next()) {
        content.entries.push_back(std::to_string(entry->type) + ":" + std::string(entry->payload));
    }
    content.torn = reader.torn();
    return content;
}

std::string error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    ADD_FAILURE() << "no error";
    return {};
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string text_of(const fs::path& file) {
    std::ifstream input(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(input), {}};
}

void write_text(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

/// Runs `action` in a child process that ends at once afterwards, without any destructor.
pid_t in_child(const std::function<void()>& action) {
    const pid_t pid = fork();
    if (pid == 0) {
        try {
            action();
        } catch (...) {
            _exit(1);
        }
        _exit(0);
    }
    return pid;
}

int status_of(pid_t pid) {
    int status = 0;
    EXPECT_EQ(waitpid(pid, &status, 0), pid);
    return status;
}

/// Memory that a child shares with us.
template <typename T>
T& shared() {
    void* const memory = mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(memory, MAP_FAILED);
    return *new (memory) T;
}

class JournalTest : public ::testing::Test {
protected:
    JournalTest() {
        std::string name = (fs::temp_directory_path() / "dampi-test-XXXXXX").string();
        directory_ = ::mkdtemp(name.data());
        path_ = directory_ / "journal";
    }
    ~JournalTest() override { fs::remove_all(directory_); }

    Content read() const {
        JournalReader reader(path_);
        return content_of(reader);
    }

    /// The file of a journal with some entries, closed.
    std::string sample() const {
        JournalWriter writer(JournalLock(path_), "whose");
        writer.append(1, "first");
        writer.append(2, "");
        writer.append(254, std::string(60, 'x'));
        writer.append(1, "last");
        writer.close();
        return text_of(path_);
    }

    const std::vector<std::string> sample_entries_{"1:first", "2:", "254:" + std::string(60, 'x'), "1:last"};
    fs::path directory_;
    fs::path path_;
};

TEST_F(JournalTest, WhatIsAppendedIsRead) {
    {
        JournalWriter writer(JournalLock(path_), "whose");
        EXPECT_EQ(writer.append(1, "first"), 1U);
        EXPECT_EQ(writer.append(7, std::string(1'000'000, 'y')), 2U);
        EXPECT_EQ(writer.size(), fs::file_size(path_));
        EXPECT_EQ(read().entries.size(), 2U);  // at once
    }
    EXPECT_EQ(read(), (Content{"whose", {"1:first", "7:" + std::string(1'000'000, 'y')}}));
    EXPECT_FALSE(fs::exists(directory_ / "journal.new"));
}

TEST_F(JournalTest, GoesOnBehindTheLastEntry) {
    sample();
    for (int round = 0; round < 3; ++round) {
        JournalReader reader(path_);
        EXPECT_EQ(content_of(reader).torn, 0U);
        JournalWriter writer(JournalLock(path_), reader);
        writer.append(3, "more");
    }
    auto entries = sample_entries_;
    entries.insert(entries.end(), 3, "3:more");
    EXPECT_EQ(read(), (Content{"whose", entries}));
}

TEST_F(JournalTest, ANewJournalTakesThePlaceOfAnOldOne) {
    sample();
    JournalWriter(JournalLock(path_), "other").append(1, "x");
    EXPECT_EQ(read(), (Content{"other", {"1:x"}}));
}

TEST_F(JournalTest, AReplacementKeepsTheFileSmall) {
    JournalWriter writer(JournalLock(path_), "old");
    for (int i = 0; i < 100; ++i) {
        writer.append(1, "entry");
    }
    const std::uint64_t before = writer.size();
    writer.replace("new", [](const JournalWriter::Append& append) {
        append(2, "all of them");
        append(3, "");
    });
    EXPECT_LT(writer.size(), before);
    EXPECT_EQ(writer.durable(), 100U);
    EXPECT_EQ(writer.append(1, "next"), 101U);
    writer.wait_durable(101);
    EXPECT_EQ(read(), (Content{"new", {"2:all of them", "3:", "1:next"}}));
    writer.replace("empty", [](const JournalWriter::Append&) {});
    EXPECT_EQ(read(), (Content{"empty", {}}));
    EXPECT_FALSE(fs::exists(directory_ / "journal.new"));
}

TEST_F(JournalTest, ACheckpointMayBeLarge) {
    JournalWriter writer(JournalLock(path_), "old");
    const std::string part(100'000, 'p');
    writer.replace("new", [&](const JournalWriter::Append& append) {
        for (int i = 0; i < 50; ++i) {
            append(1, part);
        }
    });
    writer.append(2, "behind");
    const Content content = read();
    ASSERT_EQ(content.entries.size(), 51U);
    EXPECT_EQ(content.entries[49], "1:" + part);
    EXPECT_EQ(content.entries[50], "2:behind");
}

TEST_F(JournalTest, AReplacementThatFailsLeavesTheOldOne) {
    JournalWriter writer(JournalLock(path_), "old");
    writer.append(1, "a");
    EXPECT_THROW(writer.replace("new",
                                [](const JournalWriter::Append& append) {
                                    append(1, "x");
                                    throw std::runtime_error("no");
                                }),
                 std::runtime_error);
    EXPECT_FALSE(fs::exists(directory_ / "journal.new"));
    writer.append(1, "b");
    EXPECT_EQ(read(), (Content{"old", {"1:a", "1:b"}}));
}

TEST_F(JournalTest, DurableFollowsAppended) {
    JournalWriter writer(JournalLock(path_), "whose");
    EXPECT_EQ(writer.durable(), 0U);
    writer.wait_durable(0);
    for (std::uint64_t i = 1; i <= 20; ++i) {
        ASSERT_EQ(writer.append(1, "x"), i);
        writer.wait_durable(i);
        ASSERT_EQ(writer.durable(), i);
    }
    writer.append(1, "y");  // without anybody who waits
    for (int i = 0; i < 6000 && writer.durable() != 21; ++i) {
        std::this_thread::sleep_for(10ms);
    }
    EXPECT_EQ(writer.durable(), 21U);
    EXPECT_THROW(writer.wait_durable(22), InternalError);
}

TEST_F(JournalTest, SeveralThreadsMayAppend) {
    {
        JournalWriter writer(JournalLock(path_), "whose");
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&writer, thread] {
                for (int i = 0; i < 500; ++i) {
                    const std::uint64_t number = writer.append(1, std::to_string(thread * 1000 + i));
                    if (i % 100 == 0) {
                        writer.wait_durable(number);
                    }
                    if (thread == 0 && i % 150 == 0) {
                        writer.append(2, "in between");
                    }
                }
            });
        }
    }
    auto entries = read().entries;
    std::erase(entries, "2:in between");
    std::sort(entries.begin(), entries.end());
    EXPECT_EQ(entries.size(), 2000U);
    EXPECT_EQ(std::unique(entries.begin(), entries.end()), entries.end());
}

TEST_F(JournalTest, AFileThatIsNoJournalIsRefused) {
    EXPECT_TRUE(mentions(error_of([&] { JournalReader{path_}; }), "no sweep to go on with in '" + directory_.string()));
    for (const std::string& text : {std::string(), std::string("hello"), std::string(100, '\0')}) {
        write_text(path_, text);
        EXPECT_TRUE(mentions(error_of([&] { JournalReader{path_}; }), "is no journal")) << text;
    }
    const std::string sound = sample();
    std::string other = sound;
    ++other[8];  // the version; the sum of the head is no longer right
    write_text(path_, other);
    EXPECT_TRUE(mentions(error_of([&] { JournalReader{path_}; }), "damaged at byte 0"));
    EXPECT_TRUE(mentions(error_of([&] { JournalReader{directory_}; }), "cannot read the journal"));
}

TEST_F(JournalTest, AnEndTornAtAnyByteIsCutOff) {
    const std::string sound = sample();
    // Where each entry ends.
    std::vector<std::size_t> ends{24 + 24 + 5};
    ends[0] += 24;  // the mark that the new file was on the disk
    for (const std::size_t size : {5U, 0U, 60U, 4U}) {
        ends.push_back(ends.back() + 24 + size);
    }
    ASSERT_EQ(ends.back() + 24, sound.size());
    for (std::size_t size = 0; size < sound.size(); ++size) {
        write_text(path_, sound.substr(0, size));
        if (size < ends[0] - 24) {
            EXPECT_THROW(JournalReader{path_}, Error) << size;
            continue;
        }
        JournalReader reader(path_);
        const Content content = content_of(reader);
        const auto whole =
            static_cast<std::size_t>(std::upper_bound(ends.begin() + 1, ends.end(), size) - ends.begin()) - 1;
        ASSERT_EQ(content.entries,
                  std::vector(sample_entries_.begin(), sample_entries_.begin() + static_cast<std::ptrdiff_t>(whole)))
            << size;
        {
            JournalWriter writer(JournalLock(path_), reader);
            writer.append(9, "on");
        }
        const Content after = read();
        ASSERT_EQ(after.torn, 0U) << size;
        ASSERT_EQ(after.entries.size(), whole + 1) << size;
        ASSERT_EQ(after.entries.back(), "9:on") << size;
    }
}

TEST_F(JournalTest, GarbageBehindTheEndIsCutOff) {
    const std::string sound = sample();
    std::mt19937_64 random(3);
    for (int round = 0; round < 50; ++round) {
        std::string text = sound;
        for (auto more = random() % 600 + 1; more != 0; --more) {
            text += static_cast<char>(round % 2 == 0 ? random() : 0);
        }
        write_text(path_, text);
        EXPECT_EQ(read(), (Content{"whose", sample_entries_, text.size() - sound.size()}));
    }
}

TEST_F(JournalTest, ACopyOfEntriesFromElsewhereIsNone) {
    const std::string sound = sample();
    write_text(path_, sound + sound.substr(48, 200));
    EXPECT_EQ(read().entries, sample_entries_);
    // An earlier journal's blocks under a newer file.
    const std::string other = sample();
    write_text(path_, sound.substr(0, 77) + other.substr(77));
    EXPECT_EQ(read().entries.size(), 0U);
}

TEST_F(JournalTest, DamageOfWhatWasOnTheDiskIsSaid) {
    const std::string sound = sample();
    for (std::size_t place = 0; place < sound.size(); ++place) {
        std::string text = sound;
        text[place] = static_cast<char>(text[place] ^ 0x10);
        write_text(path_, text);
        if (place + 24 >= sound.size()) {
            EXPECT_EQ(read(), (Content{"whose", sample_entries_, 24})) << place;  // the closing mark
            continue;
        }
        const std::string error = error_of([&] { read(); });
        EXPECT_TRUE(mentions(error, place < 8 ? "is no journal" : "is damaged at byte")) << place << ": " << error;
        EXPECT_EQ(text_of(path_), text);
    }
}

TEST_F(JournalTest, HolesInWhatWasNotOnTheDiskYetAreATornEnd) {
    // As a machine leaves it that dies: later pages have been written, earlier ones not. The entries of a writer that
    // is killed at once say that only the beginning was on the disk.
    EXPECT_EQ(status_of(in_child([&] {
                  JournalWriter writer(JournalLock(path_), "whose");
                  for (int i = 0; i < 10; ++i) {
                      writer.append(1, std::string(5000, 'x'));
                  }
                  kill(getpid(), SIGKILL);
              })),
              SIGKILL);
    std::string text = text_of(path_);
    ASSERT_GT(text.size(), 50'000U);
    text.replace(20'000, 4096, 4096, '\0');
    write_text(path_, text);
    try {
        JournalReader reader(path_);
        const Content content = content_of(reader);
        EXPECT_EQ(content.entries.size(), 3U);
        EXPECT_GT(content.torn, 30'000U);
        JournalWriter(JournalLock(path_), reader).append(1, "on");
        EXPECT_EQ(read().entries.size(), 4U);
        EXPECT_EQ(read().torn, 0U);
    } catch (const Error& error) {
        // It took more than 5 ms, and part of it was on the disk.
        EXPECT_TRUE(mentions(error.what(), "is damaged at byte")) << error.what();
    }
}

TEST_F(JournalTest, OneWriterAtATime) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t pid = in_child([&] {
        const JournalLock lock(path_);
        // A process of ours that outlives us does not keep the lock.
        if (fork() == 0) {
            sleep(3);
            _exit(0);
        }
        write(ready[1], "x", 1);
        pause();
    });
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    const std::string error = error_of([&] { JournalLock{path_}; });
    EXPECT_TRUE(mentions(error, "a sweep is running in '" + directory_.string() + "' (process " + std::to_string(pid)))
        << error;
    kill(pid, SIGKILL);
    status_of(pid);
    EXPECT_NO_THROW(JournalLock{path_});
    close(ready[0]);
    close(ready[1]);
}

TEST_F(JournalTest, TheLockLastsThroughReplacements) {
    JournalWriter writer(JournalLock(path_), "whose");
    const auto refused = [&] {
        return status_of(in_child([&] {
            try {
                const JournalLock lock(path_);
            } catch (const Error&) {
                _exit(42);
            }
        }));
    };
    EXPECT_EQ(WEXITSTATUS(refused()), 42);
    writer.replace("new", [](const JournalWriter::Append&) {});
    EXPECT_EQ(WEXITSTATUS(refused()), 42);
    writer.close();
    EXPECT_EQ(WEXITSTATUS(refused()), 42);
}

TEST_F(JournalTest, ADirectoryThatCannotBeWrittenIsSaid) {
    EXPECT_TRUE(mentions(error_of([&] { JournalLock{directory_ / "none" / "journal"}; }), "cannot create"));
}

/// While it lives, no file of this process grows beyond `most` bytes.
class FileLimit {
public:
    explicit FileLimit(rlim_t most) {
        before_ = std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &limit_);
        struct rlimit low = limit_;
        low.rlim_cur = most;
        setrlimit(RLIMIT_FSIZE, &low);
    }
    ~FileLimit() {
        setrlimit(RLIMIT_FSIZE, &limit_);
        std::signal(SIGXFSZ, before_);
    }
    FileLimit(const FileLimit&) = delete;
    FileLimit& operator=(const FileLimit&) = delete;

private:
    struct rlimit limit_ {};
    void (*before_)(int) = nullptr;
};

TEST_F(JournalTest, WhereNothingMoreCanBeWrittenNothingIsLost) {
    int written = 0;
    {
        const FileLimit limit(10'000);
        JournalWriter writer(JournalLock(path_), "whose");
        const std::string error = error_of([&] {
            for (;; ++written) {
                writer.append(1, std::string(777, 'x'));
            }
        });
        EXPECT_TRUE(
            mentions(error, "cannot write the journal '" + path_.string() + "': File too large; free some space"))
            << error;
        EXPECT_TRUE(mentions(error, "dampi-run --resume " + directory_.string())) << error;
        EXPECT_EQ(error_of([&] { writer.append(1, ""); }), error);
        EXPECT_EQ(error_of([&] { writer.close(); }), error);
    }
    const Content content = read();
    EXPECT_EQ(content.entries.size(), static_cast<std::size_t>(written));
    EXPECT_EQ(content.torn, 0U);  // the part of an entry that fitted was cut off
    JournalReader reader(path_);
    content_of(reader);
    JournalWriter(JournalLock(path_), reader).append(1, "on");
    EXPECT_EQ(read().entries.size(), content.entries.size() + 1);
}

TEST_F(JournalTest, AReplacementThatDoesNotFitLeavesTheOldOne) {
    JournalWriter writer(JournalLock(path_), "old");
    writer.append(1, "a");
    {
        const FileLimit limit(10'000);
        EXPECT_TRUE(mentions(error_of([&] {
                                 writer.replace("new", [](const JournalWriter::Append& append) {
                                     for (int i = 0; i < 5000; ++i) {
                                         append(1, std::string(1000, 'x'));
                                     }
                                 });
                             }),
                             "File too large"));
    }
    EXPECT_FALSE(fs::exists(directory_ / "journal.new"));
    writer.append(1, "b");
    writer.close();
    EXPECT_EQ(read(), (Content{"old", {"1:a", "1:b"}}));
}

TEST_F(JournalTest, AFullDiskLosesNothing) {
    const fs::path disk = directory_ / "disk";
    fs::create_directory(disk);
    if (mount("none", disk.c_str(), "tmpfs", 0, "size=64k") != 0) {
        GTEST_SKIP() << "a small file system can only be made by root";
    }
    struct Unmount {
        ~Unmount() { umount(disk.c_str()); }
        const fs::path& disk;
    } const unmount{disk};
    path_ = disk / "journal";
    int written = 0;
    {
        JournalWriter writer(JournalLock(path_), "whose");
        const std::string error = error_of([&] {
            for (;; ++written) {
                writer.append(1, std::string(100, 'x'));
            }
        });
        EXPECT_TRUE(mentions(error, "No space left on device; free some space and go on with dampi-run --resume"))
            << error;
    }
    EXPECT_GT(written, 100);
    EXPECT_EQ(read().entries.size(), static_cast<std::size_t>(written));
}

TEST_F(JournalTest, KilledAtAnyMomentItLosesNothing) {
    auto& promised = shared<std::atomic<std::uint64_t>>();
    JournalWriter(JournalLock(path_), "0").close();
    std::mt19937_64 random(11);
    std::uint64_t before = 0;
    // On a busy machine most children are killed before they come to anything.
    for (int round = 0; round < 60 || before <= 200; ++round) {
        const pid_t pid = in_child([&] {
            JournalReader reader(path_);
            content_of(reader);
            std::uint64_t replaced = std::stoull(reader.header());
            JournalWriter writer(JournalLock(path_), reader);
            for (std::uint64_t i = promised + 1;; ++i) {
                writer.append(1, std::to_string(i) + std::string(i % 97, '.'));
                promised = i;
                if (i - replaced == 200) {
                    replaced = i;
                    writer.replace(std::to_string(replaced), [](const JournalWriter::Append&) {});
                }
            }
        });
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
        kill(pid, SIGKILL);
        ASSERT_EQ(status_of(pid), SIGKILL);
        const Content content = read();
        std::uint64_t last = std::stoull(content.header);
        for (const std::string& entry : content.entries) {
            ++last;
            ASSERT_EQ(entry, "1:" + std::to_string(last) + std::string(last % 97, '.'));
        }
        ASSERT_GE(last, promised);
        ASSERT_LE(last, promised + 1);
        ASSERT_GE(last, before);
        before = last;
        promised = last;
    }
    munmap(&promised, sizeof promised);
}

/// Runs `action` in a child, and kills it when its main thread has stopped at system calls (before and after each) so
/// many times. Returns whether the child ended before.
bool kill_at_system_call(int stops, const std::function<void()>& action) {
    const pid_t pid = in_child([&] {
        ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
        raise(SIGSTOP);
        action();
    });
    int status = 0;
    for (int seen = 0; waitpid(pid, &status, 0) == pid && WIFSTOPPED(status); ++seen) {
        if (seen == stops) {
            kill(pid, SIGKILL);
            waitpid(pid, &status, 0);
            return false;
        }
        const int signal = WSTOPSIG(status);
        ptrace(PTRACE_SYSCALL, pid, nullptr, signal == SIGTRAP || signal == SIGSTOP ? 0 : signal);
    }
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    return true;
}

TEST_F(JournalTest, KilledAtAnySystemCallOfAReplacementEitherOneIsThere) {
    struct Promises {
        std::atomic<int> appended = 0;
        std::atomic<bool> created = false;
        std::atomic<bool> replaced = false;
    };
    auto& promises = shared<Promises>();
    const auto life = [&] {
        JournalWriter writer(JournalLock(path_), "old");
        promises.created = true;
        const auto append = [&](const char* text) {
            writer.append(1, text);
            ++promises.appended;
        };
        append("1");
        append("2");
        writer.wait_durable(2);
        writer.replace("new", [](const JournalWriter::Append& add) { add(2, "1 and 2"); });
        promises.replaced = true;
        append("3");
        append("4");
        writer.close();
    };
    bool ended = false;
    int stops = 0;
    for (; !ended && stops < 2000; ++stops) {
        fs::remove(path_);
        promises.appended = 0;
        promises.created = false;
        promises.replaced = false;
        ended = kill_at_system_call(stops, life);
        if (!fs::exists(path_)) {
            ASSERT_FALSE(promises.created) << stops;
            continue;
        }
        JournalReader reader(path_);
        const Content content = content_of(reader);
        std::vector<std::string> expected{"1:1", "1:2"};
        auto there = content.entries;
        if (content.header == "old") {
            ASSERT_FALSE(promises.replaced) << stops;
        } else {
            ASSERT_EQ(content.header, "new") << stops;
            expected = {"2:1 and 2", "1:3", "1:4"};
            ASSERT_GE(there.size(), 1U) << stops;
        }
        const auto represented = static_cast<int>(there.size() + (content.header == "new" ? 1 : 0));
        ASSERT_GE(represented, promises.appended) << stops;
        ASSERT_LE(represented, promises.appended + 1) << stops;
        expected.resize(there.size());
        ASSERT_EQ(there, expected) << stops;
        {
            JournalWriter writer(JournalLock(path_), reader);
            writer.append(1, "on");
        }
        ASSERT_FALSE(fs::exists(directory_ / "journal.new"));
        ASSERT_EQ(read().entries.size(), there.size() + 1) << stops;
    }
    EXPECT_TRUE(ended);
    EXPECT_GT(stops, 40);
    munmap(&promises, sizeof promises);
}

}  // namespace
}  // namespace dampi::replay
