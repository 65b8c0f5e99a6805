; Entries of BASIC that books and programs call by address. Each only leads to ours. The names have the C64's addresses; on the
; VIC-20 those from $A000 on lie $2000 higher.

;; errors at $a435 and $a437
*= basic_at+$0435
        ldx #16
        jmp error

;; error_default at $a43a
*= basic_at+$043a
        jmp error_default

;; ready at $a474
*= basic_at+$0474
        jmp ready

;; main at $a480
*= basic_at+$0480
        jmp main

;; main_default at $a483
*= basic_at+$0483
        jmp main_default

;; relink at $a533
*= basic_at+$0533
        jmp relink

;; read_line at $a560
*= basic_at+$0560
        jmp read_line

;; crunch at $a579
*= basic_at+$0579
        jmp crunch

;; crunch_default at $a57c
*= basic_at+$057c
        jmp crunch_default

;; scratch at $a642
*= basic_at+$0642
        jmp scratch

;; clear_from_start at $a659
*= basic_at+$0659
        jmp clear_from_start

;; clear_variables at $a65e
*= basic_at+$065e
        jmp clear_variables

;; to_start at $a68e
*= basic_at+$068e
        jmp to_start

;; list at $a69c
*= basic_at+$069c
        jmp list

;; list_default at $a71a
*= basic_at+$071a
        jmp list_default

;; next_statement at $a7ae
*= basic_at+$07ae
        jmp next_statement

;; gone_default at $a7e4
*= basic_at+$07e4
        jmp gone_default

;; statement at $a7ed
*= basic_at+$07ed
        jmp statement

;; check_stop at $a82c
*= basic_at+$082c
        jmp check_stop

;; run at $a871
*= basic_at+$0871
        jmp run

;; data at $a8f8
*= basic_at+$08f8
        jmp data

;; rem at $a93b
*= basic_at+$093b
        jmp rem

;; get_line_number at $a96b
*= basic_at+$096b
        jmp get_line_number

;; let at $a9a5
*= basic_at+$09a5
        jmp let

;; print at $aaa0
*= basic_at+$0aa0
        jmp print

;; print_cr at $aad7
*= basic_at+$0ad7
        jmp print_cr

;; print_text at $ab1e
*= basic_at+$0b1e
        jmp print_text

;; print_char at $ab47
*= basic_at+$0b47
        jmp print_char

;; eval_number at $ad8a, need_number at $ad8d, need_string at $ad8f
*= basic_at+$0d8a
        jsr eval
        clc
        .byte $24           ; hides the next byte
        sec
        jmp need_type

;; eval at $ad9e
*= basic_at+$0d9e
        jmp eval

;; operand at $ae83
*= basic_at+$0e83
        jmp operand

;; eval_default at $ae86
*= basic_at+$0e86
        jmp eval_default

;; need_close at $aef7
*= basic_at+$0ef7
        jmp need_close

;; need_open at $aefa
*= basic_at+$0efa
        jmp need_open

;; need_comma at $aefd, need at $aeff
*= basic_at+$0efd
        lda #','
        jmp need

;; err_syntax at $af08
*= basic_at+$0f08
        jmp err_syntax

;; find_or_make at $b08b
*= basic_at+$108b
        jmp find_or_make

;; err_quantity at $b248
*= basic_at+$1248
        jmp err_quantity

;; float_signed at $b391
*= basic_at+$1391
        jmp float_signed

;; float_byte at $b3a2
*= basic_at+$13a2
        jmp float_byte

;; free_string at $b6a3
*= basic_at+$16a3
        jmp free_string

;; eval_byte_next at $b79b
*= basic_at+$179b
        jmp eval_byte_next

;; eval_byte at $b79e
*= basic_at+$179e
        jmp eval_byte

;; byte_of at $b7a1
*= basic_at+$17a1
        jmp byte_of

;; address_and_byte at $b7eb
*= basic_at+$17eb
        jmp address_and_byte

;; address_comma_byte at $b7f1
*= basic_at+$17f1
        jmp address_comma_byte

;; to_address at $b7f7
*= basic_at+$17f7
        jmp to_address

;; subtract_memory at $b850
*= basic_at+$1850
        jmp subtract_memory

;; subtract at $b853
*= basic_at+$1853
        jmp subtract

;; add_memory at $b867
*= basic_at+$1867
        jmp add_memory

;; add at $b86a
*= basic_at+$186a
        jmp add

;; multiply_memory at $ba28
*= basic_at+$1a28
        jmp multiply_memory

;; multiply at $ba2b
*= basic_at+$1a2b
        jmp multiply

;; unpack_arg at $ba8c
*= basic_at+$1a8c
        jmp unpack_arg

;; times_ten at $bae2
*= basic_at+$1ae2
        jmp times_ten

;; over_ten at $bafe
*= basic_at+$1afe
        jmp over_ten

;; divide_memory at $bb0f
*= basic_at+$1b0f
        jmp divide_memory

;; divide at $bb12
*= basic_at+$1b12
        jmp divide

;; unpack at $bba2
*= basic_at+$1ba2
        jmp unpack

;; pack at $bbd4
*= basic_at+$1bd4
        jmp pack

;; arg_to_fac at $bbfc
*= basic_at+$1bfc
        jmp arg_to_fac

;; fac_to_arg at $bc0c
*= basic_at+$1c0c
        jmp fac_to_arg

;; round at $bc1b
*= basic_at+$1c1b
        jmp round

;; sign at $bc2b
*= basic_at+$1c2b
        jmp sign

;; compare at $bc5b
*= basic_at+$1c5b
        jmp compare

;; to_integer at $bc9b
*= basic_at+$1c9b
        jmp to_integer

;; int at $bccc
*= basic_at+$1ccc
        jmp int

;; print_number at $bdcd
*= basic_at+$1dcd
        jmp print_number

;; odd_polynomial at $e043
*= at_odd_polynomial
        jmp odd_polynomial

;; polynomial at $e059
*= at_polynomial
        jmp polynomial

;; cos at $e264
*= at_cos
        jmp cos

;; sin at $e26b
*= at_sin
        jmp sin

;; float_to_word at $b1aa
*= basic_at+$11aa
        jsr to_word
        lda facho+2
        ldy facho+3
        rts

;; scan_statement at $a906
*= basic_at+$0906
        jmp scan_statement
        jmp scan_line

;; print_blank at $ab3f
*= basic_at+$0b3f
        lda #' '
        bne basic_at+$0b47

;; eval_parenthesised at $aef1
*= basic_at+$0ef1
        jsr need_open
        jmp parenthesised

;; is_letter at $b113
*= basic_at+$1113
        jmp is_letter

;; to_word at $b1bf
*= basic_at+$11bf
        jmp to_word

;; log at $b9ea
*= basic_at+$19ea
        jmp log

;; fac_to_arg_unrounded at $bc0f
*= basic_at+$1c0f
        jmp fac_to_arg

;; sgn at $bc39
*= basic_at+$1c39
        jmp sgn

;; abs at $bc58
*= basic_at+$1c58
        jmp abs

;; negate at $bfb4
*= basic_at+$1fb4
        jmp negate

;; exp at $bfed
*= basic_at+$1fed
        jmp exp

;; error_vector
*= at_error_vector
        jmp error_default

;; basic_char_out
*= at_basic_char_out
        jmp print_char
