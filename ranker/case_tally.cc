#include "ranker/case_tally.h"

namespace cudaperf::ranker {

void CaseTally::Add(const reward::v1::ExecutionReport& report) {
  for (const reward::v1::CaseResult& result : report.cases()) {
    switch (result.status()) {
      case reward::v1::CASE_STATUS_PASSED:
        ++passed;
        break;
      case reward::v1::CASE_STATUS_WRONG_RESULT:
      case reward::v1::CASE_STATUS_MEMORY_FAULT:
      case reward::v1::CASE_STATUS_CRASHED:
      case reward::v1::CASE_STATUS_TIMED_OUT:
      case reward::v1::CASE_STATUS_SKIPPED:
        ++failed;
        break;
      default:
        break;
    }
  }
}

}  // namespace cudaperf::ranker
