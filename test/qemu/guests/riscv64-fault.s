# riscv64 -M virt -bios: stores to address 8, where there is nothing, and stays in the handler of that.
        .option norvc
        .globl  _start
_start: la      t0, handler
        csrw    mtvec, t0
        li      a0, 0
        li      t1, 5
faulting:
        sd      t1, 8(a0)
        j       _start
        .balign 4
handler:
        wfi
        j       handler
