// what: a thousand errors, each quoting a long line
// task: saxpy
// expect: OUTCOME_COMPILE_FAILED
// cudaperf: launch add_scaled<<<ceil_div(n, 256), 256>>>(n, a, x, y)
#define E0 undeclared_name_with_a_long_tail_of_letters_that_goes_on_and_on_and_on;
#define E1 E0 E0
#define E2 E1 E1
#define E3 E2 E2
#define E4 E3 E3
#define E5 E4 E4
#define E6 E5 E5
#define E7 E6 E6
#define E8 E7 E7
#define E9 E8 E8
#define E10 E9 E9
__global__ void add_scaled(int n, float a, const float* x, float* y) {
  E10
}
