#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "clients/cli/arguments.h"
#include "clients/cli/command.h"
#include "clients/cli/evaluation_table.h"
#include "clients/cli/text_table.h"
#include "cudaperf/reward/v1/reward_service.grpc.pb.h"
#include "gmock/gmock.h"
#include "google/protobuf/util/json_util.h"
#include "grpcpp/grpcpp.h"
#include "gtest/gtest.h"
#include "proto/task_file.h"

namespace cudaperf::clients {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Answers by the candidate's text.
class FakeRewardService : public reward::v1::RewardService::Service {
 public:
  grpc::Status EvaluateKernel(grpc::ServerContext*, const reward::v1::EvaluateKernelRequest* request,
                              reward::v1::EvaluateKernelResponse* response) override {
    last_request = *request;
    if (request->candidate().source() == "busy") return {grpc::StatusCode::RESOURCE_EXHAUSTED, "the queue is full"};
    if (request->candidate().source() == "bad") return {grpc::StatusCode::INVALID_ARGUMENT, "candidate.source: bad"};
    reward::v1::Evaluation* evaluation = response->mutable_evaluation();
    evaluation->set_evaluation_id("e1");
    evaluation->set_outcome(reward::v1::OUTCOME_PASSED);
    evaluation->mutable_timing()->set_speedup(2.5);
    evaluation->mutable_profile()->set_coalescing(0.125);
    evaluation->mutable_profile()->set_occupancy(0.75);
    evaluation->mutable_reward()->set_value(1.25);
    evaluation->mutable_reward()->set_policy("cudaperf-v1");
    reward::v1::RewardTerm* term = evaluation->mutable_reward()->add_terms();
    term->set_name("speed");
    term->set_contribution(1.25);
    evaluation->mutable_feedback()->set_text("first line\nsecond line");
    return grpc::Status::OK;
  }
  grpc::Status RegisterTask(grpc::ServerContext*, const reward::v1::RegisterTaskRequest* request,
                            reward::v1::RegisterTaskResponse* response) override {
    last_registration = *request;
    if (request->task().name() == "refused") return {grpc::StatusCode::FAILED_PRECONDITION, "all zeros pass"};
    response->set_task_id("sha256:1");
    return grpc::Status::OK;
  }
  grpc::Status ListTasks(grpc::ServerContext*, const reward::v1::ListTasksRequest*,
                         reward::v1::ListTasksResponse* response) override {
    response->add_tasks()->set_name("saxpy");
    return grpc::Status::OK;
  }
  grpc::Status DescribeServer(grpc::ServerContext*, const reward::v1::DescribeServerRequest*,
                              reward::v1::DescribeServerResponse* response) override {
    response->set_server_version("1.2.3");
    return grpc::Status::OK;
  }

  reward::v1::EvaluateKernelRequest last_request;
  reward::v1::RegisterTaskRequest last_registration;
};

class CliTest : public ::testing::Test {
 protected:
  CliTest() {
    std::string folder = std::filesystem::temp_directory_path() / "cudaperf-cli-XXXXXX";
    folder_ = mkdtemp(folder.data());
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    address_ = "127.0.0.1:" + std::to_string(port);
    Write("good.cu", "good");
    Write("busy.cu", "busy");
    Write("bad.cu", "bad");
    Write("reference.c", "void f() {}");
    Write("baseline.cu", "baseline source");
    Write("task.textproto",
          "name: 'tiny' reference_file: 'reference.c' baseline_file: 'baseline.cu' cuda { entry_point: 'f' }");
  }
  ~CliTest() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& content) {
    std::ofstream(folder_ / name) << content;
    return folder_ / name;
  }
  std::string Path(const std::string& name) const { return folder_ / name; }

  int Run(std::vector<std::string> arguments) {
    out_.str("");
    error_.str("");
    return RunCommand(arguments, {out_, error_});
  }

  FakeRewardService service_;
  std::unique_ptr<grpc::Server> server_;
  std::string address_;
  std::filesystem::path folder_;
  std::ostringstream out_, error_;
};

TEST_F(CliTest, OneCandidateIsDescribedInFull) {
  EXPECT_EQ(Run({"evaluate", "--server", address_, "--task", "saxpy", "--candidate", Path("good.cu")}), kExitDone);
  EXPECT_THAT(out_.str(), HasSubstr("passed"));
  EXPECT_THAT(out_.str(), HasSubstr("second line"));
  EXPECT_EQ(service_.last_request.task_id(), "saxpy");
}

TEST_F(CliTest, SeveralCandidatesAreATable) {
  EXPECT_EQ(Run({"evaluate", "--server=" + address_, "--task=saxpy", "--candidate", Path("good.cu"), "--candidate",
                 Path("good.cu")}),
            kExitDone);
  EXPECT_THAT(out_.str(),
              HasSubstr("good.cu    passed   +1.250  speed +1.25  2.50x    12 %        75 %       first line"));
  EXPECT_THAT(out_.str(), Not(HasSubstr("second line")));
}

TEST_F(CliTest, TaskFileTravelsWithItsSources) {
  EXPECT_EQ(Run({"evaluate", "--server", address_, "--task", Path(""), "--candidate", Path("good.cu")}), kExitDone);
  EXPECT_EQ(service_.last_request.task().cuda().reference_source(), "void f() {}");
  EXPECT_EQ(service_.last_request.task().cuda().baseline().source(), "baseline source");
  EXPECT_TRUE(service_.last_request.task().reference_file().empty());
}

