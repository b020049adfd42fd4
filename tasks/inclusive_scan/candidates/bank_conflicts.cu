// Blelloch's tree in shared memory without padding: up to 32 lanes meet in one bank.
// expect: OUTCOME_PASSED
// cudaperf: scratch int sums[ceil_div(n, 1024)]
// cudaperf: launch scan_tree<<<ceil_div(n, 1024), 512>>>(n, in, out, sums)
// cudaperf: launch scan_serial<<<1, 1>>>(ceil_div(n, 1024), sums)
// cudaperf: launch scan_add<<<ceil_div(n, 1024), 1024>>>(n, out, sums)
__global__ void scan_tree(int n, const int* in, int* out, int* sums) {
  __shared__ int tree[1024];
  int first = blockIdx.x * 1024;
  int left = 2 * threadIdx.x, right = left + 1;
  int a = first + left < n ? in[first + left] : 0;
  int b = first + right < n ? in[first + right] : 0;
  tree[left] = a;
  tree[right] = b;
  for (int step = 1; step < 1024; step *= 2) {
    __syncthreads();
    int node = (threadIdx.x + 1) * 2 * step - 1;
    if (node < 1024) tree[node] += tree[node - step];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = tree[1023];
    tree[1023] = 0;
  }
  for (int step = 512; step > 0; step /= 2) {
    __syncthreads();
    int node = (threadIdx.x + 1) * 2 * step - 1;
    if (node < 1024) {
      int kept = tree[node - step];
      tree[node - step] = tree[node];
      tree[node] += kept;
    }
  }
  __syncthreads();
  if (first + left < n) out[first + left] = tree[left] + a;
  if (first + right < n) out[first + right] = tree[right] + b;
}

__global__ void scan_serial(int count, int* sums) {
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    sum += sums[i];
    sums[i] = sum;
  }
}

__global__ void scan_add(int n, int* out, const int* sums) {
  int i = blockIdx.x * 1024 + threadIdx.x;
  if (blockIdx.x > 0 && i < n) out[i] += sums[blockIdx.x - 1];
}
