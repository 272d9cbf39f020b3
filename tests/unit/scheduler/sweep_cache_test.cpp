// What is kept of a command's sweep, when it is of use, and what is damaged.
#include "scheduler/cli/sweep_cache.hpp"

#include "base/check.hpp"
#include "scheduler/report/text_report.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

namespace fs = std::filesystem;
using Kept = SweepCache::Kept;

class Cache : public testing::Test {
protected:
    Cache() {
        std::string name = fs::temp_directory_path() / "dampi-cache-XXXXXX";
        folder_ = mkdtemp(name.data());
        for (const char* each :
             {"libdampi.so", "libdampi-central.so", "app", "libapp.so", "pre.so", "named.txt", "tree/below/a"}) {
            write(each, each);
        }
        write("app", std::string("\0MENTIONED_HERE\0xMENTIONED_LONGER", 33));
    }
    ~Cache() override { fs::remove_all(folder_); }

    void write(const fs::path& file, const std::string& text) const {
        fs::create_directories((folder_ / file).parent_path());
        std::ofstream(folder_ / file, std::ios::binary | std::ios::trunc) << text;
    }

    static std::string content(const fs::path& file) {
        std::ostringstream text;
        text << std::ifstream(file, std::ios::binary).rdbuf();
        return std::move(text).str();
    }

    SettledRequest request() const {
        SettledRequest request;
        request.options.program = "app";
        request.options.processes = 2;
        request.options.engine = replay::EngineKind::central;
        request.options.arguments = {"--size=" + (folder_ / "named.txt").string()};
        request.options.environment = {{"LD_PRELOAD", (folder_ / "pre.so").string()}};
        request.options.cache_inputs = {folder_ / "tree"};
        request.program.path = folder_ / "app";
        request.program.fingerprint = "0123";
        request.program.libraries = {folder_ / "libapp.so"};
        return request;
    }

    SweepKey key() const { return key_of(request(), own()); }

    OwnParts own() const { return {.layer = folder_ / "libdampi.so", .others = {folder_ / "libdampi-central.so"}}; }

    SweepCache cache(const SweepKey& key) const { return {folder_ / "cache", key}; }
    SweepCache cache() const { return cache(key()); }

    static ReportInputs inputs() {
        ReportInputs inputs;
        inputs.options.program = "app";
        inputs.options.processes = 2;
        inputs.clock = "vector";
        inputs.engine = "central";
        inputs.result.explored = 7;
        return inputs;
    }

    /// A sweep's directory, and one for the next.
    fs::path sweep() const {
        write("sweep/journal", "runs of the sweep");
        write("sweep/output/000001.out", "printed");
        fs::create_directories(folder_ / "out");
        return folder_ / "sweep";
    }

    fs::path folder_;
};

TEST_F(Cache, HasTheVerdictAsLongAsNothingChanges) {
    EXPECT_EQ(cache().look().kept, Kept::nothing);
    cache().keep(Kept::verdict, inputs(), sweep());
    SweepCache again = cache();
    const SweepCache::Entry entry = again.look();
    ASSERT_EQ(entry.kept, Kept::verdict);
    EXPECT_EQ(make_text_report(entry.inputs), make_text_report(inputs()));
    again.bring(folder_ / "out");
    EXPECT_EQ(content(folder_ / "out/output/000001.out"), "printed");
    EXPECT_FALSE(fs::exists(folder_ / "out/journal"));
}

TEST_F(Cache, HasTheJournalOfASweepThatGoesOn) {
    cache().keep(Kept::journal, inputs(), sweep());
    SweepCache again = cache();
    ASSERT_EQ(again.look().kept, Kept::journal);
    again.bring(folder_ / "out");
    again.release();
    EXPECT_EQ(content(folder_ / "out/journal"), "runs of the sweep");
    // One entry for each command: the next one takes its place.
    again.keep(Kept::verdict, inputs(), sweep());
    EXPECT_EQ(cache().look().kept, Kept::verdict);
    EXPECT_FALSE(fs::exists(again.entry() / "journal"));
    again.keep(Kept::nothing, inputs(), sweep());
    EXPECT_EQ(cache().look().kept, Kept::nothing);
    EXPECT_FALSE(fs::exists(again.entry()));
}

