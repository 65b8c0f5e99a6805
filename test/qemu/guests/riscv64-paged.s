# riscv64 -M virt -bios: supervisor mode in the upper half. Sv39 maps 0xffffffffc0000000 to 0x80000000 and the first
# gigabyte to itself. Prints READY, then counts at 0xffffffffc0001000, which is 0x80001000 in physical memory.
        .option norvc
        .globl  _start
_start: li      t0, -1
        csrw    pmpaddr0, t0
        li      t0, 0x1f
        csrw    pmpcfg0, t0
        li      t0, 0x80002000          # page table
        li      t1, 0xcf                # gigabyte at 0: valid, readable, writable, executable, accessed, dirty
        sd      t1, 0(t0)
        li      t1, 0x200000cf          # gigabyte at 0x80000000
        sd      t1, 16(t0)
        li      t2, 0x80002ff8
        sd      t1, 0(t2)
        li      t1, 0x8000000000080002
        csrw    satp, t1
        sfence.vma
        li      t1, 0x1800
        csrc    mstatus, t1
        li      t1, 0x0800
        csrs    mstatus, t1
        la      t1, upper
        li      t2, 0xffffffffc0000000-0x80000000
        add     t1, t1, t2
        csrw    mepc, t1
        mret
upper:  li      s1, 0x10000000
        li      s2, 0xffffffffc0001000
        la      a0, message
print:  lbu     t1, 0(a0)
        beqz    t1, outer
        sb      t1, 0(s1)
        addi    a0, a0, 1
        j       print
outer:  ld      t0, 0(s2)
        addi    t0, t0, 1
count_store:
        sd      t0, 0(s2)
        j       outer
message:
        .asciz  "READY\r\n"