TEST_F(CliTest, JsonIsTheWholeResponse) {
  EXPECT_EQ(Run({"evaluate", "--server", address_, "--task", "saxpy", "--candidate", Path("good.cu"), "--json"}),
            kExitDone);
  reward::v1::EvaluateKernelResponse response;
  ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(out_.str(), &response).ok());
  EXPECT_EQ(response.evaluation().reward().value(), 1.25);
}

TEST_F(CliTest, ExitStatusTellsInputFromServer) {
  EXPECT_EQ(Run({"evaluate", "--server", address_, "--task", "saxpy", "--candidate", Path("bad.cu")}), kExitInput);
  EXPECT_THAT(error_.str(), HasSubstr("bad.cu: candidate.source: bad"));
  EXPECT_EQ(Run({"evaluate", "--server", address_, "--task", "saxpy", "--candidate", Path("busy.cu")}), kExitServer);
  EXPECT_EQ(Run({"evaluate", "--server", address_, "--task", "saxpy", "--candidate", Path("none.cu")}), kExitInput);
  EXPECT_EQ(Run({"evaluate", "--server", address_, "--task", Path("none.textproto"), "--candidate", Path("good.cu")}),
            kExitInput);
}

TEST_F(CliTest, AbsentServerIsNamedWithTheFix) {
  server_->Shutdown();
  EXPECT_EQ(Run({"describe", "--server", address_, "--timeout", "5s"}), kExitServer);
  EXPECT_THAT(error_.str(), HasSubstr("is cudaperfd running on " + address_));
}

TEST_F(CliTest, UsageErrorsNameTheOption) {
  EXPECT_EQ(Run({}), kExitInput);
  EXPECT_EQ(Run({"evalute"}), kExitInput);
  EXPECT_THAT(error_.str(), HasSubstr("evalute"));
  EXPECT_EQ(Run({"evaluate", "--candidate", "x"}), kExitInput);
  EXPECT_THAT(error_.str(), HasSubstr("--task is missing"));
  EXPECT_EQ(Run({"evaluate", "--task", "x", "--candidate", "a.cu", "b.cu"}), kExitInput);
  EXPECT_THAT(error_.str(), HasSubstr("b.cu"));
  EXPECT_EQ(Run({"describe", "--frob"}), kExitInput);
  EXPECT_THAT(error_.str(), HasSubstr("--frob"));
  EXPECT_EQ(Run({"describe", "--timeout", "soon"}), kExitInput);
  EXPECT_EQ(Run({"task", "list", "file"}), kExitInput);
  EXPECT_EQ(Run({"task", "check"}), kExitInput);
}

TEST_F(CliTest, EveryCommandHasHelp) {
  for (const char* command : {"evaluate", "task", "describe"}) {
    EXPECT_EQ(Run({command, "--help"}), kExitDone);
    EXPECT_THAT(out_.str(), HasSubstr(std::string("usage: cudaperf ") + command));
    EXPECT_THAT(out_.str(), HasSubstr("--server HOST:PORT"));
  }
  EXPECT_EQ(Run({"--help"}), kExitDone);
}

TEST_F(CliTest, TasksAreRegisteredCheckedAndListed) {
  EXPECT_EQ(Run({"task", "register", Path("task.textproto"), "--server", address_}), kExitDone);
  EXPECT_THAT(out_.str(), HasSubstr("registered tiny sha256:1"));
  EXPECT_FALSE(service_.last_registration.validate_only());
  EXPECT_EQ(Run({"task", "check", Path("task.textproto"), "--server", address_}), kExitDone);
  EXPECT_TRUE(service_.last_registration.validate_only());
  const std::string refused = Write("refused.textproto", "name: 'refused'");
  EXPECT_EQ(Run({"task", "check", refused, "--server", address_}), kExitInput);
  EXPECT_THAT(error_.str(), HasSubstr("all zeros pass"));
  EXPECT_EQ(Run({"task", "list", "--server", address_}), kExitDone);
  EXPECT_THAT(out_.str(), HasSubstr("saxpy"));
}

TEST_F(CliTest, TaskFileThatDoesNotParseNamesTheLine) {
  const std::string path = Write("broken.textproto", "name: 'x'\nfrob: 1\n");
  EXPECT_EQ(Run({"task", "check", path, "--server", address_}), kExitInput);
  EXPECT_THAT(error_.str(), HasSubstr("line 2"));
}

TEST(ArgumentsTest, RepeatedOptionsKeepTheirOrder) {
  const auto arguments = Arguments::Parse({"--x", "1", "y", "--x=2"}, {{"x", Option::Takes::kValue, "N", ""}});
  ASSERT_TRUE(arguments.ok());
  EXPECT_THAT(arguments->GetAll("x"), ElementsAre("1", "2"));
  EXPECT_THAT(arguments->positional(), ElementsAre("y"));
}

TEST(TextTableTest, ColumnsLineUpAlsoBehindUtf8) {
  EXPECT_EQ(RenderTable({{"a", "b"}, {"\xc3\xa4\xc3\xb6", "c"}}), "a   b\n\xc3\xa4\xc3\xb6  c\n");
}

}  // namespace
}  // namespace cudaperf::clients
