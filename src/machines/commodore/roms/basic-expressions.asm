; Expressions. Operators are taken as long as they bind tighter than what stands to the left of the operand.

;; eval
eval_number:
        jsr eval
need_number:
        lda valtyp
        bmi wrong_type
        rts
need_string:
        lda valtyp
        bpl wrong_type
        rts
; Carry says which type: set for a string.
need_type:
        bcc need_number
        bcs need_string
wrong_type:
        jmp err_type

;; eval_code
eval:   lda #0
eval_above:
        pha
        ldx txtptr          ; an operand is read with chrget
        bne @low
        dec txtptr+1
@low:   dec txtptr
        tsx
        cpx #50
        bcs @room
        jmp err_complex
@room:  jsr operand
@operator:
        jsr chrgot
        sec
        sbc #$aa
        bcc @end
        cmp #10
        bcs @end
        tax
        lda precedences,x
        sta prec
        pla
        pha
        cmp prec
        bcs @end
        txa
        pha                 ; what to do
        cpx #7
        bcs @relation
        jsr chrget
        lda #0
        beq @push
@relation:
        jsr read_relation
@push:  pha
        ldx #5
@left:  lda fac,x           ; a number, or the pointer to a string's descriptor
        pha
        dex
        bpl @left
        lda valtyp
        pha
        lda prec
        jsr eval_above
        jsr operate
        jmp @operator
@end:   pla
        rts
precedences:
        .byte 6,6,7,7,9,3,2,5,5,5

;; read_relation
; > = < in any order: bits 0, 1 and 2 of A.
read_relation:
        lda #0
        sta mask
@next:  jsr chrgot
        sec
        sbc #$b1
        bcc @done
        cmp #3
        bcs @done
        tax
        lda @bits,x
        bit mask
        bne @twice
        ora mask
        sta mask
        jsr chrget
        jmp @next
@done:  lda mask
        rts
@twice: jmp err_syntax
@bits:  .byte 1,2,4

;; operate
; Takes the left operand (type, then fac to facsgn) from below the return address and does the operation.
operate:
        pla
        sta saved
        pla
        sta saved+1
        pla
        eor valtyp
        bne @type
        ldx #0
@left:  pla
        sta arg,x
        inx
        cpx #6
        bne @left
        pla
        sta mask
        pla
        tax
        lda saved+1
        pha
        lda saved
        pha
        lda argsgn
        eor facsgn
        sta arisgn
        cpx #7
        bcc @arithmetic
        jmp compare_operands
@arithmetic:
        bit valtyp
        bpl @number
        cpx #0
        bne @type
        jmp concatenate
@number:
        txa
        asl
        tax
        lda @places+1,x
        pha
        lda @places,x
        pha
        lda fac
        rts
@type:  jmp err_type
@places:
        .word add-1,subtract-1,multiply-1,divide-1,power-1,and_words-1,or_words-1

;; compare_operands
; A relation: -1 if it holds, else 0. mask has bit 0 for >, 1 for =, 2 for <.
compare_operands:
        bit valtyp
        bmi @strings
        jsr compare_arg
        jmp @result
@strings:
        jsr compare_strings
@result:
        tax                 ; 1, 0 or $ff: left above, equal, below
        lda #1
        inx
        cpx #2
        beq @test           ; above
        lda #2
        cpx #1
        beq @test
        lda #4
@test:  and mask
        beq @false
        lda #$ff
@false: jmp float_signed_byte

;; words
; AND and OR work on 16 bits with sign.
and_words:
        jsr both_words
        lda facho+2
        and argho+2
        tax
        lda facho+3
        and argho+3
        jmp word_result
or_words:
        jsr both_words
        lda facho+2
        ora argho+2
        tax
        lda facho+3
        ora argho+3
word_result:
        tay
        txa
        jmp float_signed
both_words:
        jsr to_word
        lda facho+2
        pha
        lda facho+3
        pha
        jsr arg_to_fac
        jsr to_word
        pla
        sta argho+3
        pla
        sta argho+2
        rts

;; operand
operand:
        lda #0
        sta valtyp
        jmp (ieval)
eval_default:
        jsr chrget
        bcs @word
@number:
        jmp read_number
@word:  cmp #'A'
        bcc @sign
        cmp #'Z'+1
        bcs @sign
        jmp variable_value
@sign:  cmp #'.'
        beq @number
        cmp #$ab
        beq @minus
        cmp #$aa
        beq eval_default
        cmp #'"'
        beq @string
        cmp #$a8
        beq @not
        cmp #$a5
        beq @function
        cmp #$ff
        beq @pi
        cmp #$b4
        bcs @builtin
        jsr need_open
        jmp parenthesised
