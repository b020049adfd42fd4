#ifndef CUDAPERF_CLIENTS_CLI_PROGRESS_H_
#define CUDAPERF_CLIENTS_CLI_PROGRESS_H_

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace cudaperf::clients {

// Shows on stderr what is waited for, with the seconds, while it lives; nothing where stderr is no terminal.
class Progress {
 public:
  explicit Progress(std::string what);
  // Wipes the line.
  ~Progress();

 private:
  void Draw();

  const std::string what_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;  // Guarded by mutex_.
  std::thread drawer_;
};

}  // namespace cudaperf::clients

#endif  // CUDAPERF_CLIENTS_CLI_PROGRESS_H_
