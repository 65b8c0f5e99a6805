import { ballsAndBars, byteTable } from '../machines/commodore/c64/balls-and-bars.ts';
import type { Rack } from '../rack/rack.ts';

/** Starts a Commodore 64 with something to look at, for a person who opens the page. */
export async function startDemo(rack: Rack): Promise<void> {
  const { machine, handle } = await rack.start('c64', rack.kind('c64').options.parse({ clock: 'real' }));
  const source = new TextEncoder().encode(demoSource());
  await machine.control?.pause();
  await machine.program?.load({ format: 'asm', bytes: source, name: 'demo.asm' }, true, new AbortController().signal);
  await machine.control?.run({ wallMs: 0 }, new AbortController().signal);
  rack.events.add(handle, { type: 'demo', text: 'the demo is running' });
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
  const { opening, move, data } = ballsAndBars({
    message: 'frontpanel - the machine is yours',
    row: 0,
    tints: [2, 8, 7, 5, 4],
    spacing: 25,
    middle: 138,
    height: 74,
  });
  return `
* = $c000
colours = $c900
${opening}
        sta $d016
        sta $3fff

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
${move}${data}
scroll  .byte ${byteTable(lastLine - firstLine + 1, (at) => scrollOf(firstLine + at))}
`;
}

/** What goes to $D011 in a line: none begins a row of characters but the text's. */
function scrollOf(line: number): number {
  const begins = line === textLine || line === textLine - 1;
  return 0x18 | ((begins ? textLine : line + 3) & 7);
}
