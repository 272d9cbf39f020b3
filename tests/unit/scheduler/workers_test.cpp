// Leases, messages and the greeting of workers, and a pool with workers that are threads of this process.
#include "base/check.hpp"
#include "scheduler/cli/joining.hpp"
#include "scheduler/exploration/match_relations.hpp"
#include "scheduler/sweep/sweep.hpp"
#include "scheduler/workers/lease_table.hpp"
#include "scheduler/workers/messages.hpp"
#include "scheduler/workers/pool.hpp"
#include "scheduler/workers/processes.hpp"
#include "scheduler/workers/worker.hpp"
#include "tests/bench/free_engine.hpp"
#include "transport/network/link.hpp"
#include "transport/network/listening.hpp"
#include "transport/network/secret.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using namespace dampi;
using namespace dampi::scheduler;
using namespace dampi::scheduler::workers;
using namespace dampi::transport::network;
using namespace std::chrono_literals;

TEST(LeaseTable, EachJobIsLeasedToOneAtATime) {
    LeaseTable table;
    for (LeaseTable::Job job = 1; job <= 7; ++job) {
        table.ask(job);
    }
    EXPECT_TRUE(table.grant().empty());
    table.add_worker(1, 1);
    table.add_worker(2, 2);
    EXPECT_EQ(table.room(), 6U);
    const auto grants = table.grant();
    ASSERT_EQ(grants.size(), 6U);
    std::set<LeaseTable::Job> jobs;
    std::size_t of_first = 0;
    for (const auto& grant : grants) {
        jobs.insert(grant.job);
        of_first += grant.worker == 1 ? 1 : 0;
    }
    EXPECT_EQ(jobs.size(), 6U);
    EXPECT_EQ(of_first, 2U);
    EXPECT_EQ(table.waiting(), 1U);
    // A lease is its worker's alone, and over once.
    const auto lease = grants.front();
    EXPECT_FALSE(table.settle(3 - lease.worker, lease.lease));
    EXPECT_EQ(table.settle(lease.worker, lease.lease), lease.job);
    EXPECT_FALSE(table.settle(lease.worker, lease.lease));
    const auto next = table.grant();
    ASSERT_EQ(next.size(), 1U);
    EXPECT_EQ(next.front().job, 7U);
}

TEST(LeaseTable, WhatALostWorkerHadComesFirstAndItsLeasesAreOver) {
    LeaseTable table;
    table.add_worker(1, 1);
    for (LeaseTable::Job job = 1; job <= 4; ++job) {
        table.ask(job);
    }
    const auto lost = table.grant();
    ASSERT_EQ(lost.size(), 2U);
    EXPECT_EQ(table.remove_worker(1).size(), 2U);
    EXPECT_TRUE(table.remove_worker(1).empty());
    EXPECT_FALSE(table.settle(1, lost.front().lease));
    table.add_worker(2, 1);
    const auto again = table.grant();
    ASSERT_EQ(again.size(), 2U);
    EXPECT_EQ(again[0].job, 1U);
    EXPECT_EQ(again[1].job, 2U);
    EXPECT_NE(again[0].lease, lost[0].lease);
    EXPECT_FALSE(table.withdraw(3)) << "it was not leased";
    const auto withdrawn = table.withdraw(1);
    ASSERT_TRUE(withdrawn);
    EXPECT_EQ(withdrawn->first, 2U);
    EXPECT_FALSE(table.settle(2, again[0].lease));
    const auto last = table.grant();
    ASSERT_EQ(last.size(), 1U);
    EXPECT_EQ(last.front().job, 4U);
}

replay::RunRecord record_of_free_engine() { return bench::FreeEngine(1, 3, 2).run({}, {}); }

Result some_result() {
    Result result;
    result.lease = 7;
    result.record = record_of_free_engine();
    result.printed = "printed";
    return result;
}

