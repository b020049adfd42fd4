// what: four thousand errors, each quoting a long line
// task: saxpy
// expect: OUTCOME_COMPILE_FAILED
// cudaperf: launch add_scaled<<<ceil_div(n, 256), 256>>>(n, a, x, y)
#define E0(path) undeclared_name_with_a_long_tail_of_letters_that_goes_on_and_on_and_on_and_never_ends_##path;
#define E1(path) E0(path##0) E0(path##1)
#define E2(path) E1(path##0) E1(path##1)
#define E3(path) E2(path##0) E2(path##1)
#define E4(path) E3(path##0) E3(path##1)
#define E5(path) E4(path##0) E4(path##1)
#define E6(path) E5(path##0) E5(path##1)
#define E7(path) E6(path##0) E6(path##1)
#define E8(path) E7(path##0) E7(path##1)
#define E9(path) E8(path##0) E8(path##1)
#define E10(path) E9(path##0) E9(path##1)
#define E11(path) E10(path##0) E10(path##1)
#define E12(path) E11(path##0) E11(path##1)

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  E12(x)
}
