#include "server/server_settings.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"
#include "proto/duration.h"
#include "ranker/policies.h"

namespace cudaperf::server {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// Keeps the first complaint of the text format's parser.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, google::protobuf::io::ColumnNumber column, const std::string& message) override {
    if (text_.empty()) text_ = absl::StrCat("line ", line + 1, ", column ", column + 1, ": ", message);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

absl::Status MergeText(const std::string& text, absl::string_view where, Message* into) {
  FirstError error;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  if (parser.MergeFromString(text, into)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(where, ": ", error.text()));
}

absl::Status BadValue(absl::string_view path, absl::string_view value, absl::string_view wanted) {
  return absl::InvalidArgumentError(absl::StrCat(path, ": `", value, "` is not ", wanted));
}

absl::Status SetEnum(absl::string_view path, const std::string& value, const FieldDescriptor* field, Message* message) {
  std::vector<absl::string_view> names;
  for (int i = 0; i < field->enum_type()->value_count(); ++i) {
    const EnumValueDescriptor* candidate = field->enum_type()->value(i);
    if (candidate->number() == 0) continue;
    const std::string upper = absl::AsciiStrToUpper(value);
    if (candidate->name() == upper || absl::EndsWith(candidate->name(), absl::StrCat("_", upper))) {
      message->GetReflection()->SetEnum(message, field, candidate);
      return absl::OkStatus();
    }
    names.push_back(candidate->name());
  }
  return BadValue(path, value, absl::StrCat("one of ", absl::StrJoin(names, ", ")));
}

absl::Status SetDuration(absl::string_view path, const std::string& value, Message* duration) {
  absl::Duration parsed;
  if (!absl::ParseDuration(value, &parsed) || parsed == absl::InfiniteDuration()) {
    return BadValue(path, value, "a duration such as 1.5s");
  }
  static_cast<google::protobuf::Duration*>(duration)->CopyFrom(proto::ToProto(parsed));
  return absl::OkStatus();
}

absl::Status SetSingle(absl::string_view path, const std::string& value, const FieldDescriptor* field,
                       Message* message) {
  const Reflection* reflection = message->GetReflection();
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      reflection->SetString(message, field, value);
      return absl::OkStatus();
    case FieldDescriptor::CPPTYPE_ENUM:
      return SetEnum(path, value, field, message);
    case FieldDescriptor::CPPTYPE_MESSAGE:
      if (field->message_type() == google::protobuf::Duration::descriptor()) {
        return SetDuration(path, value, reflection->MutableMessage(message, field));
      }
      return MergeText(value, path, reflection->MutableMessage(message, field));
    default:
      if (value.find_first_of(" \t\r\n") != std::string::npos) return BadValue(path, value, "one value");
      return MergeText(absl::StrCat(field->name(), ": ", value), path, message);
  }
}

absl::Status SetRepeated(absl::string_view path, const std::string& value, const FieldDescriptor* field,
                         Message* message) {
  message->GetReflection()->ClearField(message, field);
  if (field->cpp_type() != FieldDescriptor::CPPTYPE_STRING) return MergeText(value, path, message);
  for (absl::string_view element : absl::StrSplit(value, ',', absl::SkipEmpty())) {
    message->GetReflection()->AddString(message, field, std::string(element));
  }
  return absl::OkStatus();
}

template <typename Value>
absl::Status CheckRange(absl::string_view path, Value value, Value low, Value high) {
  if (value >= low && value <= high) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(path, ": must be ", low, " .. ", high, ", was ", value));
}

absl::Status CheckPositive(absl::string_view path, const google::protobuf::Duration& value) {
  const absl::Duration duration = proto::FromProto(value);
  if (duration > absl::ZeroDuration() && duration <= absl::Hours(24)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": must be above 0 and at most 24h, was ", absl::FormatDuration(duration)));
}

absl::Status CheckOneOf(absl::string_view path, absl::string_view value,
                        const std::vector<absl::string_view>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return absl::OkStatus();
  return BadValue(path, value, absl::StrCat("one of ", absl::StrJoin(allowed, ", ")));
}

absl::Status CheckHostPort(absl::string_view path, absl::string_view address) {
  if (absl::StartsWith(address, "unix:")) return absl::OkStatus();
  const size_t colon = address.rfind(':');
  int port = -1;
  if (colon != absl::string_view::npos && colon > 0 && absl::SimpleAtoi(address.substr(colon + 1), &port) &&
      port >= 0 && port <= 65535) {
    return absl::OkStatus();
  }
  return BadValue(path, address, "host:port");
}

