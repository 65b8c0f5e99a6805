/** A register as manuals call it. */
export interface RegisterName {
  readonly name: string;
  readonly description: string;
}

type Row = readonly [name: string, description: string];

const named = (rows: readonly Row[]): readonly RegisterName[] =>
  rows.map(([name, description]) => ({ name, description }));

const sprites = [0, 1, 2, 3, 4, 5, 6, 7];

/** $D000-$D02E. */
export const vic2Registers = named([
  ...sprites.flatMap((sprite): readonly Row[] => [
    [`SP${sprite}X`, `sprite ${sprite}: X, low 8 bits`],
    [`SP${sprite}Y`, `sprite ${sprite}: Y`],
  ]),
  ['MSIGX', 'bit 8 of X of each sprite'],
  ['SCROLY', 'raster bit 8, extended colour, bitmap, display on, 25 rows, Y scroll'],
  ['RASTER', 'raster line: reads the current one, writes the one of the interrupt'],
  ['LPENX', 'light pen X, half of it'],
  ['LPENY', 'light pen Y'],
  ['SPENA', 'sprites that are on'],
  ['SCROLX', 'multicolour, 40 columns, X scroll'],
  ['YXPAND', 'sprites of double height'],
  ['VMCSB', 'addresses of the screen and of characters or bitmap'],
  ['VICIRQ', 'interrupts that have come; writing a bit clears it'],
  ['IRQMSK', 'interrupts that are wanted'],
  ['SPBGPR', 'sprites behind the foreground'],
  ['SPMC', 'sprites in multicolour'],
  ['XXPAND', 'sprites of double width'],
  ['SPSPCL', 'sprites that have met sprites; reading clears it'],
  ['SPBGCL', 'sprites that have met the foreground; reading clears it'],
  ['EXTCOL', 'colour of the border'],
  ['BGCOL0', 'background colour 0'],
  ['BGCOL1', 'background colour 1'],
  ['BGCOL2', 'background colour 2'],
  ['BGCOL3', 'background colour 3'],
  ['SPMC0', 'first colour that all multicolour sprites share'],
  ['SPMC1', 'second colour that all multicolour sprites share'],
  ...sprites.map((sprite): Row => [`SP${sprite}COL`, `colour of sprite ${sprite}`]),
]);

/** $D400-$D41C. */
export const sidRegisters = named([
  ...[1, 2, 3].flatMap((voice): readonly Row[] => [
    [`FRELO${voice}`, `voice ${voice}: frequency, low byte`],
    [`FREHI${voice}`, `voice ${voice}: frequency, high byte`],
    [`PWLO${voice}`, `voice ${voice}: pulse width, low byte`],
    [`PWHI${voice}`, `voice ${voice}: pulse width, high 4 bits`],
    [`VCREG${voice}`, `voice ${voice}: noise, pulse, sawtooth, triangle, test, ring, sync, gate`],
    [`ATDCY${voice}`, `voice ${voice}: attack, decay`],
    [`SUREL${voice}`, `voice ${voice}: sustain, release`],
  ]),
  ['CUTLO', 'filter cutoff, low 3 bits'],
  ['CUTHI', 'filter cutoff, high byte'],
  ['RESON', 'resonance, voices that are filtered'],
  ['SIGVOL', 'voice 3 off, high-pass, band-pass, low-pass, volume'],
  ['POTX', 'paddle X'],
  ['POTY', 'paddle Y'],
  ['OSC3', 'waveform of voice 3'],
  ['ENV3', 'envelope of voice 3'],
]);

/** $DC00-$DC0F and $DD00-$DD0F. */
export const ciaRegisters = named([
  ['PRA', 'port A'],
  ['PRB', 'port B'],
  ['DDRA', 'direction of port A, 1 = output'],
  ['DDRB', 'direction of port B, 1 = output'],
  ['TALO', 'timer A, low byte'],
  ['TAHI', 'timer A, high byte'],
  ['TBLO', 'timer B, low byte'],
  ['TBHI', 'timer B, high byte'],
  ['TOD10', 'time of day: tenths of a second'],
  ['TODSEC', 'time of day: seconds'],
  ['TODMIN', 'time of day: minutes'],
  ['TODHR', 'time of day: hours'],
  ['SDR', 'serial data'],
  ['ICR', 'interrupts: reads those that have come, writes those that are wanted'],
  ['CRA', 'control of timer A'],
  ['CRB', 'control of timer B'],
]);

