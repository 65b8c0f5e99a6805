; Mathematical functions.

;; sgn
sgn:    jsr sign
        jmp float_signed_byte
abs:    lda #0
        sta facsgn
        rts

;; sqr
; Newton's rule from half the exponent; five steps reach 32 bits.
*= basic_at+$1f71
sqr:    jsr sign
        beq @done
        bpl @positive
        jmp err_quantity
@positive:
        ldx #<temp3
        ldy #>temp3
        jsr pack
        lda fac
        lsr
        clc
        adc #$40
        sta fac
        lda #5
        sta tansgn
@step:  jsr fac_to_temp1
        lda #<temp3
        ldy #>temp3
        jsr divide_memory   ; x / guess
        lda #<temp1
        ldy #>temp1
        jsr add_memory
        dec fac             ; halved
        dec tansgn
        bne @step
@done:  rts
fac_to_temp1:
        ldx #<temp1
        ldy #>temp1
        jmp pack
fac_to_temp2:
        ldx #<temp2
        ldy #>temp2
        jmp pack

;; polynomial
; odd_polynomial: x times p(x*x); the table at A/Y has the degree, then the coefficients.
odd_polynomial:
        sta fbufpt
        sty fbufpt+1
        jsr fac_to_temp2
        lda #<temp2
        ldy #>temp2
        jsr multiply_memory
        jsr polynomial_here
        lda #<temp2
        ldy #>temp2
        jmp multiply_memory
polynomial:
        sta fbufpt
        sty fbufpt+1
polynomial_here:
        jsr fac_to_temp1
        ldy #0
        lda (fbufpt),y
        sta tansgn
        inc fbufpt
        bne @first
        inc fbufpt+1
@first: lda fbufpt
        ldy fbufpt+1
        jsr unpack
@next:  lda #<temp1
        ldy #>temp1
        jsr multiply_memory
        clc
        lda fbufpt
        adc #5
        sta fbufpt
        bcc @low
        inc fbufpt+1
@low:   lda fbufpt
        ldy fbufpt+1
        jsr add_memory
        dec tansgn
        bne @next
        rts

;; exp
exp:    lda #<float_log2e
        ldy #>float_log2e
        jsr multiply_memory
        lda fac
        cmp #$88
        bcc @inside
        lda facsgn
        bmi @zero
        jmp err_overflow
@zero:  jmp fac_zero
@inside:
        ldx #<temp3
        ldy #>temp3
        jsr pack
        jsr int
        jsr fac_to_temp2
        jsr to_integer      ; -128 to 127
        lda facho+3
        pha
        lda #<temp2
        ldy #>temp2
        jsr unpack
        lda #<temp3
        ldy #>temp3
        jsr subtract_memory ; the part after the point
        lda #<exp_table
        ldy #>exp_table
        jsr polynomial
        pla
        clc
        bmi @less
        adc fac
        bcs @over
        sta fac
        rts
@less:  adc fac
        bcc @zero
        beq @zero
        sta fac
        rts
@over:  jmp err_overflow

;; log
log:    jsr sign
        beq @wrong
        bmi @wrong
        lda fac
        pha
        lda #$80
        sta fac             ; 1/2 to 1
        jsr fac_to_temp2
        lda #<float_root_half
        ldy #>float_root_half
        jsr add_memory
        ldx #<temp3
        ldy #>temp3
        jsr pack
        lda #<temp2
        ldy #>temp2
        jsr unpack
        lda #<float_root_half
        ldy #>float_root_half
        jsr subtract_memory
        jsr negate
        lda #<temp3
        ldy #>temp3
        jsr divide_by
        lda #<log_table
        ldy #>log_table
        jsr odd_polynomial
        lda #<float_half
        ldy #>float_half
        jsr subtract_memory
        jsr negate
        jsr fac_to_temp2
        pla
        sec
        sbc #$80
        tay
        lda #0
        bcs @exponent
        lda #$ff
@exponent:
        jsr float_signed
        lda #<temp2
        ldy #>temp2
        jsr add_memory
        lda #<float_ln2
        ldy #>float_ln2
        jmp multiply_memory
@wrong: jmp err_quantity

