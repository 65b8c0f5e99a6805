; The interpreter's loop and the statements that direct it.
; On the processor's stack lie the frames of FOR (18 bytes: $81, variable 2, step 5, its sign, limit 5, line 2, text 2)
; and of GOSUB (5 bytes: $8D, text 2, line 2).

;; next_statement
next_statement:
        jsr check_stop
        lda txtptr
        ldy txtptr+1
        cpy #>buf
        beq @direct
        sta oldtxt
        sty oldtxt+1
@direct:
        ldy #0
        lda (txtptr),y
        bne next_colon
        ldy #2
        lda (txtptr),y
        beq no_more
        iny
        lda (txtptr),y
        sta curlin
        iny
        lda (txtptr),y
        sta curlin+1
        tya
        clc
        adc txtptr
        sta txtptr
        bcc gone
        inc txtptr+1
gone:   jmp (igone)
no_more: jmp ready
next_colon: cmp #':'
        beq gone
        jmp err_syntax
gone_default:
        jsr chrget
        jsr statement
        jmp next_statement

;; statement
statement:
        beq @done
        sec
        sbc #$80
        bcc @let
        cmp #$23
        bcs @other
        asl
        tay
        lda statement_places+1,y
        pha
        lda statement_places,y
        pha
        jmp chrget
@done:  rts
@let:   jmp let
@other: cmp #$4b            ; GO TO in two words
        bne @wrong
        jsr chrget
        lda #$a4
        jsr need
        jmp goto
@wrong: jmp err_syntax
statement_places:
        .word end-1,for-1,next-1,data-1,input_file-1,input-1,dim-1,read-1,let-1,goto-1,run-1,if-1,restore-1,gosub-1
        .word return-1,rem-1,stop-1,on-1,wait-1,load_program-1,save_program-1,verify-1,def-1,poke-1,print_file-1,print-1
        .word cont-1,list-1,clear-1,cmd-1,sys-1,open-1,close-1,get-1,new-1

;; check_stop
check_stop:
        jsr $ffe1
        beq @stop
        rts
@stop:  pla
        pla
        ldx curlin+1
        inx
        beq @say
        lda curlin
        ldy curlin+1
        sta oldlin
        sty oldlin+1
@say:   jmp say_break

;; end
end:    bne end_done
        clc
        bcc end_or_stop
stop:   bne end_done
        sec
end_or_stop:
        ldx curlin+1
        inx
        beq @leave
        lda txtptr
        ldy txtptr+1
        sta oldtxt
        sty oldtxt+1
        lda curlin
        ldy curlin+1
        sta oldlin
        sty oldlin+1
@leave: pla
        pla
        bcc @ready
        jmp say_break
@ready: jmp ready
end_done:
        rts

;; cont
cont:   bne @done
        ldy oldtxt+1
        beq @cannot
        lda oldtxt
        sta txtptr
        sty txtptr+1
        lda oldlin
        ldy oldlin+1
        sta curlin
        sty curlin+1
@done:  rts
@cannot:
        ldx #26
        jmp error

;; run
run:    php
        lda #0
        jsr $ff90
        plp
        bne @from
        jsr clear_from_start
        jmp next_statement
@from:  lda #0
        jsr clear
        jsr go_there
        jmp next_statement
go_there:
        jsr chrgot
        jmp goto

;; goto
*= basic_at+$08a0
goto:   jsr get_line_number
        jsr scan_line
        lda linnum+1
        cmp curlin+1
        bcc @first          ; at or before this line: from the start
        bne @after
        lda curlin
        cmp linnum
        bcs @first
@after:
        ldx txtptr+1
        iny
        tya
        clc
        adc txtptr
        bcc @search
        inx
        bcs @search
@first: lda txttab
        ldx txttab+1
@search:
        jsr find_line_from
        bcc @missing
        lda lowtr
        sbc #1
        sta txtptr
        lda lowtr+1
        sbc #0
        sta txtptr+1
        rts
@missing:
        ldx #17
        jmp error

;; gosub
gosub:  pla
        pla
        lda #3
        jsr need_stack
        lda curlin+1
        pha
        lda curlin
        pha
        lda txtptr+1
        pha
        lda txtptr
        pha
        lda #$8d
        pha
        jsr chrgot
        jsr goto
        jmp next_statement
; Room for A*2 bytes and what evaluation needs.
need_stack:
        asl
        adc #62
        sta index
        tsx
        cpx index
        bcc @full
        rts
@full:  jmp err_memory

;; return
return: bne return_done
        pla
        pla
        lda #$ff
        sta forpnt+1        ; no variable lies there: all FOR frames are passed
        jsr find_for
        txs
        cmp #$8d
        bne @none
        pla
        pla
        sta txtptr
        pla
        sta txtptr+1
        pla
        sta curlin
        pla
        sta curlin+1
        jsr data
        jmp next_statement
@none:  ldx #12
        jmp error
return_done:
        rts

;; find_for
; Goes up the frames below the return address: X is one below the frame, Z set if it is the FOR of forpnt
; (of any variable if its high byte is 0), A its first byte.
find_for:
        tsx
        inx
        inx
@next:  lda $0101,x
        cmp #$81
        bne @done
        ldy forpnt+1
        beq @any
        lda $0102,x
        cmp forpnt
        bne @other
        lda $0103,x
        cmp forpnt+1
        beq @any
@other: txa
        clc
        adc #18
        tax
        bne @next
@any:   lda #$81
        cmp #$81
@done:  rts

;; for
for:    lda #$80
        sta subflg
        jsr let
        lda valtyp
        bne @type
        lda #$a4
        jsr need
        jsr eval_number
        ldx #<forlim
        ldy #>forlim
        jsr pack
        lda #<float_one
        ldy #>float_one
        jsr unpack
        jsr chrgot
        cmp #$a9
        bne @step
        jsr chrget
        jsr eval_number
