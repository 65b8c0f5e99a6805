; The keyboard: eight columns that are pulled low one after the other, eight rows that are read. Key 64 is no key.

;; scan_keys
*= at_scan_keys
scan_keys:
        lda #0
        sta shflag
        ldx #64
        stx sfdx
        sta key_columns
.if plus4
        lda #$ff
        sta key_rows        ; asks the keyboard
.endif
        lda key_rows
        cmp #$ff
        beq @decode
        jsr scan_matrix
@decode:
        jmp (keylog)

;; scan_matrix
; Leaves the last key found in sfdx and the three kinds of shift in shflag.
scan_matrix:
        ldy #0
        lda #$fe
@column:
        sta key_columns
        pha
@settle:
.if plus4
        lda #$ff
        sta key_rows
.endif
        lda key_rows
        cmp key_rows
        bne @settle
        ldx #8
@row:   lsr
        bcs @next
        pha
        lda keys_plain,y
        cmp #5
        bcs @key
        cmp #3              ; STOP is a key, the other small codes are shifts
        beq @key
        ora shflag
        sta shflag
        jmp @found
@key:   sty sfdx
@found: pla
@next:  iny
        dex
        bne @row
        pla
        sec
        rol
        cpy #64
        bcc @column
        rts

;; key_logic
; Chooses the table for the shifts that are held; SHIFT with C= changes the character set.
*= at_key_logic
key_logic:
        lda shflag
        cmp #3
        bne @table
        cmp lstshf
        beq @keep
        lda mode
        bmi @keep
        lda letters
        eor #letter_bit
        sta letters
@keep:  jmp key_pressed
@table: cmp #4              ; CTRL outdoes the others
        bcc @shift
        lda #3
@shift: asl
        tay
        lda key_tables+1,y
        ldx key_tables,y
        stx keytab
        sta keytab+1
        jmp key_pressed

;; key_pressed
key_pressed:
        ldy sfdx
        lda (keytab),y
        tax
        cpy lstx
        beq @held
        ldy #16
        sty delay
        ldy #4
        sty kount
        bne @store
@held:  bit rptflg
        bmi @repeat
        bvs @done
        cpx #$ff
        beq @done
        ldy #3
@which: txa
        and #$7f
        cmp @repeating,y
        beq @repeat
        dey
        bpl @which
        bmi @done
@repeat:
        lda delay           ; first the long wait, then the short ones
        beq @rate
        dec delay
        jmp @due
@rate:  dec kount
@due:   bne @done
        lda #4
        sta kount
        lda ndx
        bne @done
@store: ldy sfdx
        sty lstx
        ldy shflag
        sty lstshf
        cpx #$ff
        beq @rest
        ldy ndx
        cpy xmax
        bcs @rest
        txa
        sta keyd,y
        inc ndx
        bcc @rest
@done:  ldy shflag
        sty lstshf
@rest:  lda #stop_column
        sta key_columns
        rts
@repeating:
        .byte $14,$20,$1d,$11

;; key_tables
key_tables:
        .word keys_plain,keys_shift,keys_logo,keys_control
