/** For a C64: a thousand characters that change all the time, in as many colours. */
export const noisyPicture = `* = $c000
loop: lda $dc04
 sta $0400,x
 sta $d800,x
 eor $d012
 sta $0500,x
 sta $d900,x
 adc $dc04
 sta $0600,x
 sta $da00,x
 inx
 jmp loop`;
