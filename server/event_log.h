#ifndef CUDAPERF_SERVER_EVENT_LOG_H_
#define CUDAPERF_SERVER_EVENT_LOG_H_

#include <initializer_list>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "spdlog/logger.h"

namespace cudaperf::server {

// Writes one line per event: time, level, event, then named fields; as text (`name=value`) or as a JSON object. Never
// give it sources, inputs, outputs or secrets. Thread-safe.
class EventLog {
 public:
  struct Field {
    Field(absl::string_view name, const absl::AlphaNum& value) : name(name), value(value.Piece()) {}
    absl::string_view name;
    std::string value;
  };
  using Fields = std::initializer_list<Field>;
  enum class Format { kText, kJson };

  // To stderr, lines at `level` (`debug`, `info`, `warning`, `error`) and above.
  static std::unique_ptr<EventLog> ToStderr(absl::string_view level, Format format);
  // Lines go to `logger`.
  EventLog(std::shared_ptr<spdlog::logger> logger, Format format);

  void Debug(absl::string_view event, Fields fields) { Write(spdlog::level::debug, event, fields); }
  void Info(absl::string_view event, Fields fields) { Write(spdlog::level::info, event, fields); }
  void Warning(absl::string_view event, Fields fields) { Write(spdlog::level::warn, event, fields); }
  void Error(absl::string_view event, Fields fields) { Write(spdlog::level::err, event, fields); }

 private:
  void Write(spdlog::level::level_enum level, absl::string_view event, Fields fields);

  std::shared_ptr<spdlog::logger> logger_;
  Format format_;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_EVENT_LOG_H_
