# riscv64 -M virt -bios: by semihosting says hello, tries to open a file of the host, says what came of it, and leaves.
        .globl  _start
        .option norvc
_start: li      a0, 0x04                # SYS_WRITE0
        la      a1, hello
        jal     call
        li      a0, 0x01                # SYS_OPEN
        la      a1, open
        jal     call
        la      a1, done
        bgez    a0, told
        la      a1, refused
told:   li      a0, 0x04
        jal     call
ended:  li      a0, 0x20                # SYS_EXIT_EXTENDED
        la      a1, exit
        jal     call
        j       ended
        .balign 16
call:   slli    zero, zero, 0x1f
        ebreak
        srai    zero, zero, 7
        ret

hello:  .asciz  "hello from the guest\n"
refused: .asciz "refused\n"
done:   .asciz  "done\n"
path:   .asciz  "/tmp/semihosting-was-here"
        .align  3
open:   .quad   path, 4, 25             # for writing
exit:   .quad   0x20026, 7
