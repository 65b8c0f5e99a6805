import type { Rack } from '../rack/rack.ts';

const message = 'frontpanel - the machine is yours';

/** Starts a Commodore 64 with something to look at, for a person who opens the page. */
export async function startDemo(rack: Rack): Promise<void> {
  const { machine, handle } = await rack.start('c64', rack.kind('c64').options.parse({ clock: 'real' }));
  const source = new TextEncoder().encode(demoSource());
  await machine.control?.pause();
  await machine.program?.load({ format: 'asm', bytes: source, name: 'demo.asm' }, true, new AbortController().signal);
  await machine.control?.run({ wallMs: 0 }, new AbortController().signal);
  rack.events.add(handle, { type: 'demo', text: 'the demo runs' });
}

const firstLine = 51;
const lastLine = 250;
const textLine = 147;

/**
 * Colour bars that roll behind a line of text, and five balls on a wave. The screen is scrolled away from every line
 * but the text's, so that the VIC-II never takes the processor's time in the middle of a bar; a sixth ball would take
 * it where a bar begins.
 */
export function demoSource(): string {
  const wave = table(256, (at) => 138 + 74 * Math.sin((at * Math.PI) / 128));
  const sway = table(256, (at) => 145 + 105 * Math.sin((at * Math.PI) / 128));
  const bar = [6, 6, 14, 6, 14, 14, 3, 14, 3, 3, 1, 3, 1, 1, 1, 3, 1, 3, 3, 14, 3, 14, 14, 6, 14, 6, 6, 0, 0, 0, 0, 0];
  return `
* = $c000
phase   = $fb
step    = $fc
place   = $fd
colours = $c900

start   sei
        lda #$7f
        sta $dc0d
        lda #$00
        sta $d020
        sta $d016
        sta $3fff
        sta phase
        sta step
        lda #$15
        sta $d018
        ldx #$00
clear   lda #$20
        sta $0400,x
        lda #$01
        sta $d800,x
        inx
        bne clear
        ldx #${message.length - 1}
print   lda text,x
        sta $0400+${Math.floor((40 - message.length) / 2)},x
        dex
        bpl print
        ldx #62
shape   lda ball,x
        sta $3000,x
        dex
        bpl shape
        ldx #4
setup   lda #$c0
        sta $07f8,x
        lda tints,x
        sta $d027,x
        dex
        bpl setup
        lda #$1f
        sta $d015
        lda #$00
        sta $d01b
        sta $d01c
        sta $d017
        sta $d01d

frame   bit $d011
        bpl frame
        lda #$1f
        sta $d011
        inc phase
        inc step
        jsr paint
        jsr move
below   bit $d011
        bmi below
        ldy #${firstLine - 1}
wait    cpy $d012
        bne wait
line    lda colours+1,y
        ldx scroll-${firstLine - 1},y
same    cpy $d012
        beq same
        sta $d021
        stx $d011
        iny
        cpy #${lastLine}
        bne line
        jmp frame

paint   ldx phase
        ldy #${firstLine}
each    lda bars,x
        sta colours,y
        inx
        iny
        cpy #${lastLine + 1}
        bne each
        lda #$00
        ldy #${textLine - 3}
black   sta colours,y
        iny
        cpy #${textLine + 11}
        bne black
        rts

move    lda #$00
        sta $d010
        ldx #$00
        lda step
        sta place
next    lda place
        clc
        adc #25
        sta place
        tay
        txa
        asl
        tax
        lda wave,y
        sta $d001,x
        tya
        clc
        adc #64
        tay
        lda sway,y
        sta $d000,x
        txa
        lsr
        tax
        inx
        cpx #5
        bne next
        rts

text    .scr "${message}"
tints   .byte 2,8,7,5,4
scroll  .byte ${scrolls().join(',')}
bars    .byte ${table(256, (at) => bar[at % bar.length] ?? 0).join(',')}
ball    .byte ${ballShape().join(',')}
wave    .byte ${wave.join(',')}
sway    .byte ${sway.join(',')}
`;
}

/** For each line what goes to $D011: no line begins a row of characters but the text's. */
function scrolls(): number[] {
  return table(lastLine - firstLine + 1, (at) => {
    const line = firstLine + at;
    const begins = line === textLine || line === textLine - 1;
    return 0x18 | ((begins ? textLine : line + 3) & 7);
  });
}

function table(length: number, value: (at: number) => number): number[] {
  return Array.from({ length }, (_, at) => Math.round(value(at)));
}

/** A disc of 21 lines in the 24 columns of a sprite. */
function ballShape(): number[] {
  return Array.from({ length: 63 }, (_, at) => {
    const y = Math.floor(at / 3) - 10;
    return Array.from({ length: 8 }, (_each, bit) => {
      const x = (at % 3) * 8 + bit - 11.5;
      return x * x + y * y <= 104 ? 0x80 >> bit : 0;
    }).reduce((byte, pixel) => byte | pixel, 0);
  });
}
