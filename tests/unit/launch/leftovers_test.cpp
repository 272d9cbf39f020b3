// What is removed after ranks were killed, and above all what is not.
#include "launch/leftovers.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

namespace fs = std::filesystem;
using std::chrono::system_clock;
using namespace std::chrono_literals;

struct Segment {
    pid_t creator = 0;
    int id = -1;
};

/// A segment whose creator has ended.
Segment orphan(key_t key) {
    int ends[2];
    if (pipe(ends) != 0) {
        return {};
    }
    Segment segment;
    segment.creator = fork();
    if (segment.creator == 0) {
        const int id = shmget(key, 4096, IPC_CREAT | IPC_EXCL | 0600);
        _exit(write(ends[1], &id, sizeof id) == sizeof id ? 0 : 1);
    }
    waitpid(segment.creator, nullptr, 0);
    if (read(ends[0], &segment.id, sizeof segment.id) != sizeof segment.id) {
        segment.id = -1;
    }
    close(ends[0]);
    close(ends[1]);
    return segment;
}

bool exists(int id) {
    shmid_ds status{};
    return shmctl(id, IPC_STAT, &status) == 0;
}

TEST(Leftovers, PrivateSegmentsOfTheEndedGo) {
    const Segment ours = orphan(IPC_PRIVATE);
    const Segment of_another = orphan(IPC_PRIVATE);
    const Segment named = orphan(static_cast<key_t>(0x64000000 + getpid()));
    const Segment attached = orphan(IPC_PRIVATE);
    ASSERT_TRUE(ours.id >= 0 && of_another.id >= 0 && named.id >= 0 && attached.id >= 0);
    void* const memory = shmat(attached.id, nullptr, 0);
    remove_leftovers({ours.creator, named.creator, attached.creator}, system_clock::now());
    EXPECT_FALSE(exists(ours.id));
    EXPECT_TRUE(exists(of_another.id));
    EXPECT_TRUE(exists(named.id)) << "the program made it, for whoever knows its key";
    EXPECT_TRUE(exists(attached.id));
    for (const int id : {of_another.id, named.id, attached.id}) {
        shmctl(id, IPC_RMID, nullptr);
    }
    shmdt(memory);
}

class LeftoverFile : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (access("/dev/shm", W_OK) != 0) {
            GTEST_SKIP() << "/dev/shm cannot be used here";
        }
        file_ = "/dev/shm/" + GetParam() + "dampi_test_" + std::to_string(getpid());
        descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
        ASSERT_GE(descriptor_, 0);
        ASSERT_EQ(ftruncate(descriptor_, 4096), 0);
    }
    void TearDown() override {
        if (!file_.empty()) {
            fs::remove(file_);
        }
    }
    fs::path file_;
    int descriptor_ = -1;
};

TEST_P(LeftoverFile, GoesWhenNobodyUsesIt) {
    const auto before = system_clock::now() - 10s;
    remove_leftovers({}, before);
    EXPECT_TRUE(fs::exists(file_)) << "it is open";
    void* const memory = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, descriptor_, 0);
    ASSERT_NE(memory, MAP_FAILED);
    close(descriptor_);
    remove_leftovers({}, before);
    EXPECT_TRUE(fs::exists(file_)) << "it is mapped";
    munmap(memory, 4096);
    remove_leftovers({}, system_clock::now() + 10s);
    EXPECT_TRUE(fs::exists(file_)) << "it was there before";
    remove_leftovers({}, before);
    EXPECT_FALSE(fs::exists(file_));
}

INSTANTIATE_TEST_SUITE_P(Names, LeftoverFile, testing::Values("mpich_shar_tmp", "ucx_shm_posix_"));

TEST(Leftovers, OtherFilesStay) {
    const fs::path file = "/dev/shm/dampi_test_" + std::to_string(getpid());
    if (!std::ofstream(file)) {
        GTEST_SKIP() << "/dev/shm cannot be used here";
    }
    remove_leftovers({}, system_clock::now() - 10s);
    EXPECT_TRUE(fs::exists(file));
    fs::remove(file);
}

}  // namespace
}  // namespace dampi::launch
