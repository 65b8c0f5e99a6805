# riscv64 -M virt -bios: machine mode, no paging. The first hart prints READY, then calls nested functions, counts and
# echoes what comes in on the UART, for ever. Any other hart counts in a place of its own.
        .option norvc
        .globl  _start
_start: csrr    t0, mhartid
        bnez    t0, second
        li      sp, 0x80010000
        li      s0, 0
        li      s1, 0x10000000          # 16550 UART
        li      s2, 0x80001000          # counter; scratch at +8
        la      a0, message
print:  lbu     t1, 0(a0)
        beqz    t1, outer
        sb      t1, 0(s1)
        addi    a0, a0, 1
        j       print
outer:  jal     level1
after_level1:
        ld      t0, 0(s2)
        addi    t0, t0, 1
count_store:
        sd      t0, 0(s2)
        lbu     t1, 5(s1)
        andi    t1, t1, 1
        beqz    t1, outer
        lbu     t1, 0(s1)
        sb      t1, 0(s1)
        j       outer
level1: addi    sp, sp, -16
        sd      ra, 8(sp)
        sd      s0, 0(sp)
        addi    s0, sp, 16
        jal     level2
after_level2:
        ld      ra, 8(sp)
        ld      s0, 0(sp)
        addi    sp, sp, 16
        ret
level2: addi    sp, sp, -16
        sd      ra, 8(sp)
        sd      s0, 0(sp)
        addi    s0, sp, 16
body:   ld      t2, 8(s2)
        addi    t2, t2, 3
scratch_store:
        sd      t2, 8(s2)
        ld      ra, 8(sp)
        ld      s0, 0(sp)
        addi    sp, sp, 16
        ret
second: li      s3, 0x80001100
second_loop:
        ld      t0, 0(s3)
        addi    t0, t0, 1
        sd      t0, 0(s3)
        j       second_loop
message:
        .asciz  "READY\r\n"
