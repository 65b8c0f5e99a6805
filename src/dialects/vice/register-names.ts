/** A register of a chip: its name in the programmer's reference, and what it is for. */
export type RegisterRow = readonly [name: string, description: string];

const eight = <Row>(row: (index: number) => Row): readonly Row[] => Array.from({ length: 8 }, (_, index) => row(index));

export const vic2Rows: readonly RegisterRow[] = [
  ...eight((sprite): readonly RegisterRow[] => [
    [`SP${sprite}X`, `Sprite ${sprite} X position`],
    [`SP${sprite}Y`, `Sprite ${sprite} Y position`],
  ]).flat(),
  ['MSIGX', 'Bit 8 of the sprites X positions'],
  ['SCROLY', 'Raster bit 8, text and bitmap mode, screen on, rows, Y scroll'],
  ['RASTER', 'Raster line; written: line of the raster interrupt'],
  ['LPENX', 'Light pen X position'],
  ['LPENY', 'Light pen Y position'],
  ['SPENA', 'Sprites enabled'],
  ['SCROLX', 'Multicolor, columns, X scroll'],
  ['YXPAND', 'Sprites expanded in Y'],
  ['VMCSB', 'Screen and character memory'],
  ['VICIRQ', 'Interrupts that have happened'],
  ['IRQMASK', 'Interrupts enabled'],
  ['SPBGPR', 'Sprites behind the background'],
  ['SPMC', 'Sprites in multicolor'],
  ['XXPAND', 'Sprites expanded in X'],
  ['SPSPCL', 'Sprite-sprite collisions'],
  ['SPBGCL', 'Sprite-background collisions'],
  ['EXTCOL', 'Border color'],
  ['BGCOL0', 'Background color 0'],
  ['BGCOL1', 'Background color 1'],
  ['BGCOL2', 'Background color 2'],
  ['BGCOL3', 'Background color 3'],
  ['SPMC0', 'Sprite multicolor 0'],
  ['SPMC1', 'Sprite multicolor 1'],
  ...eight((sprite): RegisterRow => [`SP${sprite}COL`, `Sprite ${sprite} color`]),
];

export const vicRows: readonly RegisterRow[] = [
  ['CR0', 'Interlace, X origin of the text'],
  ['CR1', 'Y origin of the text'],
  ['CR2', 'Columns, bit 9 of the screen address'],
  ['CR3', 'Rows, character height, bit 0 of the raster'],
  ['CR4', 'Raster line, bits 8-1'],
  ['CR5', 'Screen and character memory'],
  ['CR6', 'Light pen X position'],
  ['CR7', 'Light pen Y position'],
  ['CR8', 'Paddle X'],
  ['CR9', 'Paddle Y'],
  ['CRA', 'Bass voice: on, frequency'],
  ['CRB', 'Alto voice: on, frequency'],
  ['CRC', 'Soprano voice: on, frequency'],
  ['CRD', 'Noise voice: on, frequency'],
  ['CRE', 'Auxiliary color, volume'],
  ['CRF', 'Background color, reverse, border color'],
];

const voiceRows = (voice: number): readonly RegisterRow[] => [
  [`FRELO${voice}`, `Voice ${voice} frequency, low byte`],
  [`FREHI${voice}`, `Voice ${voice} frequency, high byte`],
  [`PWLO${voice}`, `Voice ${voice} pulse width, low byte`],
  [`PWHI${voice}`, `Voice ${voice} pulse width, high nibble`],
  [`VCREG${voice}`, `Voice ${voice} waveform, test, ring, sync, gate`],
  [`ATDCY${voice}`, `Voice ${voice} attack, decay`],
  [`SUREL${voice}`, `Voice ${voice} sustain, release`],
];

export const sidRows: readonly RegisterRow[] = [
  ...[1, 2, 3].flatMap(voiceRows),
  ['CUTLO', 'Filter cutoff, low bits'],
  ['CUTHI', 'Filter cutoff, high byte'],
  ['RESON', 'Filter resonance, voices filtered'],
  ['SIGVOL', 'Filter mode, voice 3 off, volume'],
];

export const ciaRows: readonly RegisterRow[] = [
  ['PRA', 'Port A'],
  ['PRB', 'Port B'],
  ['DDRA', 'Direction of port A'],
  ['DDRB', 'Direction of port B'],
  ['TALO', 'Timer A, low byte'],
  ['TAHI', 'Timer A, high byte'],
  ['TBLO', 'Timer B, low byte'],
  ['TBHI', 'Timer B, high byte'],
  ['TODTEN', 'Time of day, tenths'],
  ['TODSEC', 'Time of day, seconds'],
  ['TODMIN', 'Time of day, minutes'],
  ['TODHRS', 'Time of day, hours'],
  ['SDR', 'Serial data'],
  ['ICR', 'Interrupts'],
  ['CRA', 'Control of timer A'],
  ['CRB', 'Control of timer B'],
];

export const viaRows: readonly RegisterRow[] = [
  ['PB', 'Port B'],
  ['PA', 'Port A, with handshake'],
  ['DDRB', 'Direction of port B'],
  ['DDRA', 'Direction of port A'],
  ['T1CL', 'Timer 1 counter, low byte'],
  ['T1CH', 'Timer 1 counter, high byte'],
  ['T1LL', 'Timer 1 latch, low byte'],
  ['T1LH', 'Timer 1 latch, high byte'],
  ['T2CL', 'Timer 2 counter, low byte'],
  ['T2CH', 'Timer 2 counter, high byte'],
  ['SR', 'Shift register'],
  ['ACR', 'Auxiliary control'],
  ['PCR', 'Control of the handshake lines'],
  ['IFR', 'Interrupts that have happened'],
  ['IER', 'Interrupts enabled'],
  ['PA2', 'Port A, without handshake'],
];