TEST_F(Cache, WhateverChangesIsNamed) {
    cache().keep(Kept::verdict, inputs(), sweep());
    const auto expect = [this](const SweepKey& now, const std::string& sentence) {
        const SweepCache::Entry entry = cache(now).look();
        EXPECT_EQ(entry.kept, Kept::nothing);
        EXPECT_EQ(entry.differences, std::vector{sentence});
    };
    const SweepKey before = key();
    for (const auto& [file, what] :
         {std::pair("libapp.so", "the library "), std::pair("named.txt", "the argument "),
          std::pair("pre.so", "the preloaded library "), std::pair("tree/below/a", "the input ")}) {
        const std::string then = content(folder_ / file);
        write(file, then + "!");
        const std::string name = (folder_ / file).string();
        const SweepKey now = key();
        write(file, then);
        expect(now, what + name + " has changed");
    }
    write("libdampi-central.so", "x");
    expect(key(), "libdampi-central.so has changed");
    write("libdampi-central.so", "libdampi-central.so");
    setenv("MENTIONED_HERE", "1", 1);
    setenv("MENTIONED", "1", 1);
    expect(key(), "the environment variable MENTIONED_HERE is new");
    unsetenv("MENTIONED_HERE");
    EXPECT_EQ(cache().look().kept, Kept::verdict);
    unsetenv("MENTIONED");
    write("tree/b", "");
    expect(key(), "the input " + (folder_ / "tree/b").string() + " is new");
    SweepKey now = before;
    now.identity.program_fingerprint = "x";
    expect(now, "the program was built anew since (fingerprint 0123, now x)");
    now = before;
    now.identity.environment["UCX_DAMPI_TEST"] = "1";
    expect(now, "the environment variable UCX_DAMPI_TEST was not set and is '1'");
    now = before;
    now.identity.build.layer = "x";
    expect(now, "dampi was built anew");
    // Another command is another entry.
    SettledRequest other = request();
    other.options.minimize = true;
    EXPECT_TRUE(cache(key_of(other, own())).look().differences.empty());
    EXPECT_NE(cache(key_of(other, own())).entry(), cache(before).entry());
    other.options.cache_inputs = {folder_ / "nowhere"};
    EXPECT_THROW((void)key_of(other, own()), Error);
}

TEST_F(Cache, DamagedEntriesAreRefusedByName) {
    std::mt19937 random(26);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same files each time
    const SweepKey now = key();
    for (const auto& [kept, name] : {std::pair(Kept::verdict, "entry"), std::pair(Kept::verdict, "report.data"),
                                     std::pair(Kept::journal, "journal")}) {
        cache(now).keep(kept, inputs(), sweep());
        const fs::path file = cache(now).entry() / name;
        const std::string whole = content(file);
        for (int i = 0; i < 500; ++i) {
            std::string damaged = whole;
            switch (random() % 3) {
                case 0:
                    damaged.resize(random() % damaged.size());
                    break;
                case 1:
                    damaged[random() % damaged.size()] ^= static_cast<char>(1 + random() % 255);
                    break;
                default:
                    damaged.insert(random() % damaged.size(), "\n");
            }
            std::ofstream(file, std::ios::binary | std::ios::trunc) << damaged;
            try {
                (void)cache(now).look();
                ADD_FAILURE() << "not seen: damage " << i << " of " << name;
            } catch (const Error& error) {
                const std::string said = error.what();
                EXPECT_TRUE(said.starts_with(file.string() + ":")) << said;
                EXPECT_NE(said.find("remove " + cache(now).entry().string()), std::string::npos) << said;
            }
            EXPECT_EQ(content(file), damaged);
        }
        fs::remove(file);
        EXPECT_THROW((void)cache(now).look(), Error);
        fs::remove_all(cache(now).entry());
    }
    write("file", "");
    EXPECT_THROW(SweepCache(folder_ / "file", now), Error);
}

}  // namespace
}  // namespace dampi::scheduler
