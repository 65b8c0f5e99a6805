/** How a program for the processor begins that takes the interrupts without the KERNAL, at its own labels `irq` and `nmi`. */
export const ownVectors = `
* = $c000
        sei
        lda #$35
        sta $01
        lda #<irq
        sta $fffe
        lda #>irq
        sta $ffff
        lda #<nmi
        sta $fffa
        lda #>nmi
        sta $fffb`;
