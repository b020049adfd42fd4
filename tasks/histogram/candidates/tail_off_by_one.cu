// Counts words of four bytes and forgets the last n % 4.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch histogram_clear<<<1, 256>>>(counts)
// cudaperf: launch histogram_words<<<ceil_div(n, 1024), 256>>>(n, values, counts)
__global__ void histogram_clear(int* counts) { counts[threadIdx.x] = 0; }

__global__ void histogram_words(int n, const unsigned char* values, int* counts) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n / 4) return;
  unsigned word = reinterpret_cast<const unsigned*>(values)[i];
  for (int byte = 0; byte < 4; ++byte) atomicAdd(&counts[(word >> (8 * byte)) & 255u], 1);
}