;; power
; arg to the power of fac. Whole powers up to 255 are multiplied out and so stay exact.
power:  lda fac
        bne @some
        lda #<float_one
        ldy #>float_one
        jmp unpack
@some:  lda arg
        bne @base
        bit facsgn
        bmi @division
        jmp fac_zero
@division:
        jmp err_division
@base:  bit facsgn
        bmi @other
        lda fac
        cmp #$89
        bcs @other
        ldx #<temp3
        ldy #>temp3
        jsr pack
        jsr to_integer
        lda bits            ; what to_integer lost
        bne @fraction
        jmp whole_power
@fraction:
        lda #<temp3
        ldy #>temp3
        jsr unpack
@other: bit argsgn
        bmi @negative
        ldx #5
@push:  lda fac,x
        pha
        dex
        bpl @push
        jsr arg_to_fac
        jsr log
        ldx #0
@pull:  pla
        sta arg,x
        inx
        cpx #6
        bne @pull
        lda facsgn
        eor argsgn
        sta arisgn
        jsr multiply
        jmp exp
@negative:
        jmp err_quantity

;; whole_power
; arg to the power of facho+3.
whole_power:
        lda facho+3
        sta saved
        jsr arg_to_fac
        jsr fac_to_temp1
        lda #<float_one
        ldy #>float_one
        jsr unpack
        jsr fac_to_temp2
@bit:   lsr saved
        bcc @square
        lda #<temp2
        ldy #>temp2
        jsr unpack
        lda #<temp1
        ldy #>temp1
        jsr multiply_memory
        jsr fac_to_temp2
@square:
        lda saved
        beq @done
        lda #<temp1
        ldy #>temp1
        jsr unpack
        lda #<temp1
        ldy #>temp1
        jsr multiply_memory
        jsr fac_to_temp1
        jmp @bit
@done:  lda #<temp2
        ldy #>temp2
        jmp unpack

;; rnd
; Above 0: the next number of the row. Below 0: the row starts there. 0: it starts from the timers.
*= at_rnd
rnd:    jsr sign
        bmi @seed
        bne @next
        lda timers
        sta facho
        lda timers+1
        sta facho+2
        lda other_timer
        eor raster
        sta facho+1
        lda jiffies+2
        sta fac
@seed:  lda facho+3
        eor fac
        sta facho+3
        ldx #3
@keep:  lda facho,x
        sta rndx+1,x
        dex
        bpl @keep
@next:  jsr stir
        lda #0
        sta facsgn
        sta facov
        lda #$80
        sta fac
        sta rndx
        jmp normalise

;; stir
; The 32 bits after rndx times 69069 plus 1; the low bytes hardly change, so fac takes them the other way round.
stir:   ldx #3
@copy:  lda rndx+1,x
        sta argho,x
        dex
        bpl @copy
        ldx #0
@bit:   ldy @shifts,x
@shift: asl argho+3
        rol argho+2
        rol argho+1
        rol argho
        dey
        bne @shift
        clc
        ldy #3
@add:   lda rndx+1,y
        adc argho,y
        sta rndx+1,y
        dey
        bpl @add
        inx
        cpx #8
        bne @bit
        ldx #3
@one:   inc rndx+1,x
        bne @turn
        dex
        bpl @one
@turn:  ldx #3
        ldy #0
@byte:  lda rndx+1,x
        sta facho,y
        iny
        dex
        bpl @byte
        rts
@shifts:
        .byte 2,1,3,1,1,2,1,5   ; bits 2, 3, 6, 7, 8, 10, 11, 16 of the factor, beside bit 0

;; sin
cos:    lda #<float_half_pi
        ldy #>float_half_pi
        jsr add_memory
sin:    lda #<float_two_pi
        ldy #>float_two_pi
        jsr divide_by       ; in turns
        jsr fac_to_temp2
        jsr int
        lda #<temp2
        ldy #>temp2
        jsr subtract_memory ; 0 to 1
        lda #<float_quarter
        ldy #>float_quarter
        jsr compare
        bmi @turns
        lda #<float_three_quarters
        ldy #>float_three_quarters
        jsr compare
        bpl @last
        lda #<float_half
        ldy #>float_half
        jsr subtract_memory
        jmp @turns
