#include "sandbox/compile/caching_compiler.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::CompileRequest;
using worker::v1::CompileResponse;

// Everything that decides the result, each part with its length before it. The content itself, not a digest: no two
// contents can be taken for each other.
std::string KeyOf(const CompileRequest& request) {
  std::string key = absl::StrCat(static_cast<int>(request.language()), ",", request.fast_math() ? 1 : 0);
  for (const std::string* part :
       {&request.architecture(), &request.entry_point(), &request.invoke_source(), &request.source()}) {
    absl::StrAppend(&key, ",", part->size(), ":", *part);
  }
  return key;
}

// Whether the source alone decided it.
bool IsRepeatable(const CompileResponse& response) {
  return response.status() == worker::v1::COMPILE_STATUS_SUCCEEDED ||
         response.status() == worker::v1::COMPILE_STATUS_FAILED;
}

CompileResponse Copy(const CompileResponse& response, bool cache_hit) {
  CompileResponse copy = response;
  copy.set_cache_hit(cache_hit);
  return copy;
}

}  // namespace

CachingCompiler::CachingCompiler(std::unique_ptr<Compiler> inner, int64_t capacity_bytes)
    : inner_(std::move(inner)), capacity_bytes_(capacity_bytes) {}

int64_t CachingCompiler::size_bytes() const {
  std::lock_guard lock(mutex_);
  return size_bytes_;
}

CachingCompiler::Response CachingCompiler::Find(const std::string& key) {
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->response;
}

void CachingCompiler::Remember(const std::string& key, const Response& response) {
  // The key is held twice.
  const auto size = static_cast<int64_t>(2 * key.size() + response->ByteSizeLong());
  if (size > capacity_bytes_ || index_.contains(key)) return;
  entries_.push_front({key, response, size});
  index_.emplace(key, entries_.begin());
  size_bytes_ += size;
  while (size_bytes_ > capacity_bytes_) {
    size_bytes_ -= entries_.back().size_bytes;
    index_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

absl::StatusOr<CompileResponse> CachingCompiler::Lead(const std::string& key, const CompileRequest& request,
                                                      const CallScope& scope) {
  absl::StatusOr<CompileResponse> response = inner_->Compile(request, scope);
  std::lock_guard lock(mutex_);
  const auto flight = flights_.find(key);
  flight->second->is_done = true;
  if (response.ok() && IsRepeatable(*response)) {
    flight->second->response = std::make_shared<const CompileResponse>(*response);
    Remember(key, flight->second->response);
  }
  flights_.erase(flight);
  landed_.notify_all();
  return response;
}

absl::StatusOr<CompileResponse> CachingCompiler::Compile(const CompileRequest& request, const CallScope& scope) {
  const std::string key = KeyOf(request);
  std::unique_lock lock(mutex_);
  while (true) {
    if (const Response hit = Find(key)) {
      lock.unlock();
      return Copy(*hit, true);
    }
    auto [entry, is_first] = flights_.try_emplace(key, nullptr);
    if (is_first) {
      entry->second = std::make_shared<Flight>();
      lock.unlock();
      return Lead(key, request, scope);
    }
    const std::shared_ptr<Flight> flight = entry->second;
    while (!flight->is_done) {
      if (scope.stop.stop_requested()) return absl::CancelledError("compilation cancelled");
      const absl::Duration left = scope.deadline - absl::Now();
      if (left <= absl::ZeroDuration()) return absl::DeadlineExceededError("deadline passed while compiling");
      landed_.wait_for(lock, scope.stop,
                       absl::ToChronoMilliseconds(std::min(left, absl::Hours(1)) + absl::Milliseconds(1)),
                       [&] { return flight->is_done; });
    }
    if (flight->response != nullptr) {
      lock.unlock();
      return Copy(*flight->response, true);
    }
  }
}

}  // namespace cudaperf::sandbox
