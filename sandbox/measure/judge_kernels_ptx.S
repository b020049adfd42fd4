# The judge's kernels as PTX text, zero-terminated.
    .section .rodata
    .global cudaperf_judge_kernels
    .hidden cudaperf_judge_kernels
cudaperf_judge_kernels:
    .incbin CUDAPERF_JUDGE_KERNELS_PTX
    .byte 0
    .section .note.GNU-stack,"",@progbits
