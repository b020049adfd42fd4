#include "server/event_log.h"

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "spdlog/sinks/stdout_sinks.h"

namespace cudaperf::server {
namespace {

// JSON's escapes serve both formats: no field can forge a line of its own.
std::string Quoted(absl::string_view value) {
  std::string quoted = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      absl::StrAppendFormat(&quoted, "\\u%04x", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

bool NeedsQuotes(absl::string_view value) {
  if (value.empty()) return true;
  for (const char c : value) {
    if (static_cast<unsigned char>(c) <= 0x20 || c == '"' || c == '\\' || c == '=' || c == 0x7f) return true;
  }
  return false;
}

std::string Timestamp() { return absl::FormatTime("%Y-%m-%d%ET%H:%M:%E3SZ", absl::Now(), absl::UTCTimeZone()); }

std::string TextLine(absl::string_view level, absl::string_view event, EventLog::Fields fields) {
  std::string line = absl::StrCat(Timestamp(), " ", level, " ", event);
  for (const EventLog::Field& field : fields) {
    absl::StrAppend(&line, " ", field.name, "=", NeedsQuotes(field.value) ? Quoted(field.value) : field.value);
  }
  return line;
}

std::string JsonLine(absl::string_view level, absl::string_view event, EventLog::Fields fields) {
  std::string line =
      absl::StrCat("{\"time\":\"", Timestamp(), "\",\"level\":\"", level, "\",\"event\":", Quoted(event));
  for (const EventLog::Field& field : fields) absl::StrAppend(&line, ",\"", field.name, "\":", Quoted(field.value));
  return line + "}";
}

spdlog::level::level_enum LevelOf(absl::string_view level) {
  if (level == "debug") return spdlog::level::debug;
  if (level == "warning") return spdlog::level::warn;
  if (level == "error") return spdlog::level::err;
  return spdlog::level::info;
}

}  // namespace

std::unique_ptr<EventLog> EventLog::ToStderr(absl::string_view level, Format format) {
  auto logger = std::make_shared<spdlog::logger>("cudaperfd", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_level(LevelOf(level));
  return std::make_unique<EventLog>(std::move(logger), format);
}

EventLog::EventLog(std::shared_ptr<spdlog::logger> logger, Format format)
    : logger_(std::move(logger)), format_(format) {
  logger_->set_pattern("%v");
  logger_->flush_on(spdlog::level::trace);
}

void EventLog::Write(spdlog::level::level_enum level, absl::string_view event, Fields fields) {
  if (!logger_->should_log(level)) return;
  const auto name = spdlog::level::to_string_view(level);
  const absl::string_view level_name(name.data(), name.size());
  const std::string line =
      format_ == Format::kJson ? JsonLine(level_name, event, fields) : TextLine(level_name, event, fields);
  logger_->log(level, spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace cudaperf::server