TEST(WorkersMessages, ComeOutAsTheyWentInInWhateverPieces) {
    const std::string bytes = encode(Hello{.build = "b", .host = "h", .process = 3}) + encode(Kind::alive) +
                              encode(some_result()) + encode_recall(9) + encode_ready(4) +
                              encode(Kind::order, "an order");
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, bytes.size()}) {
        FrameReader reader = message_reader(most_bytes);
        std::vector<Kind> kinds;
        for (std::size_t at = 0; at < bytes.size(); at += piece) {
            reader.add(std::string_view(bytes).substr(at, piece));
            while (const auto message = reader.next()) {
                kinds.push_back(kind_of(*message));
                if (kind_of(*message) == Kind::hello) {
                    EXPECT_EQ(decode_hello(message->bytes).host, "h");
                } else if (kind_of(*message) == Kind::result) {
                    const Result result = decode_result(message->bytes);
                    EXPECT_EQ(result.lease, 7U);
                    EXPECT_EQ(result.record.epochs.size(), record_of_free_engine().epochs.size());
                    EXPECT_EQ(result.printed, "printed");
                } else if (kind_of(*message) == Kind::order) {
                    EXPECT_EQ(message->bytes, "an order");
                }
            }
        }
        EXPECT_EQ(kinds,
                  (std::vector<Kind>{Kind::hello, Kind::alive, Kind::result, Kind::recall, Kind::ready, Kind::order}));
    }
}

TEST(WorkersMessages, WhatIsNoneIsAnError) {
    FrameReader small = message_reader(most_bytes_at_first);
    small.add(std::string("\xff\xff\xff\x7f\x01", 5));
    EXPECT_THROW((void)small.next(), Error) << "too long";
    for (const char kind : {'\0', static_cast<char>(static_cast<int>(last_kind) + 1), '\xff'}) {
        FrameReader reader = message_reader(most_bytes);
        reader.add(std::string(4, '\0') + kind);
        EXPECT_THROW((void)reader.next(), Error);
    }
}

/// Whatever is changed in its bytes, a message is one or an error, and what it holds can be used.
TEST(WorkersMessages, MutatedBytesAreAnErrorOrAMessage) {
    std::mt19937 random(28);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same each time
    const std::string good = encode(some_result());
    int errors = 0;
    int plausible = 0;
    for (int i = 0; i < 4000; ++i) {
        std::string bytes = good;
        for (std::size_t changes = 1 + random() % 3; changes != 0; --changes) {
            bytes[random() % bytes.size()] = static_cast<char>(random());
        }
        bytes.resize(random() % 4 == 0 ? random() % bytes.size() : bytes.size());
        try {
            FrameReader reader = message_reader(most_bytes);
            reader.add(bytes);
            while (const auto message = reader.next()) {
                if (kind_of(*message) == Kind::result) {
                    plausible += is_plausible(decode_result(message->bytes).record, 4) ? 1 : 0;
                }
            }
        } catch (const Error&) {
            ++errors;
        }
    }
    EXPECT_GT(errors, 100);
    EXPECT_GT(plausible, 100);
}

TEST(WorkersMessages, RecordsOfOtherRanksAreNotPlausible) {
    replay::RunRecord record = record_of_free_engine();
    ASSERT_FALSE(record.epochs.empty());
    EXPECT_TRUE(is_plausible(record, 4));
    EXPECT_FALSE(is_plausible(record, 1));
    replay::RunRecord twice = record;
    twice.epochs.push_back(twice.epochs.back());
    EXPECT_FALSE(is_plausible(twice, 4));
    replay::RunRecord merged = record;
    merged.merged = replay::Merge{};
    EXPECT_FALSE(is_plausible(merged, 4));
    record.violations.push_back({.message = "m", .ranks = {9}});
    EXPECT_FALSE(is_plausible(record, 4));
}

class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "dampi-test.XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::filesystem::path write(const std::string& text, std::filesystem::perms rights) const {
        std::ofstream(path_ / "file") << text;
        std::filesystem::permissions(path_ / "file", rights);
        return path_ / "file";
    }

