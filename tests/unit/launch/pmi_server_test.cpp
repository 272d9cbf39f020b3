// The protocol without processes: what each command is answered, and that nonsense does no harm.
#include "launch/pmi_server.hpp"

#include <gtest/gtest.h>

namespace dampi::launch {
namespace {

std::string ask(PmiServer& server, base::Rank rank, const std::string& line) {
    server.receive(rank, line);
    std::string answer;
    for (const PmiServer::Reply& reply : server.take_replies()) {
        EXPECT_EQ(reply.rank, rank);
        answer += reply.line;
    }
    return answer;
}

TEST(PmiServer, AnswersTheStartOfAClient) {
    PmiServer server(3, "kvs");
    EXPECT_EQ(ask(server, 0, "cmd=init pmi_version=1 pmi_subversion=1\n"),
              "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n");
    EXPECT_EQ(ask(server, 0, "cmd=get_maxes\n"), "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024\n");
    EXPECT_EQ(ask(server, 0, "cmd=get_appnum\n"), "cmd=appnum appnum=0\n");
    EXPECT_EQ(ask(server, 0, "cmd=get_my_kvsname\n"), "cmd=my_kvsname kvsname=kvs\n");
    EXPECT_EQ(ask(server, 0, "cmd=get_universe_size\n"), "cmd=universe_size size=-1\n");
    EXPECT_EQ(ask(server, 0, "cmd=get kvsname=kvs key=PMI_process_mapping\n"),
              "cmd=get_result rc=0 msg=success value=(vector,(0,1,3))\n");
}

TEST(PmiServer, RefusesAnotherProtocolVersion) {
    PmiServer server(1, "kvs");
    EXPECT_EQ(ask(server, 0, "cmd=init pmi_version=2 pmi_subversion=0\n"),
              "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=-1\n");
}

TEST(PmiServer, StoresValuesForAllRanks) {
    PmiServer server(2, "kvs");
    EXPECT_EQ(ask(server, 0, "cmd=get kvsname=kvs key=a\n").substr(0, 24), "cmd=get_result rc=-1 msg");
    EXPECT_EQ(ask(server, 0, "cmd=put kvsname=kvs key=a value=x=1,y\n"), "cmd=put_result rc=0 msg=success\n");
    EXPECT_EQ(ask(server, 1, "cmd=get kvsname=kvs key=a\n"), "cmd=get_result rc=0 msg=success value=x=1,y\n");
    EXPECT_EQ(ask(server, 1, "cmd=put kvsname=kvs key=a value=z\n"), "cmd=put_result rc=0 msg=success\n");
    EXPECT_EQ(ask(server, 0, "cmd=get kvsname=kvs key=a\n"), "cmd=get_result rc=0 msg=success value=z\n");
    EXPECT_NE(ask(server, 0, "cmd=put kvsname=other key=a value=z\n").find("rc=-1"), std::string::npos);
    EXPECT_NE(ask(server, 0, "cmd=get kvsname=other key=a\n").find("rc=-1"), std::string::npos);
}

TEST(PmiServer, ReleasesABarrierWhenAllAreIn) {
    PmiServer server(3, "kvs");
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(ask(server, 2, "cmd=barrier_in\n"), "");
        EXPECT_EQ(ask(server, 0, "cmd=barrier_in\n"), "");
        EXPECT_EQ(ask(server, 0, "cmd=barrier_in\n"), "") << "one rank twice is not two ranks";
        server.receive(1, "cmd=barrier_in\n");
        const auto replies = server.take_replies();
        ASSERT_EQ(replies.size(), 3u);
        for (int rank = 0; rank < 3; ++rank) {
            EXPECT_EQ(replies[rank].rank, rank);
            EXPECT_EQ(replies[rank].line, "cmd=barrier_out\n");
        }
    }
}

TEST(PmiServer, PutsPiecesOfLinesTogether) {
    PmiServer server(2, "kvs");
    server.receive(0, "cmd=get_ap");
    EXPECT_EQ(ask(server, 1, "cmd=get_appnum\n"), "cmd=appnum appnum=0\n");
    EXPECT_EQ(ask(server, 0, "pnum\ncmd=get_appnum\ncm"), "cmd=appnum appnum=0\ncmd=appnum appnum=0\n");
    EXPECT_EQ(ask(server, 0, "d=finalize\n"), "cmd=finalize_ack\n");
    EXPECT_TRUE(server.finalized(0));
    EXPECT_FALSE(server.finalized(1));
}

TEST(PmiServer, KnowsWhoHasBegunToSpeak) {
    PmiServer server(2, "kvs");
    EXPECT_FALSE(server.begun(0));
    server.receive(0, "cmd=init pmi_version=1 pmi_subversion=1\n");
    EXPECT_TRUE(server.begun(0));
    EXPECT_FALSE(server.begun(1));
}

TEST(PmiServer, RecordsAbortRequestsWithoutAnswering) {
    PmiServer server(3, "kvs");
    EXPECT_EQ(ask(server, 2, "cmd=abort exitcode=9\n"), "");
    EXPECT_EQ(ask(server, 0, "cmd=abort exitcode=nonsense\ncmd=abort exitcode=4\n"), "");
    ASSERT_EQ(server.abort_requests().size(), 2u);
    EXPECT_EQ(server.abort_requests()[0].rank, 2);
    EXPECT_EQ(server.abort_requests()[0].code, 9);
    EXPECT_EQ(server.abort_requests()[1].rank, 0);
    EXPECT_EQ(server.abort_requests()[1].code, 1);
}

TEST(PmiServer, PublishesNames) {
    PmiServer server(2, "kvs");
    EXPECT_EQ(ask(server, 0, "cmd=lookup_name service=my service\n"),
              "cmd=lookup_result info=failed rc=1 msg=service_not_found\n");
    EXPECT_EQ(ask(server, 0, "cmd=publish_name service=my service port=tag#0$x\n"),
              "cmd=publish_result info=ok rc=0 msg=success\n");
    EXPECT_NE(ask(server, 1, "cmd=publish_name service=my service port=y\n").find("rc=-1"), std::string::npos);
    EXPECT_EQ(ask(server, 1, "cmd=lookup_name service=my service\n"),
              "cmd=lookup_result port=tag#0$x info=ok rc=0 msg=success\n");
    EXPECT_EQ(ask(server, 0, "cmd=unpublish_name service=my service\n"),
              "cmd=unpublish_result info=ok rc=0 msg=success\n");
    EXPECT_NE(ask(server, 0, "cmd=unpublish_name service=my service\n").find("rc=1"), std::string::npos);
}

TEST(PmiServer, RefusesToSpawnOncePerCall) {
    PmiServer server(1, "kvs");
    EXPECT_EQ(
        ask(server, 0, "mcmd=spawn\nnprocs=1\nexecname=a\ntotspawns=2\nspawnssofar=1\narg1=cmd=finalize\nendcmd\n"),
        "");
    EXPECT_EQ(ask(server, 0, "mcmd=spawn\nnprocs=1\nexecname=b\ntotspawns=2\nspawnssofar=2\nendcmd\n").substr(0, 26),
              "cmd=spawn_result rc=-1 sta");
    EXPECT_FALSE(server.finalized(0)) << "a spawned program's argument is no command";
    EXPECT_EQ(ask(server, 0, "mcmd=spawn\nendcmd\n").substr(0, 22), "cmd=spawn_result rc=-1");
}

TEST(PmiServer, SurvivesNonsense) {
    PmiServer server(2, "kvs");
    ask(server, 0,
        "\n \n=\ncmd\ncmd=\n=cmd\nx=y\ncmd=put\ncmd=put kvsname=kvs key= value=\ncmd=get\ncmd=nothing\nendcmd\n");
    ask(server, 0, std::string("\0\xff\n\0cmd=get_appnum\n", 18));
    EXPECT_NE(ask(server, 0, "cmd=put kvsname=kvs key=a value=" + std::string(2000, 'v') + "\n").find("rc=-1"),
              std::string::npos);
    EXPECT_NE(ask(server, 0, "cmd=put kvsname=kvs key=" + std::string(500, 'k') + " value=v\n").find("rc=-1"),
              std::string::npos);
    EXPECT_NE(ask(server, 0, "cmd=publish_name service=s\n").find("rc=-1"), std::string::npos);
    const std::string endless(1 << 20, 'x');
    EXPECT_EQ(ask(server, 0, endless), "");
    EXPECT_EQ(ask(server, 0, endless + "\n"), "cmd=error rc=-1 msg=line_too_long\n");
    EXPECT_EQ(ask(server, 0, "cmd=get_appnum\n"), "cmd=appnum appnum=0\n");
}

TEST(PmiServer, LimitsWhatIsStored) {
    PmiServer server(1, "kvs");
    const std::string value(1000, 'v');
    bool refused = false;
    for (int i = 0; i < 100000 && !refused; ++i) {
        refused =
            ask(server, 0, "cmd=put kvsname=kvs key=k" + std::to_string(i) + " value=" + value + "\n").find("rc=-1") !=
            std::string::npos;
    }
    EXPECT_TRUE(refused);
}

}  // namespace
}  // namespace dampi::launch