/** $9110-$911F and $9120-$912F of a VIC-20, $1800 and $1C00 of a drive. */
export const viaRegisters = named([
  ['ORB', 'port B'],
  ['ORA', 'port A, with handshake'],
  ['DDRB', 'direction of port B, 1 = output'],
  ['DDRA', 'direction of port A, 1 = output'],
  ['T1CL', 'timer 1, low byte'],
  ['T1CH', 'timer 1, high byte'],
  ['T1LL', 'latch of timer 1, low byte'],
  ['T1LH', 'latch of timer 1, high byte'],
  ['T2CL', 'timer 2, low byte'],
  ['T2CH', 'timer 2, high byte'],
  ['SR', 'shift register'],
  ['ACR', 'timer modes, shift mode, port latches'],
  ['PCR', 'modes of CA1, CA2, CB1, CB2'],
  ['IFR', 'interrupts that have come'],
  ['IER', 'interrupts that are wanted'],
  ['ORANH', 'port A, without handshake'],
]);

/** $9000-$900F of a VIC-20. */
export const vic1Registers = named([
  ['HORIGIN', 'interlace, left edge of the picture'],
  ['VORIGIN', 'top edge of the picture'],
  ['COLUMNS', 'address bit 9 of the screen, columns'],
  ['ROWS', 'raster bit 0, rows, characters of 16 lines'],
  ['RASTER', 'raster line, high 8 bits'],
  ['MEMORY', 'addresses of screen and characters'],
  ['LPENX', 'light pen X'],
  ['LPENY', 'light pen Y'],
  ['POTX', 'paddle X'],
  ['POTY', 'paddle Y'],
  ['BASS', 'bass: on, pitch'],
  ['ALTO', 'alto: on, pitch'],
  ['SOPRANO', 'soprano: on, pitch'],
  ['NOISE', 'noise: on, pitch'],
  ['AUXVOL', 'auxiliary colour, volume'],
  ['COLORS', 'background, reverse, border'],
]);

/** $FF00-$FF1F of a Plus/4 or C16. */
export const aciaRegisters = named([
  ['DATA', 'a byte that has come, or one to send'],
  ['STATUS', 'status; a write resets'],
  ['COMMAND', 'command'],
  ['CONTROL', 'rate, bits, stop bits'],
]);

/** Of a WD1770 or WD1772 in a drive. */
export const controllerRegisters = named([
  ['STATUS', 'status; written: a command'],
  ['TRACK', 'track'],
  ['SECTOR', 'sector'],
  ['DATA', 'a byte that was read, or one to write'],
]);

export const tedRegisters = named([
  ['T1LO', 'timer 1, low 8 bits; written: what it starts from'],
  ['T1HI', 'timer 1, high 8 bits; written: what it starts from, and starts'],
  ['T2LO', 'timer 2, low 8 bits'],
  ['T2HI', 'timer 2, high 8 bits'],
  ['T3LO', 'timer 3, low 8 bits'],
  ['T3HI', 'timer 3, high 8 bits'],
  ['SCROLY', 'extended colour, bitmap, display on, 25 rows, Y scroll'],
  ['SCROLX', '256 characters, NTSC, frozen, multicolour, 40 columns, X scroll'],
  ['KEYS', 'keyboard and joysticks: a write takes them, a read tells them'],
  ['IRQFLAG', 'interrupts that have come; writing a bit clears it'],
  ['IRQMASK', 'interrupts that are wanted, bit 8 of the raster interrupt'],
  ['RASTERIRQ', 'raster line of the interrupt, low 8 bits'],
  ['CURSORHI', 'place of the cursor, high 2 bits'],
  ['CURSORLO', 'place of the cursor, low 8 bits'],
  ['SND1LO', 'pitch of voice 1, low 8 bits'],
  ['SND2LO', 'pitch of voice 2, low 8 bits'],
  ['SND2HI', 'pitch of voice 2, high 2 bits'],
  ['SNDCTL', 'levels instead of tones, noise, voices on, volume'],
  ['BITMAP', 'address of the bitmap, graphics from ROM, pitch of voice 1, high 2 bits'],
  ['CHARS', 'address of the characters, single clock, whether ROM is seen'],
  ['VIDEO', 'address of colours and screen'],
  ['BGCOL0', 'background colour 0'],
  ['BGCOL1', 'background colour 1'],
  ['BGCOL2', 'background colour 2'],
  ['BGCOL3', 'background colour 3'],
  ['EXTCOL', 'colour of the border'],
  ['CHARHI', 'place of the character that is fetched, high 2 bits'],
  ['CHARLO', 'place of the character that is fetched, low 8 bits'],
  ['RASTERHI', 'raster line, bit 8'],
  ['RASTERLO', 'raster line, low 8 bits'],
  ['HPOS', 'place in the line, half of it'],
  ['FLASH', 'blinking of the cursor, line of the character'],
]);
