#include <ostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "clients/cli/arguments.h"
#include "clients/cli/command.h"
#include "clients/cli/json.h"
#include "clients/cli/server_connection.h"
#include "clients/cli/text_table.h"

namespace cudaperf::clients {
namespace {

std::vector<Option> DescribeCommandOptions() {
  std::vector<Option> options = {{"json", Option::Takes::kSwitch, "", "print the whole response as proto JSON"},
                                 {"help", Option::Takes::kSwitch, "", ""}};
  for (Option& option : ConnectionOptions()) options.push_back(std::move(option));
  return options;
}

}  // namespace

int RunDescribe(const std::vector<std::string>& words, const Streams& streams) {
  absl::StatusOr<Arguments> arguments = Arguments::Parse(words, DescribeCommandOptions());
  if (!arguments.ok()) return ReportFailure(arguments.status(), streams);
  if (arguments->Has("help")) {
    streams.out << "usage: cudaperf describe [OPTION ...]\n\nSays what the daemon is and what it offers.\n\n"
                << DescribeOptions(DescribeCommandOptions());
    return kExitDone;
  }
  absl::StatusOr<ServerConnection> server = ServerConnection::FromArguments(*arguments);
  if (!server.ok()) return ReportFailure(server.status(), streams);
  absl::StatusOr<reward::v1::DescribeServerResponse> response = server->Describe();
  if (!response.ok()) return ReportFailure(response.status(), streams);
  if (arguments->Has("json")) {
    streams.out << ToJson(*response) << "\n";
    return kExitDone;
  }
  streams.out << RenderTable({
      {"version", response->server_version()},
      {"device", response->device()},
      {"times", absl::StrCat(reward::v1::TimingSource_Name(response->timing_source()), ", ", response->gpu())},
      {"toolkit", response->toolkit_version()},
      {"sandbox", reward::v1::SandboxLevel_Name(response->sandbox_level())},
      {"policies", absl::StrJoin(response->reward_policies(), ", ")},
      {"default policy", response->default_reward_policy()},
      {"ranker", response->ranker_model().empty() ? "none" : response->ranker_model()},
      {"slots", absl::StrCat(response->slot_count(), ", in flight ", response->in_flight_count())},
      {"queue", absl::StrCat(response->queued_count(), " of ", response->queue_limit())},
      {"largest source", absl::StrCat(response->max_source_bytes(), " bytes")},
      {"largest message", absl::StrCat(response->max_message_bytes(), " bytes")},
      {"up for", absl::StrCat(response->uptime().seconds(), " s")},
  });
  return kExitDone;
}

}  // namespace cudaperf::clients