private:
    std::filesystem::path path_;
};

TEST(WorkersSecret, IsReadFromFilesOfOnesOwnAlone) {
    using std::filesystem::perms;
    const Folder folder;
    const std::string secret = make_secret();
    EXPECT_NE(secret, make_secret());
    EXPECT_EQ(read_secret(folder.write(secret + "\n", perms::owner_read)), secret);
    EXPECT_THROW((void)read_secret(folder.write(secret, perms::owner_read | perms::group_read)), Error);
    EXPECT_THROW((void)read_secret(folder.write("short\n", perms::owner_read | perms::owner_write)), Error);
    EXPECT_THROW((void)read_secret("/nowhere/secret"), Error);
    const Nonce a = make_nonce();
    const Nonce b = make_nonce();
    EXPECT_TRUE(same_proof(proof_of(secret, Side::worker, a, b), proof_of(secret, Side::worker, a, b)));
    EXPECT_FALSE(same_proof(proof_of(secret, Side::worker, a, b), proof_of(secret, Side::coordinator, a, b)));
    EXPECT_FALSE(same_proof(proof_of(secret, Side::worker, a, b), proof_of(secret, Side::worker, b, a)));
    EXPECT_FALSE(same_proof(proof_of(secret, Side::worker, a, b), proof_of(secret + "x", Side::worker, a, b)));
}

TEST(WorkersHosts, AreReadLineByLine) {
    using std::filesystem::perms;
    const Folder folder;
    const auto own = perms::owner_read | perms::owner_write;
    EXPECT_EQ(read_hosts(folder.write("# all\nnode0\n  node1:8   # large\n\n", own), "--workers"),
              (std::vector<HostLine>{{"node0", 0}, {"node1", 8}}));
    for (const char* wrong : {"", "a b\n", "a:0\n", "a:x\n", ":4\n", "-oProxyCommand=x\n"}) {
        EXPECT_THROW((void)read_hosts(folder.write(wrong, own), "--workers"), Error) << wrong;
    }
    EXPECT_THROW((void)read_hosts("/nowhere/hosts", "--workers"), Error);
    EXPECT_EQ(parse_address("a,b:17").hosts, (std::vector<std::string>{"a", "b"}));
    for (const char* wrong : {"", "a", "a:", ":1", "a:b", "a:123456"}) {
        EXPECT_THROW((void)parse_address(wrong), Error) << wrong;
    }
}

/// A worker that is a thread; it can vanish in the middle of its work.
class ThreadWorker {
public:
    ThreadWorker(const Pool& pool, const std::string& secret, std::uint32_t slots = 1,
                 std::chrono::milliseconds delay = 0ms, const std::string& host = "here", bool fails = false)
        : thread_([=, this, port = pool.port()] {
              Link link(parse_address("127.0.0.1:" + std::to_string(port)), secret, joining_worker(), 10s);
              order = introduce(link, {.build = "build", .host = host, .process = 1}, 10s);
              bench::FreeEngine engine(1, 3, 4);
              end = serve(link,
                          {.slots = slots,
                           .run =
                               [&](const Lease& lease, const std::stop_token& stop) {
                                   std::this_thread::sleep_for(delay);
                                   if (fails) {
                                       throw Error("there is no room left");
                                   }
                                   Result result;
                                   result.record = engine.run(lease.interleaving, stop);
                                   ++runs;
                                   return result;
                               },
                           .patience = 10s},
                          stop_);
          }) {}
    void vanish() { stop_ = true; }
    void join() { thread_.join(); }

    std::string order;
    std::atomic<WorkerEnd> end = WorkerEnd::stopped;
    std::atomic<std::uint64_t> runs = 0;

private:
    std::atomic<bool> stop_ = false;
    std::jthread thread_;
};

