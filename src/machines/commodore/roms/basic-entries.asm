; Entries of BASIC that books and programs call by address. Each only leads to ours.

;; errors at $a435 and $a437
*= $a435
        ldx #16
        jmp error

;; error_default at $a43a
*= $a43a
        jmp error_default

;; ready at $a474
*= $a474
        jmp ready

;; main at $a480
*= $a480
        jmp main

;; main_default at $a483
*= $a483
        jmp main_default

;; relink at $a533
*= $a533
        jmp relink

;; read_line at $a560
*= $a560
        jmp read_line

;; crunch at $a579
*= $a579
        jmp crunch

;; crunch_default at $a57c
*= $a57c
        jmp crunch_default

;; find_line at $a613
*= $a613
        jmp find_line

;; scratch at $a642
*= $a642
        jmp scratch

;; clear_from_start at $a659
*= $a659
        jmp clear_from_start

;; clear_variables at $a65e
*= $a65e
        jmp clear_variables

;; to_start at $a68e
*= $a68e
        jmp to_start

;; list at $a69c
*= $a69c
        jmp list

;; list_default at $a71a
*= $a71a
        jmp list_default

;; next_statement at $a7ae
*= $a7ae
        jmp next_statement

;; gone_default at $a7e4
*= $a7e4
        jmp gone_default

;; statement at $a7ed
*= $a7ed
        jmp statement

;; check_stop at $a82c
*= $a82c
        jmp check_stop

;; run at $a871
*= $a871
        jmp run

;; goto at $a8a0
*= $a8a0
        jmp goto

;; data at $a8f8
*= $a8f8
        jmp data

;; rem at $a93b
*= $a93b
        jmp rem

;; get_line_number at $a96b
*= $a96b
        jmp get_line_number

;; let at $a9a5
*= $a9a5
        jmp let

;; print at $aaa0
*= $aaa0
        jmp print

;; print_cr at $aad7
*= $aad7
        jmp print_cr

;; print_text at $ab1e
*= $ab1e
        jmp print_text

;; print_char at $ab47
*= $ab47
        jmp print_char

;; eval_number at $ad8a, need_number at $ad8d, need_string at $ad8f
*= $ad8a
        jsr eval
        clc
        .byte $24           ; hides the next byte
        sec
        jmp need_type

;; eval at $ad9e
*= $ad9e
        jmp eval

;; operand at $ae83
*= $ae83
        jmp operand

;; eval_default at $ae86
*= $ae86
        jmp eval_default

;; need_close at $aef7
*= $aef7
        jmp need_close

;; need_open at $aefa
*= $aefa
        jmp need_open

;; need_comma at $aefd, need at $aeff
*= $aefd
        lda #','
        jmp need

;; err_syntax at $af08
*= $af08
        jmp err_syntax

;; find_or_make at $b08b
*= $b08b
        jmp find_or_make

;; err_quantity at $b248
*= $b248
        jmp err_quantity

;; float_signed at $b391
*= $b391
        jmp float_signed

;; float_byte at $b3a2
*= $b3a2
        jmp float_byte

;; free_string at $b6a3
*= $b6a3
        jmp free_string

;; eval_byte_next at $b79b
*= $b79b
        jmp eval_byte_next

;; eval_byte at $b79e
*= $b79e
        jmp eval_byte

;; byte_of at $b7a1
*= $b7a1
        jmp byte_of

;; address_and_byte at $b7eb
*= $b7eb
        jmp address_and_byte

;; address_comma_byte at $b7f1
*= $b7f1
        jmp address_comma_byte

;; to_address at $b7f7
*= $b7f7
        jmp to_address

;; subtract_memory at $b850
*= $b850
        jmp subtract_memory

;; subtract at $b853
*= $b853
        jmp subtract

;; add_memory at $b867
*= $b867
        jmp add_memory

;; add at $b86a
*= $b86a
        jmp add

;; multiply_memory at $ba28
*= $ba28
        jmp multiply_memory

;; multiply at $ba2b
*= $ba2b
        jmp multiply

;; unpack_arg at $ba8c
*= $ba8c
        jmp unpack_arg

;; times_ten at $bae2
*= $bae2
        jmp times_ten

;; over_ten at $bafe
*= $bafe
        jmp over_ten

;; divide_memory at $bb0f
*= $bb0f
        jmp divide_memory

;; divide at $bb12
*= $bb12
        jmp divide

;; unpack at $bba2
*= $bba2
        jmp unpack

;; pack at $bbd4
*= $bbd4
        jmp pack

;; arg_to_fac at $bbfc
*= $bbfc
        jmp arg_to_fac

;; fac_to_arg at $bc0c
*= $bc0c
        jmp fac_to_arg

;; round at $bc1b
*= $bc1b
        jmp round

;; sign at $bc2b
*= $bc2b
        jmp sign

;; compare at $bc5b
*= $bc5b
        jmp compare

;; to_integer at $bc9b
*= $bc9b
        jmp to_integer

;; int at $bccc
*= $bccc
        jmp int

;; read_number at $bcf3
*= $bcf3
        jmp read_number

;; print_number at $bdcd
*= $bdcd
        jmp print_number

;; number_text at $bddd
*= $bddd
        jmp number_text

;; sqr at $bf71
*= $bf71
        jmp sqr

;; odd_polynomial at $e043
*= $e043
        jmp odd_polynomial

;; polynomial at $e059
*= $e059
        jmp polynomial

;; cos at $e264
*= $e264
        jmp cos

;; sin at $e26b
*= $e26b
        jmp sin

;; float_to_word at $b1aa
*= $b1aa
        jsr to_word
        lda facho+2
        ldy facho+3
        rts
