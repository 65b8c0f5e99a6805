; Catch the falling sprite with the one at the bottom. Joystick in port 2.
; Score in decimal digits at $02-$03, misses at $04; five misses end the game.
score  = $02
misses = $04
chance = $05
* = $c000
       sei
       lda #0
       sta score
       sta score+1
       sta misses
       sta $d020
       sta $d021
       lda #$a7
       sta chance
       ldx #62
       lda #$ff
fill   sta $3000,x
       dex
       bpl fill
       lda #$c0
       sta $07f8
       sta $07f9
       lda #3
       sta $d015
       lda #1
       sta $d027
       lda #7
       sta $d028
       lda #160
       sta $d000
       lda #229
       sta $d001
       jsr drop

frame  lda $d012
       cmp #251
       bne frame
       lda $d01e
       and #3
       beq missed
       sed
       clc
       lda score+1
       adc #1
       sta score+1
       lda score
       adc #0
       sta score
       cld
       jsr drop
missed lda $d003
       clc
       adc #2
       sta $d003
       cmp #250
       bcc move
       inc misses
       jsr drop
move   lda $dc00
       and #4
       bne right
       lda $d000
       cmp #30
       bcc right
       sbc #3
       sta $d000
right  lda $dc00
       and #8
       bne done
       lda $d000
       cmp #230
       bcs done
       adc #3
       sta $d000
done   lda $d012
       cmp #251
       beq done
       jmp frame

; A new one at the top, somewhere.
drop   lda $d01e
       lda chance
       asl
       bcc even
       eor #$1d
even   sta chance
       and #127
       clc
       adc #64
       sta $d002
       lda #50
       sta $d003
       rts
