# riscv64 -M virt -bios: every hart counts in a place of its own, 64 bytes apart, in the same code. The first prints READY.
        .option norvc
        .globl  _start
_start: csrr    t0, mhartid
        slli    t1, t0, 6
        li      s2, 0x80001000          # counters
        add     s2, s2, t1
        slli    t1, t0, 10
        li      sp, 0x80010000
        add     sp, sp, t1
        bnez    t0, loop
        li      s1, 0x10000000          # 16550 UART
        la      a0, message
print:  lbu     t1, 0(a0)
        beqz    t1, loop
        sb      t1, 0(s1)
        addi    a0, a0, 1
        j       print
loop:   jal     tick
after_tick:
        j       loop
tick:   ld      t0, 0(s2)
        addi    t0, t0, 1
count_store:
        sd      t0, 0(s2)
counted:
        ret
message:
        .asciz  "READY\r\n"