@pi:    lda #<float_pi
        ldy #>float_pi
        jsr unpack
        jmp chrget
@builtin:
        jmp builtin
@function:
        jmp call_function
@string:
        jmp string_literal
@not:   jmp not_word
@minus: jsr chrget
        lda #8
        jsr eval_above
        jsr need_number
negate: lda fac
        beq @done
        lda facsgn
        eor #$ff
        sta facsgn
@done:  rts

;; parenthesised
parenthesised:
        jsr eval
        jmp need_close

;; not
not_word:
        jsr chrget
        lda #4
        jsr eval_above
        jsr need_number
        jsr to_word
        lda facho+3
        eor #$ff
        tay
        lda facho+2
        eor #$ff
        jmp float_signed

;; need
need_close:
        lda #')'
        .byte $2c
need_open:
        lda #'('
        .byte $2c
need_comma:
        lda #','
need:   ldy #0
        cmp (txtptr),y
        bne @wrong
        jmp chrget
@wrong: jmp err_syntax

;; bytes
eval_byte_next:
        jsr chrget
eval_byte:
        jsr eval_number
byte_of:
        jsr to_positive
        ldx facho+2
        bne @wrong
        ldx facho+3
        jmp chrgot
@wrong: jmp err_quantity

;; builtin
; Functions from SGN ($B4) to MID$ ($CA).
builtin:
        cmp #$cb
        bcs @wrong
        sec
        sbc #$b4
        asl
        pha
        jsr chrget
        pla
        cmp #40
        bcs @cut
        pha
        jsr need_open
        jsr parenthesised
        pla
        tay
        cpy #30             ; LEN, VAL and ASC take strings, FRE and POS anything
        bcc @number
        cpy #32
        beq @number
        cpy #38
        beq @number
        jsr need_string
        jmp @call
@number:
        cpy #8
        beq @call
        cpy #10
        beq @call
        jsr need_number
@call:  lda builtin_places+1,y
        pha
        lda builtin_places,y
        pha
        rts
@cut:   tay
        bne @call
@wrong: jmp err_syntax
builtin_places:
        .word sgn-1,int-1,abs-1,usrpok-1,fre-1,pos-1,sqr-1,rnd-1,log-1,exp-1,cos-1,sin-1,tan-1,atn-1,peek-1
        .word len-1,str-1,val-1,asc-1,chr-1,left-1,right-1,mid-1

;; small_functions
pos:    sec
        jsr $fff0
float_byte:
        lda #0
; A (high) and Y with sign.
float_signed:
        ldx #0
        stx valtyp
        sta facho
        sty facho+1
        eor #$80
        asl                 ; carry clear if it is negative
        ldx #$90
        jmp float_word
; $ff, 0 or 1 in A.
float_signed_byte:
        tay
        cmp #1
        bne float_signed
        lda #0
        beq float_signed
peek:   lda linnum+1
        pha
        lda linnum
        pha
        jsr to_address
        ldy #0
        lda (linnum),y
        tay
        pla
        sta linnum
        pla
        sta linnum+1
        jmp float_byte

;; fre
fre:    bit valtyp
        bpl @number
        jsr free_string
@number:
        jsr collect
        sec
        lda fretop
        sbc strend
        tay
        lda fretop+1
        sbc strend+1
        jmp float_signed

;; call_function
; FN: the argument takes the place of the parameter while the definition is worked out.
call_function:
        jsr need_fn
        lda opptr+1
        pha
        lda opptr
        pha
        jsr need_open
        jsr parenthesised
        jsr need_number
        pla
        sta opptr
        pla
        sta opptr+1
        ldy #3
        lda (opptr),y
        beq @undefined
        sta varpnt+1
        dey
        lda (opptr),y
        sta varpnt
        ldy #4
@save:  lda (varpnt),y
        pha
        dey
        bpl @save
        lda varpnt+1
        pha
        lda varpnt
        pha
        tax
        ldy varpnt+1
        jsr pack
        lda txtptr+1
        pha
        lda txtptr
        pha
        ldy #0
        lda (opptr),y
        sta txtptr
        iny
        lda (opptr),y
        sta txtptr+1
        jsr eval_number
        pla
        sta txtptr
        pla
        sta txtptr+1
        pla
        sta varpnt
        pla
        sta varpnt+1
        ldy #0
@restore:
        pla
        sta (varpnt),y
        iny
        cpy #5
        bne @restore
        rts
@undefined:
        ldx #27
        jmp error
