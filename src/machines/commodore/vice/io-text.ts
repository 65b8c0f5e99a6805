/** What the text monitor's `io` says of chips and no register does. */

/** The line that the VIC-II's interrupt waits for: `Raster cycle/line: 3/0 IRQ: 0`. */
export function parseRasterIrq(text: string): number {
  return Number(/\bIRQ: (\d+)/.exec(text)?.[1] ?? 0);
}

/** The words of a CIA's state, from its registers and what the monitor adds: latches, enabled interrupts, the alarm. */
export function parseCia(text: string, registers: Uint8Array) {
  const hex = (pattern: RegExp) => Number.parseInt(pattern.exec(text)?.[1] ?? '0', 16);
  const at = (index: number) => registers[index] ?? 0;
  const word = (index: number) => at(index) | (at(index + 1) << 8);
  const flags = hex(/ICR: ([0-9a-f]+)/i);
  const mask = hex(/written: ([0-9a-f]+)/i) & 31;
  const alarm = /TOD Alarm: +(\d+):(\d+):(\d+)\.(\d) \((am|pm)\)/i.exec(text);
  const part = (index: number) => Number.parseInt(alarm?.[index] ?? '0', 16);
  const [ddrA, ddrB] = [at(2), at(3)];
  return {
    irq: Number((flags & mask) !== 0),
    pra: hex(/Port A: ([0-9a-f]+)/i),
    prb: hex(/Port B: ([0-9a-f]+)/i),
    paDdr: ddrA,
    pbDdr: ddrB,
    paOut: (at(0) | ~ddrA) & 255,
    pbOut: (at(1) | ~ddrB) & 255,
    paIn: at(0),
    pbIn: at(1),
    cra: at(14),
    crb: at(15),
    counterA: word(4),
    counterB: word(6),
    latchA: hex(/Timer A: [0-9a-f]+ \(latched ([0-9a-f]+)/i),
    latchB: hex(/Timer B: [0-9a-f]+ \(latched ([0-9a-f]+)/i),
    flags,
    mask,
    todTenths: at(8),
    todSeconds: at(9),
    todMinutes: at(10),
    todHours: at(11),
    alarmHours: part(1) | (alarm?.[5]?.toLowerCase() === 'pm' ? 0x80 : 0),
    alarmMinutes: part(2),
    alarmSeconds: part(3),
    alarmTenths: part(4),
    todStopped: Number(/TOD IRQ: [^\n]*running: no/i.test(text)),
  } as const;
}
