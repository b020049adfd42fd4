// Makes a system call of the 32-bit interface, which a filter that looks at numbers alone would take for another one.
int main() {
  long result;
  asm volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory");
  return 0;
}