PoolSettings settings_of(const std::string& secret) {
    return {.secret = secret, .build = "build", .order = "the order", .processes = 4, .here = true};
}

SweepResult sweep_on(ExecutionEngine& engine) {
    MatchRelations explorer;
    SweepAccount account(CountedPolls::none);
    SweepSettings settings;
    settings.jobs = 2;
    return run_sweep(engine, explorer, account, settings);
}

TEST(WorkersPool, RunsEachInterleavingOnceWhateverWorkersComeAndGo) {
    bench::FreeEngine here(1, 3, 4);
    const SweepResult expected = sweep_on(here);
    const std::string secret = make_secret();
    Pool pool(settings_of(secret));
    WorkersEngine engine(pool, Purpose::central);
    std::atomic<bool> over = false;
    std::atomic<std::uint64_t> runs = 0;
    // There is always one that stays for a while, and others come and go.
    const std::jthread coming([&] {
        std::mt19937 random(28);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same each time
        for (std::vector<std::unique_ptr<ThreadWorker>> present; !over || !present.empty();) {
            if (present.size() < 4 && !over) {
                present.push_back(std::make_unique<ThreadWorker>(pool, secret, 1 + random() % 3));
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(random() % 20));
            const std::size_t goes = random() % present.size();
            present[goes]->vanish();
            present[goes]->join();
            EXPECT_EQ(present[goes]->order, "the order");
            runs += present[goes]->runs;
            present.erase(present.begin() + static_cast<std::ptrdiff_t>(goes));
        }
    });
    const SweepResult result = sweep_on(engine);
    over = true;
    EXPECT_TRUE(result.complete());
    EXPECT_EQ(result.explored, expected.explored);
    EXPECT_EQ(result.explored, here.outcomes());
    EXPECT_EQ(result.duplicates, expected.duplicates);
    EXPECT_GT(pool.account().joined, 1U);
}

TEST(WorkersPool, AMachineThatCannotRunWhatItIsGivenIsGivenUp) {
    const std::string secret = make_secret();
    PoolSettings settings = settings_of(secret);
    std::string said;
    settings.refused = [&](const std::string& what) { said += what; };
    Pool pool(settings);
    WorkersEngine engine(pool, Purpose::central);
    ThreadWorker well(pool, secret, 1, 5ms);
    while (pool.account().present < 1) {
        std::this_thread::sleep_for(1ms);
    }
    ThreadWorker full(pool, secret, 1, 1ms, "full", true);
    const SweepResult result = sweep_on(engine);
    EXPECT_TRUE(result.complete());
    EXPECT_EQ(result.explored, bench::FreeEngine(1, 3, 4).outcomes());
    full.join();
    EXPECT_EQ(full.end, WorkerEnd::sent_away);
    EXPECT_EQ(said, "worker full (process 1) is given up: there is no room left");
    const WorkersAccount account = pool.account();
    EXPECT_EQ(account.lost, 1U);
    EXPECT_EQ(account.rows.at(1).lost, "there is no room left");
    well.vanish();
}

TEST(WorkersPool, WhatNoMachineCanRunEndsTheSweep) {
    const std::string secret = make_secret();
    Pool pool(settings_of(secret));
    WorkersEngine engine(pool, Purpose::central);
    std::vector<std::unique_ptr<ThreadWorker>> all;
    for (const char* const host : {"a", "b", "c", "d", "e"}) {
        all.push_back(std::make_unique<ThreadWorker>(pool, secret, 1, 0ms, host, true));
    }
    try {
        (void)sweep_on(engine);
        ADD_FAILURE() << "it went on";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(": there is no room left"), std::string::npos) << error.what();
    }
    for (const auto& each : all) {
        each->vanish();
    }
}

