// aarch64 -M virt -kernel: 39 bits on either side with pages of 4 KiB. Below, the first two gigabytes are mapped to
// themselves; above, 0xffffff8000000000 leads to 0x40000000 by a block of 2 MiB, and page 0xffffff8000200000 to
// 0x40300000, read-only. Prints nothing; counts at 0xffffff8000180000, which is 0x40180000 in physical memory.
        .globl  _start
_start: ldr     x0, =0x40200000
        ldr     x1, =0x00000000000701
        str     x1, [x0]
        ldr     x1, =0x40000701
        str     x1, [x0, #8]
        ldr     x2, =0x40201000
        ldr     x1, =0x40202003
        str     x1, [x2]
        ldr     x3, =0x40202000
        ldr     x1, =0x40000701
        str     x1, [x3]
        ldr     x1, =0x40203003
        str     x1, [x3, #8]
        ldr     x4, =0x40203000
        ldr     x1, =0x40300783
        str     x1, [x4]
        msr     ttbr0_el1, x0
        msr     ttbr1_el1, x2
        ldr     x1, =0x80190019
        msr     tcr_el1, x1
        mov     x1, #0xff
        msr     mair_el1, x1
        isb
        mrs     x1, sctlr_el1
        orr     x1, x1, #1
        msr     sctlr_el1, x1
        isb
        ldr     x5, =0xffffff8000180000
outer:  ldr     x6, [x5]
        add     x6, x6, #1
count_store:
        str     x6, [x5]
        b       outer
        .ltorg
