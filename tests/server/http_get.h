#ifndef CUDAPERF_TESTS_SERVER_HTTP_GET_H_
#define CUDAPERF_TESTS_SERVER_HTTP_GET_H_

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

namespace cudaperf::server {

// The whole answer, status line first, of a loopback HTTP server; empty when there is none.
inline std::string HttpGet(int port, const std::string& path) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string answer;
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0) {
    const std::string request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    if (write(fd, request.data(), request.size()) == static_cast<ssize_t>(request.size())) {
      char buffer[4096];
      for (ssize_t count; (count = read(fd, buffer, sizeof(buffer))) > 0;) answer.append(buffer, count);
    }
  }
  close(fd);
  return answer;
}

}  // namespace cudaperf::server

#endif  // CUDAPERF_TESTS_SERVER_HTTP_GET_H_