TEST(WorkersPool, WhoCannotJoinSaysWhyOfEachAddress) {
    const std::string secret = make_secret();
    std::uint16_t port = 0;
    { port = Pool(settings_of(secret)).port(); }
    try {
        const Link link(parse_address("127.0.0.1,127.0.0.2,no.such.host.invalid:" + std::to_string(port)), secret,
                        joining_worker(), 10s);
        ADD_FAILURE() << "somebody was there";
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()),
                  "this dampi-worker cannot join the sweep at port " + std::to_string(port) +
                      " of 127.0.0.1, 127.0.0.2: nobody listens there; of no.such.host.invalid: no address is known "
                      "here for that name");
    }
}

TEST(WorkersPool, ListensAtAPortThatTheSiteHasOpened) {
    EXPECT_EQ(parse_ports("it", "40000-40099"), (std::pair<std::uint16_t, std::uint16_t>{40000, 40099}));
    EXPECT_EQ(parse_ports("it", "7"), (std::pair<std::uint16_t, std::uint16_t>{7, 7}));
    for (const char* wrong : {"", "0", "a", "-", "5-", "-5", "9-5", "1-65536", "1-2-3", " 5"}) {
        EXPECT_THROW((void)parse_ports("it", wrong), Error) << wrong;
    }
    // Free now, and taken by the first; the second has none left.
    std::uint16_t port = 0;
    { port = Listening(false, "somebody").port(); }
    ::setenv("DAMPI_PORTS", std::to_string(port).c_str(), 1);
    std::string refusal;
    try {
        const Listening first(false, "somebody");
        EXPECT_EQ(first.port(), port);
        EXPECT_NE(Listening(true, "somebody here").port(), port) << "no other machine has to come there";
        const Listening second(false, "somebody");
    } catch (const Error& error) {
        refusal = error.what();
    }
    ::unsetenv("DAMPI_PORTS");
    EXPECT_NE(refusal.find("is in use"), std::string::npos) << refusal;
}

/// Bytes to a port; what comes back until the other side closes.
std::string talk(std::uint16_t port, const std::string& bytes) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    ::shutdown(socket, SHUT_WR);
    std::string heard;
    char part[4096];
    for (ssize_t got = 0; (got = ::recv(socket, part, sizeof part, 0)) > 0;) {
        heard.append(part, static_cast<std::size_t>(got));
    }
    ::close(socket);
    return heard;
}

TEST(WorkersPool, StrangersGetNothingAndDisturbNothing) {
    const std::string secret = make_secret();
    Pool pool(settings_of(secret));
    WorkersEngine engine(pool, Purpose::central);
    std::jthread sweep([&] { EXPECT_TRUE(sweep_on(engine).complete()); });
    std::mt19937 random(28);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same each time
    for (int i = 0; i < 50; ++i) {
        std::string noise(random() % 300, '\0');
        for (char& byte : noise) {
            byte = static_cast<char>(random());
        }
        const std::string heard = talk(pool.port(), noise + encode(Hello{.build = "build"}) + encode_ready(1));
        EXPECT_LE(heard.size(), greeting_bytes) << "nothing of the sweep is told";
    }
    EXPECT_THROW(Link(parse_address("127.0.0.1:" + std::to_string(pool.port())), secret + "x", joining_worker(), 10s),
                 Error);
    EXPECT_EQ(pool.account().joined, 0U);
    {
        // Another build is told why.
        Link link(parse_address("127.0.0.1:" + std::to_string(pool.port())), secret, joining_worker(), 10s);
        try {
            (void)introduce(link, {.build = "another", .host = "there", .process = 5}, 10s);
            ADD_FAILURE() << "it was accepted";
        } catch (const Error& refused) {
            EXPECT_NE(std::string(refused.what()).find("another build"), std::string::npos) << refused.what();
        }
        link.send(encode_ready(1));  // that it has been told why changes nothing
        while (link.receive(10s) == Link::Heard::message) {
            EXPECT_NE(kind_of(link.message()), Kind::leases);
        }
        EXPECT_EQ(pool.account().joined, 0U);
    }
    {
        // One that has proven the secret and then sends nonsense is lost.
        Link link(parse_address("127.0.0.1:" + std::to_string(pool.port())), secret, joining_worker(), 10s);
        (void)introduce(link, {.build = "build", .host = "there", .process = 6}, 10s);
        link.send(encode_ready(3));
        ASSERT_EQ(link.receive(10s), Link::Heard::message);
        Result wrong;
        wrong.lease = 1;
        link.send(encode(wrong).substr(0, 40) + std::string(400, '\xff'));
        while (link.receive(10s) == Link::Heard::message) {}
    }
    ThreadWorker worker(pool, secret, 2);
    sweep.join();
    EXPECT_EQ(pool.account().lost, 1U);
    EXPECT_GE(pool.account().refused, 52U);
    pool.send_away();
    worker.join();
    EXPECT_EQ(worker.end, WorkerEnd::sent_away);
}

