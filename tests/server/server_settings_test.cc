#include "server/server_settings.h"

#include "cudaperf/config/v1/server_config.pb.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "server/command_line.h"

namespace cudaperf::server {
namespace {

using ::testing::HasSubstr;

const MachineDefaults kMachine = {.core_count = 2, .toolkit_root = "/toolkit", .worker_directory = "/workers"};

std::string Complaint(const std::string& text) {
  absl::StatusOr<config::v1::ServerConfig> config = ParseSettings(text);
  if (config.ok()) config = CompleteSettings(*std::move(config), kMachine);
  EXPECT_TRUE(absl::IsInvalidArgument(config.status())) << text;
  return std::string(config.status().message());
}

TEST(ServerSettingsTest, EmptySettingsAreCompleteAndValid) {
  const auto config = CompleteSettings({}, kMachine);
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->listen_address(), "127.0.0.1:50061");
  EXPECT_EQ(config->slot_count(), 2);
  EXPECT_EQ(config->toolkit_root(), "/toolkit");
  EXPECT_TRUE(config->reflection());
  EXPECT_EQ(config->reward_policies(0).name(), "cudaperf-v1");
}

TEST(ServerSettingsTest, PrintedSettingsReadBackTheSame) {
  auto config = CompleteSettings({}, kMachine);
  ASSERT_TRUE(config.ok());
  std::string text;
  google::protobuf::TextFormat::PrintToString(*config, &text);
  const auto again = ParseSettings(text);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->SerializeAsString(), config->SerializeAsString());
}

TEST(ServerSettingsTest, ComplaintsNameTheField) {
  EXPECT_THAT(Complaint("slots: 3"), HasSubstr("slots"));
  EXPECT_THAT(Complaint("slot_count: 0"), HasSubstr("slot_count: must be 1 .. 256, was 0"));
  EXPECT_THAT(Complaint("queue_limit: -1"), HasSubstr("queue_limit"));
  EXPECT_THAT(Complaint("max_source_bytes: 10"), HasSubstr("max_source_bytes"));
  EXPECT_THAT(Complaint("modeled_gpu: 'b300'"), HasSubstr("modeled_gpu: `b300` is not one of h200"));
  EXPECT_THAT(Complaint("log_format: 'xml'"), HasSubstr("log_format"));
  EXPECT_THAT(Complaint("drain_limit { seconds: -1 }"), HasSubstr("drain_limit"));
  EXPECT_THAT(Complaint("limits { case_time { } }"), HasSubstr("limits.case_time"));
  EXPECT_THAT(Complaint("limits { device_memory_bytes: 0 }"), HasSubstr("limits.device_memory_bytes"));
  EXPECT_THAT(Complaint("default_reward_policy: 'mine'"), HasSubstr("default_reward_policy: `mine` is not one of"));
  EXPECT_THAT(Complaint("listen_address: 'here'"), HasSubstr("listen_address"));
}

TEST(ServerSettingsTest, ReachableAddressNeedsConsent) {
  EXPECT_THAT(Complaint("listen_address: '0.0.0.0:50061'"), HasSubstr("--insecure"));
  EXPECT_THAT(Complaint("listen_address: '127.evil.example:50061'"), HasSubstr("--insecure"));
  const auto config = CompleteSettings(*ParseSettings("listen_address: '0.0.0.0:50061' insecure: true"), kMachine);
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_FALSE(config->reflection());
}

TEST(ServerSettingsTest, FlagsSetEveryKindOfField) {
  config::v1::ServerConfig config;
  EXPECT_TRUE(SetField("queue_limit", "7", &config).ok());
  EXPECT_TRUE(SetField("limits.case_time", "1.5s", &config).ok());
  EXPECT_TRUE(SetField("sandbox_level", "reduced", &config).ok());
  EXPECT_TRUE(SetField("tasks", "a,b", &config).ok());
  EXPECT_TRUE(SetField("insecure", "true", &config).ok());
  EXPECT_TRUE(SetField("listen_address", "quote'\"d:1", &config).ok());
  EXPECT_EQ(config.queue_limit(), 7);
  EXPECT_EQ(config.limits().case_time().nanos(), 500'000'000);
  EXPECT_EQ(config.sandbox_level(), reward::v1::SANDBOX_LEVEL_REDUCED);
  EXPECT_EQ(config.tasks_size(), 2);
  EXPECT_TRUE(config.insecure());
  EXPECT_EQ(config.listen_address(), "quote'\"d:1");
}

TEST(ServerSettingsTest, FlagsThatDoNotParseNameTheField) {
  config::v1::ServerConfig config;
  EXPECT_THAT(SetField("queue_limit", "many", &config).message(), HasSubstr("queue_limit"));
  EXPECT_THAT(SetField("queue_limit", "7 slot_count: 9", &config).message(), HasSubstr("queue_limit"));
  EXPECT_THAT(SetField("limits.case_time", "soon", &config).message(), HasSubstr("limits.case_time: `soon`"));
  EXPECT_THAT(SetField("sandbox_level", "none", &config).message(), HasSubstr("sandbox_level"));
  EXPECT_THAT(SetField("nonsense", "1", &config).message(), HasSubstr("nonsense"));
}

TEST(CommandLineTest, EveryFieldIsAFlagAndInTheHelp) {
  const auto* descriptor = config::v1::ServerConfig::descriptor();
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const std::string& name = descriptor->field(i)->name();
    EXPECT_TRUE(ParseCommandLine({"--" + name + "=1"}).ok()) << name;
    EXPECT_THAT(HelpText(), HasSubstr("--" + name));
  }
}

TEST(CommandLineTest, UnknownOrIncompleteFlagsAreNamed) {
  EXPECT_THAT(ParseCommandLine({"--quue_limit=3"}).status().message(), HasSubstr("quue_limit"));
  EXPECT_THAT(ParseCommandLine({"--queue_limit"}).status().message(), HasSubstr("queue_limit"));
  EXPECT_THAT(ParseCommandLine({"stray"}).status().message(), HasSubstr("stray"));
}

TEST(CommandLineTest, SwitchesAndValuesMix) {
  const auto line = ParseCommandLine({"--insecure", "--queue_limit", "3", "--metrics_address=off", "--print_config"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(line->action, CommandLine::Action::kPrintConfig);
  EXPECT_THAT(line->settings,
              ::testing::ElementsAre(::testing::Pair("insecure", "true"), ::testing::Pair("queue_limit", "3"),
                                     ::testing::Pair("metrics_address", "")));
}

}  // namespace
}  // namespace cudaperf::server