absl::Status ValidateListenAddress(const config::v1::ServerConfig& config) {
  if (absl::Status status = CheckHostPort("listen_address", config.listen_address()); !status.ok()) return status;
  if (config.insecure() || IsLoopback(config.listen_address())) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("listen_address: ", config.listen_address(),
                                                 " can be reached from other machines, and the service has neither TLS "
                                                 "nor authentication: listen on 127.0.0.1, or set "
                                                 "insecure: true (--insecure) where the network itself is trusted"));
}

absl::Status CheckDevice(absl::string_view device) {
  int number = 0;
  absl::string_view ordinal = device;
  const bool is_ordinal = absl::ConsumePrefix(&ordinal, "cuda:") && absl::SimpleAtoi(ordinal, &number) && number >= 0;
  const bool is_name = absl::StartsWith(device, "GPU-") || absl::StartsWith(device, "MIG-");
  if (device == "emulated" || device == "auto" || is_ordinal || is_name) return absl::OkStatus();
  return BadValue("device", device, "one of emulated, auto, cuda:N, GPU-uuid, MIG-uuid");
}

absl::Status ValidateLimits(const config::v1::Limits& limits) {
  const int64_t kib = 1024;
  const int64_t tib = int64_t{1} << 40;
  for (const absl::Status& status :
       {CheckPositive("limits.compile_time", limits.compile_time()),
        CheckPositive("limits.case_time", limits.case_time()),
        CheckPositive("limits.timing_budget", limits.timing_budget()),
        CheckRange<int64_t>("limits.instruction_budget", limits.instruction_budget(), 1, int64_t{1} << 50),
        CheckRange<int64_t>("limits.worker_memory_bytes", limits.worker_memory_bytes(), 64 * kib * kib, tib),
        CheckRange<int64_t>("limits.device_memory_bytes", limits.device_memory_bytes(), kib * kib, tib)}) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ValidateNumbers(const config::v1::ServerConfig& config) {
  for (const absl::Status& status :
       {CheckRange<int64_t>("slot_count", config.slot_count(), 1, 256),
        CheckRange<int64_t>("queue_limit", config.queue_limit(), 0, 100000),
        CheckRange<int64_t>("max_source_bytes", config.max_source_bytes(), 1024, 1024 * 1024),
        CheckRange<int64_t>("max_message_bytes", config.max_message_bytes(), 64 * 1024, int64_t{1} << 30),
        CheckRange<int64_t>("result_cache_entries", config.result_cache_entries(), 0, 10'000'000),
        CheckRange<int64_t>("task_limit", config.task_limit(), 1, 1'000'000),
        CheckPositive("drain_limit", config.drain_limit())}) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ValidateDefaultPolicy(const config::v1::ServerConfig& config) {
  std::vector<absl::string_view> names;
  for (const config::v1::RewardPolicy& policy : config.reward_policies()) names.push_back(policy.name());
  return CheckOneOf("default_reward_policy", config.default_reward_policy(), names);
}

void FillLimits(config::v1::Limits* limits) {
  const int64_t gib = int64_t{1} << 30;
  if (!limits->has_compile_time()) *limits->mutable_compile_time() = proto::ToProto(absl::Seconds(60));
  if (!limits->has_case_time()) *limits->mutable_case_time() = proto::ToProto(absl::Seconds(20));
  if (!limits->has_timing_budget()) *limits->mutable_timing_budget() = proto::ToProto(absl::Milliseconds(100));
  if (!limits->has_instruction_budget()) limits->set_instruction_budget(200'000'000);
  if (!limits->has_worker_memory_bytes()) limits->set_worker_memory_bytes(4 * gib);
  if (!limits->has_device_memory_bytes()) limits->set_device_memory_bytes(2 * gib);
}

void FillNumbers(const MachineDefaults& machine, config::v1::ServerConfig* config) {
  if (!config->has_slot_count()) config->set_slot_count(std::clamp(machine.core_count, 1, 256));
  if (!config->has_queue_limit()) config->set_queue_limit(256);
  if (!config->has_max_source_bytes()) config->set_max_source_bytes(256 * 1024);
  if (!config->has_max_message_bytes()) config->set_max_message_bytes(16 * 1024 * 1024);
  if (!config->has_result_cache_entries()) config->set_result_cache_entries(65536);
  if (!config->has_task_limit()) config->set_task_limit(4096);
  if (!config->has_drain_limit()) *config->mutable_drain_limit() = proto::ToProto(absl::Seconds(25));
  FillLimits(config->mutable_limits());
}

void FillTexts(const MachineDefaults& machine, config::v1::ServerConfig* config) {
  const auto fill = [](const std::string& fallback, std::string* value) {
    if (value->empty()) *value = fallback;
  };
  fill("127.0.0.1:50061", config->mutable_listen_address());
  fill("auto", config->mutable_device());
  fill("h200", config->mutable_modeled_gpu());
  fill(machine.toolkit_root, config->mutable_toolkit_root());
  fill(machine.worker_directory, config->mutable_worker_directory());
  fill("cudaperf-v1", config->mutable_default_reward_policy());
  fill("info", config->mutable_log_level());
  fill("text", config->mutable_log_format());
  if (!config->has_metrics_address()) config->set_metrics_address("127.0.0.1:9461");
  if (config->sandbox_level() == reward::v1::SANDBOX_LEVEL_UNSPECIFIED)
    config->set_sandbox_level(machine.sandbox_level);
  if (config->profile_level() == reward::v1::PROFILE_LEVEL_UNSPECIFIED) {
    config->set_profile_level(reward::v1::PROFILE_LEVEL_CORE);
  }
  if (!config->has_insecure()) config->set_insecure(false);
  if (!config->has_reflection()) config->set_reflection(IsLoopback(config->listen_address()));
}

absl::Status ValidateSettings(const config::v1::ServerConfig& config) {
  if (absl::Status status = ValidateListenAddress(config); !status.ok()) return status;
  if (!config.metrics_address().empty()) {
    if (absl::Status status = CheckHostPort("metrics_address", config.metrics_address()); !status.ok()) return status;
  }
  for (const absl::Status& status :
       {CheckDevice(config.device()),
        CheckOneOf("modeled_gpu", config.modeled_gpu(), {"h200", "h100", "a100", "l40s", "rtx4090"}),
        CheckOneOf("log_level", config.log_level(), {"debug", "info", "warning", "error"}),
        CheckOneOf("log_format", config.log_format(), {"text", "json"}), ValidateNumbers(config),
        ValidateLimits(config.limits()), ValidateDefaultPolicy(config)}) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<config::v1::ServerConfig> ParseSettings(absl::string_view text) {
  config::v1::ServerConfig config;
  if (absl::Status status = MergeText(std::string(text), "settings", &config); !status.ok()) return status;
  return config;
}

absl::Status SetField(absl::string_view path, const std::string& value, config::v1::ServerConfig* config) {
  Message* message = config;
  const std::vector<std::string> names = absl::StrSplit(path, '.');
  for (size_t i = 0; i < names.size(); ++i) {
    const FieldDescriptor* field = message->GetDescriptor()->FindFieldByName(names[i]);
    if (field == nullptr) return absl::InvalidArgumentError(absl::StrCat(path, ": no such setting"));
    if (i + 1 == names.size()) {
      return field->is_repeated() ? SetRepeated(path, value, field, message) : SetSingle(path, value, field, message);
    }
    if (field->is_repeated() || field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      return absl::InvalidArgumentError(absl::StrCat(path, ": ", names[i], " has no fields"));
    }
    message = message->GetReflection()->MutableMessage(message, field);
  }
  return absl::OkStatus();
}

absl::StatusOr<config::v1::ServerConfig> CompleteSettings(config::v1::ServerConfig config,
                                                          const MachineDefaults& machine) {
  absl::StatusOr<std::vector<config::v1::RewardPolicy>> policies = ranker::ResolvePolicies(config.reward_policies());
  if (!policies.ok()) return policies.status();
  config.mutable_reward_policies()->Assign(policies->begin(), policies->end());
  FillTexts(machine, &config);
  FillNumbers(machine, &config);
  if (absl::Status status = ValidateSettings(config); !status.ok()) return status;
  return config;
}

bool IsLoopback(absl::string_view address) {
  if (absl::StartsWith(address, "unix:")) return true;
  const absl::string_view host = address.substr(0, address.rfind(':'));
  return host == "localhost" || host == "[::1]" ||
         (absl::StartsWith(host, "127.") && host.find_first_not_of("0123456789.") == absl::string_view::npos);
}

}  // namespace cudaperf::server