TEST(WorkersPool, WhatAlwaysEndsItsWorkersEndsTheSweepAndNotTheOtherWayRound) {
    const std::string secret = make_secret();
    Pool pool(settings_of(secret));
    WorkersEngine engine(pool, Purpose::central);
    std::atomic<bool> over = false;
    const std::jthread dying([&] {
        while (!over) {
            Link link(parse_address("127.0.0.1:" + std::to_string(pool.port())), secret, joining_worker(), 10s);
            (void)introduce(link, {.build = "build", .host = "here", .process = 1}, 10s);
            link.send(encode_ready(1));
            while (link.receive(10ms) == Link::Heard::nothing && !over) {}
        }
    });
    const SweepResult result = sweep_on(engine);
    over = true;
    EXPECT_FALSE(result.complete());
    ASSERT_FALSE(result.left_out.empty());
    EXPECT_NE(result.left_out.front().what.find("was lost with"), std::string::npos) << result.left_out.front().what;
}

TEST(WorkersPool, WithoutWorkersItSaysSo) {
    const std::string secret = make_secret();
    {
        Pool pool(settings_of(secret));
        WorkersEngine engine(pool, Purpose::central);
        pool.expect_no_more("they are ill");
        try {
            (void)sweep_on(engine);
            ADD_FAILURE() << "it went on";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("they are ill"), std::string::npos) << error.what();
        }
    }
    Pool pool(settings_of(secret));
    WorkersEngine engine(pool, Purpose::central);
    ThreadWorker worker(pool, secret, 1, 5ms);
    std::jthread ill([&] {
        while (worker.runs < 3) {
            std::this_thread::sleep_for(1ms);
        }
        worker.vanish();
        pool.expect_no_more("they are ill");
    });
    const SweepResult result = sweep_on(engine);
    EXPECT_FALSE(result.complete());
    ASSERT_FALSE(result.left_out.empty());
    EXPECT_EQ(result.left_out.front().reason, "workers");
    EXPECT_GE(result.explored, 2U);
}

/// TMPDIR may be on a file system that several machines share, whose nodes start at the same moment.
TEST(OwnFolder, IsNotTakenForAbandonedWhileOthersAreMade) {
    const std::string prefix = "dampi-test-own-" + std::to_string(::getpid()) + '.';
    std::atomic<unsigned> taken = 0;
    {
        std::vector<std::jthread> processes;
        for (unsigned i = 0; i < 8; ++i) {
            processes.emplace_back([&] {
                for (unsigned attempt = 0; attempt < 100; ++attempt) {
                    const OwnFolder folder(prefix);
                    std::error_code error;
                    const auto inside = folder.path() / "output";
                    std::this_thread::sleep_for(1ms);  // who wants to remove it does so
                    std::filesystem::create_directory(inside, error);
                    taken += error || !std::filesystem::is_directory(inside) ? 1 : 0;
                }
            });
        }
    }
    EXPECT_EQ(taken, 0U);
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path())) {
        EXPECT_FALSE(entry.path().filename().string().starts_with(prefix)) << entry.path();
    }
}

}  // namespace