@last:  lda #<float_one
        ldy #>float_one
        jsr subtract_memory
        jsr negate
@turns: lda #<sin_table
        ldy #>sin_table
        jmp odd_polynomial

;; tan
*= at_tan
tan:    ldx #5
@push:  lda fac,x
        pha
        dex
        bpl @push
        jsr sin
        jsr fac_to_temp3
        ldx #0
@pull:  pla
        sta fac,x
        inx
        cpx #6
        bne @pull
        jsr cos
        lda #<temp3
        ldy #>temp3
        jmp divide_memory
fac_to_temp3:
        ldx #<temp3
        ldy #>temp3
        jmp pack

;; atn
*= at_atn
atn:    lda facsgn
        pha
        lda #0
        sta facsgn
        lda fac
        cmp #$81
        bcc @small
        lda #<float_one
        ldy #>float_one
        jsr divide_memory   ; 1 / x
        lda #<atn_table
        ldy #>atn_table
        jsr odd_polynomial
        lda #<float_half_pi
        ldy #>float_half_pi
        jsr subtract_memory
        jmp @sign
@small: lda #<atn_table
        ldy #>atn_table
        jsr odd_polynomial
@sign:  pla
        bpl @done
        jmp negate
@done:  rts

;; tables
; Coefficients computed for this project (Chebyshev nodes), highest power first, after the degree.
; sin(2 pi y)/y in y squared, up to y = 1/4
sin_table:
        .byte 6
        .byte $82,$6a,$9d,$8d,$75
        .byte $84,$f1,$4d,$c3,$a2
        .byte $86,$28,$3b,$87,$c0
        .byte $87,$99,$69,$64,$da
        .byte $87,$23,$35,$e3,$37
        .byte $86,$a5,$5d,$e7,$31
        .byte $83,$49,$0f,$da,$a2
; atn(x)/x in x squared, up to 1
atn_table:
        .byte 11
        .byte $76,$ad,$e7,$b8,$32
        .byte $79,$1b,$12,$f5,$2c
        .byte $7b,$81,$aa,$66,$8b
        .byte $7c,$0a,$8d,$5c,$d9
        .byte $7c,$dd,$01,$ae,$74
        .byte $7d,$14,$08,$ff,$0e
        .byte $7d,$b7,$ca,$81,$bd
        .byte $7d,$63,$29,$9f,$00
        .byte $7e,$92,$44,$28,$d0
        .byte $7e,$4c,$cc,$8a,$6e
        .byte $7f,$aa,$aa,$a9,$fb
        .byte $81,$00,$00,$00,$00
; log2((1+t)/(1-t))/t in t squared
log_table:
        .byte 4
        .byte $7f,$2e,$77,$aa,$c2
        .byte $7f,$52,$c6,$9a,$21
        .byte $80,$13,$bb,$c0,$3f
        .byte $80,$76,$38,$4e,$89
        .byte $82,$38,$aa,$3b,$29
; 2 to the power of x, 0 to 1
exp_table:
        .byte 8
        .byte $6d,$7b,$99,$c8,$d6
        .byte $70,$6d,$74,$8b,$28
        .byte $74,$22,$b7,$79,$98
        .byte $77,$2e,$ad,$03,$fe
        .byte $7a,$1d,$96,$5c,$ab
        .byte $7c,$63,$58,$3a,$23
        .byte $7e,$75,$fd,$f0,$4b
        .byte $80,$31,$72,$17,$f7
        .byte $81,$00,$00,$00,$00

;; function_constants
float_ln2:
        .byte $80,$31,$72,$17,$f8
float_log2e:
        .byte $81,$38,$aa,$3b,$29
float_root_half:
        .byte $80,$35,$04,$f3,$34
float_half_pi:
        .byte $81,$49,$0f,$da,$a2
float_two_pi:
        .byte $83,$49,$0f,$da,$a2
float_quarter:
        .byte $7f,$00,$00,$00,$00
float_over:
        .byte $9e,$6e,$6b,$27,$fe
float_three_quarters:
        .byte $80,$40,$00,$00,$00
