#ifndef CUDAPERF_CLIENTS_CLI_JSON_H_
#define CUDAPERF_CLIENTS_CLI_JSON_H_

#include <string>

#include "google/protobuf/message.h"

namespace cudaperf::clients {

// Proto JSON, indented, with the field names of the .proto files.
std::string ToJson(const google::protobuf::Message& message);

}  // namespace cudaperf::clients

#endif  // CUDAPERF_CLIENTS_CLI_JSON_H_
