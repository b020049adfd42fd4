#ifndef CUDAPERF_CLIENTS_CLI_TEXT_TABLE_H_
#define CUDAPERF_CLIENTS_CLI_TEXT_TABLE_H_

#include <string>
#include <vector>

namespace cudaperf::clients {

// Columns as wide as their widest cell, two blanks apart, the last one ragged.
std::string RenderTable(const std::vector<std::vector<std::string>>& rows);

}  // namespace cudaperf::clients

#endif  // CUDAPERF_CLIENTS_CLI_TEXT_TABLE_H_
