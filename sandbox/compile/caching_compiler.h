#ifndef CUDAPERF_SANDBOX_COMPILE_CACHING_COMPILER_H_
#define CUDAPERF_SANDBOX_COMPILE_CACHING_COMPILER_H_

#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/compile.pb.h"
#include "sandbox/compile/compiler.h"

namespace cudaperf::sandbox {

// Compiles each content once. Remembers what only the source decides, success and plain failure, within a bound on
// bytes, the least recently used going first; a timeout, a crash or a fault of ours is tried anew. Callers that ask for
// the same content at the same time share one compilation; if the one who compiles gives up, another takes over.
// Thread-safe.
class CachingCompiler : public Compiler {
 public:
  CachingCompiler(std::unique_ptr<Compiler> inner, int64_t capacity_bytes);

  // `response.cache_hit` says whether it was remembered.
  absl::StatusOr<worker::v1::CompileResponse> Compile(const worker::v1::CompileRequest& request,
                                                      const CallScope& scope) override;

  int64_t size_bytes() const;

 private:
  using Response = std::shared_ptr<const worker::v1::CompileResponse>;
  struct Entry {
    std::string key;
    Response response;
    int64_t size_bytes = 0;
  };
  struct Flight {
    bool is_done = false;
    // Null when the one who compiled has nothing to share.
    Response response;
  };

  Response Find(const std::string& key);
  void Remember(const std::string& key, const Response& response);
  absl::StatusOr<worker::v1::CompileResponse> Lead(const std::string& key, const worker::v1::CompileRequest& request,
                                                   const CallScope& scope);

  const std::unique_ptr<Compiler> inner_;
  const int64_t capacity_bytes_;
  mutable std::mutex mutex_;
  std::condition_variable_any landed_;
  // All below guarded by mutex_. Most recently used first.
  std::list<Entry> entries_;
  std::unordered_map<std::string, std::list<Entry>::iterator> index_;
  std::map<std::string, std::shared_ptr<Flight>> flights_;
  int64_t size_bytes_ = 0;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_CACHING_COMPILER_H_
