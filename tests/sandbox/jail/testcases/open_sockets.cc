// Tries every way out to a network or to another process by a socket; prints those that opened.
#include <linux/netlink.h>
#include <linux/vm_sockets.h>
#include <sys/socket.h>

#include <cstdio>

int main() {
  if (socket(AF_INET, SOCK_STREAM, 0) >= 0) printf("tcp ");
  if (socket(AF_INET, SOCK_DGRAM, 0) >= 0) printf("udp ");
  if (socket(AF_INET6, SOCK_DGRAM, 0) >= 0) printf("udp6 ");
  if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0) printf("unix ");
  if (socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE) >= 0) printf("netlink ");
  if (socket(AF_VSOCK, SOCK_STREAM, 0) >= 0) printf("vsock ");
  if (socket(AF_PACKET, SOCK_RAW, 0) >= 0) printf("packet ");
  int pair[2];
  if (socketpair(AF_INET, SOCK_STREAM, 0, pair) == 0) printf("pair ");
}