@step:  jsr sign
        sta saved
        ldx #<temp1
        ldy #>temp1
        jsr pack
        pla
        pla
        jsr find_for
        bne @new
        txa                 ; a loop over the same variable ends with all inside it
        clc
        adc #18
        tax
        txs
@new:   lda #9
        jsr need_stack
        lda txtptr+1
        pha
        lda txtptr
        pha
        lda curlin+1
        pha
        lda curlin
        pha
        ldx #4
@limit: lda forlim,x
        pha
        dex
        bpl @limit
        lda saved
        pha
        ldx #4
@copy:  lda temp1,x
        pha
        dex
        bpl @copy
        lda forpnt+1
        pha
        lda forpnt
        pha
        lda #$81
        pha
        jmp next_statement
@type:  jmp err_type

;; next
next:   bne @named
        lda #0
        sta forpnt+1
        beq @find
@named: jsr find_or_make
        sta forpnt
        sty forpnt+1
@find:  pla
        pla
@loop:  jsr find_for
        beq @found
        ldx #10
        jmp error
@found: txs
        inx
        inx
        inx
        inx
        txa                 ; the step lies at $0100+A
        ldy #1
        jsr unpack
        tsx
        lda $0102,x
        sta forpnt
        lda $0103,x
        sta forpnt+1
        lda forpnt
        ldy forpnt+1
        jsr add_memory
        ldx forpnt
        ldy forpnt+1
        jsr pack
        tsx
        txa
        clc
        adc #10             ; the limit
        ldy #1
        jsr compare
        tsx
        sec
        sbc $0109,x
        beq @over
        lda $010f,x
        sta curlin
        lda $0110,x
        sta curlin+1
        lda $0111,x
        sta txtptr
        lda $0112,x
        sta txtptr+1
        jmp next_statement
@over:  txa
        clc
        adc #18
        tax
        txs
        jsr chrgot
        cmp #','
        bne @end
        jsr chrget
        jsr find_or_make
        sta forpnt
        sty forpnt+1
        jmp @loop
@end:   jmp next_statement

;; if
if:     jsr eval
        jsr chrgot
        cmp #$89
        beq @go
        lda #$a7
        jsr need
@go:    lda fac
        beq rem
        jsr chrgot
        bcs @statement
        jmp goto
@statement:
        jmp statement
rem:    jsr scan_line
        jmp skip_scanned

;; data
data:   jsr scan_statement
skip_scanned:
        tya
        clc
        adc txtptr
        sta txtptr
        bcc @done
        inc txtptr+1
@done:  rts
; Y becomes the distance to the end of the statement, or of the line.
scan_statement:
        lda #':'
        .byte $2c
scan_line:
        lda #0
        sta charac
        ldy #0
        sty endchr
@quote: lda charac          ; quotes hide the colon
        ldx endchr
        sta endchr
        stx charac
@next:  lda (txtptr),y
        beq @end
        cmp endchr
        beq @end
        iny
        cmp #$22
        bne @next
        beq @quote
@end:   rts

;; on
on:     jsr eval_byte
        pha
        cmp #$8d
        beq @list
        cmp #$89
        bne @syntax
@list:  dec facho+3
        bne @skip
        pla
        jmp statement_token
@skip:  jsr chrget
        jsr get_line_number
        cmp #','
        beq @list
        pla
        rts
@syntax:
        jmp err_syntax

;; statement_token
; A is a token, txtptr on it or on the comma in front of what follows.
statement_token:
        cmp #$8d
        beq @sub
        jsr chrget
        jmp goto
@sub:   jsr chrget
        jmp gosub

;; restore
restore:
        lda txttab
        sec
        sbc #1
        ldy txttab+1
        bcs @set
        dey
@set:   sta datptr
        sty datptr+1
        rts

;; poke
poke:   jsr address_and_byte
        txa
        ldy #0
        sta (linnum),y
        rts
; "address, byte": linnum and X.
address_and_byte:
        jsr eval_number
        jsr to_address
address_comma_byte:
        jsr need_comma
        jmp eval_byte

;; wait
wait:   jsr address_and_byte
        stx forpnt
        ldx #0
        jsr chrgot
        beq @set
        jsr address_comma_byte
@set:   stx forpnt+1
        ldy #0
@wait:  jsr $ffe1
        beq @stop
        lda (linnum),y
        eor forpnt+1
        and forpnt
        beq @wait
@stop:  rts

;; sys
sys:    jsr eval_number
        jsr to_address
        jsr sys_jump
        sty syreg
        stx sxreg
        sta sareg
        php
        pla
        sta spreg
        rts
sys_jump:
        lda spreg
        ldy syreg
        ldx sxreg
        pha
        lda sareg
        plp
        jmp (linnum)

;; def
def:    jsr need_fn
        jsr need_direct
        jsr need_open
        lda #$80
        sta subflg
        jsr find_or_make
        jsr need_number
        jsr need_close
        lda #$b2
        jsr need
        pha
        lda varpnt+1
        pha
        lda varpnt
        pha
        lda txtptr+1
        pha
        lda txtptr
        pha
        jsr data
        ldy #0
@store: pla
        sta (opptr),y
        iny
        cpy #5
        bne @store
        rts

;; need_fn
; FN and its name: opptr points to the five bytes of the definition.
need_fn:
        lda #$a5
        jsr need
        ora #$80
        sta subflg
        jsr find_or_make_named
        sta opptr
        sty opptr+1
        jmp need_number
need_direct:
        ldx curlin+1
        inx
        bne @done
        jmp err_direct
@done:  rts
