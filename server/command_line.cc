#include "server/command_line.h"

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace cudaperf::server {
namespace {

enum class Takes { kValue, kSwitch };

// One setting that is a flag too: `--queue_limit`, `--limits.case_time`.
struct SettingFlag {
  absl::string_view path;
  Takes takes;
  absl::string_view help;
};

constexpr SettingFlag kSettings[] = {
    {"listen_address", Takes::kValue, "host:port of gRPC, or unix:PATH; port 0 takes a free one [127.0.0.1:50061]"},
    {"metrics_address", Takes::kValue, "host:port of /metrics and /healthz; `off` for none [127.0.0.1:9461]"},
    {"insecure", Takes::kSwitch,
     "allow listen_address to be other than loopback, without TLS or authentication [false]"},
    {"device", Takes::kValue,
     "what runs candidates: emulated, cuda:N, GPU-uuid, MIG-uuid; auto: a GPU if there is one [auto]"},
    {"profile_level", Takes::kValue, "counters read of candidates on a GPU: none, core, full [core]"},
    {"modeled_gpu", Takes::kValue, "data sheet of modelled times: h200, h100, a100, l40s, rtx4090 [h200]"},
    {"slot_count", Takes::kValue, "evaluations at once, 1..256 [number of cores]"},
    {"queue_limit", Takes::kValue, "evaluations waiting, 0..100000 [256]"},
    {"sandbox_level", Takes::kValue, "refuse to start with less: reduced, full [the best this machine allows]"},
    {"toolkit_root", Takes::kValue, "CUDA toolkit folder [CUDAToolkit_ROOT, else the one found at build time]"},
    {"worker_directory", Takes::kValue, "folder of the workers [the daemon's own]"},
    {"tasks", Takes::kValue,
     "tasks to register at start: task.textproto files, their folders, folders of those; by commas"},
    {"task_limit", Takes::kValue, "tasks kept, 1..1000000 [4096]"},
    {"max_source_bytes", Takes::kValue, "largest source, 1024..1048576 [262144]"},
    {"max_message_bytes", Takes::kValue, "largest gRPC message, 65536..1073741824 [16777216]"},
    {"limits", Takes::kValue, "all limits as text proto, or one by one:"},
    {"limits.compile_time", Takes::kValue, "processor time of one compilation; four times that by the clock [60s]"},
    {"limits.case_time", Takes::kValue, "wall time of one call of a candidate [20s]"},
    {"limits.timing_budget", Takes::kValue, "timed iterations of one case on a GPU [100ms]"},
    {"limits.instruction_budget", Takes::kValue, "warp instructions of one emulated launch [200000000]"},
    {"limits.worker_memory_bytes", Takes::kValue, "host memory of one worker tree [4294967296]"},
    {"limits.device_memory_bytes", Takes::kValue, "device memory of one candidate [2147483648]"},
    {"reward_policies", Takes::kValue, "policies as text proto, instead of the built-in ones"},
    {"default_reward_policy", Takes::kValue, "policy of requests that name none [cudaperf-v1]"},
    {"result_cache_entries", Takes::kValue, "evaluations kept for identical requests, 0..10000000 [65536]"},
    {"drain_limit", Takes::kValue, "how long SIGTERM waits for work in flight [25s]"},
    {"log_level", Takes::kValue, "debug, info, warning, error [info]"},
    {"log_format", Takes::kValue, "text, json [text]"},
    {"reflection", Takes::kSwitch, "gRPC server reflection [true on loopback]"},
};

const SettingFlag* FindSetting(absl::string_view name) {
  for (const SettingFlag& setting : kSettings) {
    if (setting.path == name) return &setting;
  }
  return nullptr;
}

// Splits `--name=value` or takes the value from the next argument.
class Reader {
 public:
  explicit Reader(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  bool Next() {
    if (position_ == arguments_.size()) return false;
    const absl::string_view argument = arguments_[position_++];
    has_value_ = false;
    name_ = argument;
    if (!absl::StartsWith(argument, "--")) return true;
    const size_t equals = argument.find('=');
    name_ = argument.substr(2, equals == absl::string_view::npos ? equals : equals - 2);
    has_value_ = equals != absl::string_view::npos;
    if (has_value_) value_ = std::string(argument.substr(equals + 1));
    return true;
  }

  absl::string_view name() const { return name_; }
  bool has_value() const { return has_value_; }

  absl::StatusOr<std::string> Value() {
    if (has_value_) return value_;
    if (position_ == arguments_.size()) return absl::InvalidArgumentError(absl::StrCat("--", name_, ": needs a value"));
    return arguments_[position_++];
  }

 private:
  const std::vector<std::string>& arguments_;
  size_t position_ = 0;
  absl::string_view name_;
  bool has_value_ = false;
  std::string value_;
};

absl::Status ReadSetting(const SettingFlag& setting, Reader& reader, CommandLine* line) {
  if (setting.takes == Takes::kSwitch && !reader.has_value()) {
    line->settings.emplace_back(std::string(setting.path), "true");
    return absl::OkStatus();
  }
  absl::StatusOr<std::string> value = reader.Value();
  if (!value.ok()) return value.status();
  if (setting.path == "metrics_address" && *value == "off") *value = "";
  line->settings.emplace_back(std::string(setting.path), *std::move(value));
  return absl::OkStatus();
}

absl::Status ReadInto(Reader& reader, std::string* into) {
  absl::StatusOr<std::string> value = reader.Value();
  if (!value.ok()) return value.status();
  *into = *std::move(value);
  return absl::OkStatus();
}

absl::Status ReadFlag(Reader& reader, CommandLine* line) {
  const absl::string_view name = reader.name();
  if (const SettingFlag* setting = FindSetting(name)) return ReadSetting(*setting, reader, line);
  if (name == "config") return ReadInto(reader, &line->config_path);
  if (name == "address_file") return ReadInto(reader, &line->address_file);
  if (name == "print_config") {
    line->action = CommandLine::Action::kPrintConfig;
  } else if (name == "help" || name == "-h") {
    line->action = CommandLine::Action::kPrintHelp;
  } else if (name == "version") {
    line->action = CommandLine::Action::kPrintVersion;
  } else {
    return absl::InvalidArgumentError(absl::StrCat("unknown argument `", name, "`: see cudaperfd --help"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CommandLine> ParseCommandLine(const std::vector<std::string>& arguments) {
  CommandLine line;
  Reader reader(arguments);
  while (reader.Next()) {
    if (absl::Status status = ReadFlag(reader, &line); !status.ok()) return status;
  }
  return line;
}

std::string HelpText() {
  std::string text =
      "cudaperfd: rewards for CUDA candidates over gRPC.\n\n"
      "usage: cudaperfd [--config=FILE] [--SETTING=VALUE ...]\n\n"
      "  --config=FILE              settings as text proto (cudaperf.config.v1.ServerConfig); flags go over it\n"
      "  --print_config             print all settings with their defaults, and exit\n"
      "  --address_file=FILE        write host:port there once serving\n"
      "  --help, --version\n\n"
      "settings [default]:\n";
  for (const SettingFlag& setting : kSettings) {
    absl::StrAppendFormat(&text, "  --%-28s %s\n", setting.path, setting.help);
  }
  return text +
         "\nSIGTERM or SIGINT drains: health says NOT_SERVING, new requests get UNAVAILABLE, accepted ones are "
         "finished.\n"
         "exit status: 0 drained, 1 accepted work had to be stopped, 2 bad flags or settings, 3 cannot serve\n";
}

}  // namespace cudaperf::server
