import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Desk } from './desk.ts';

let desk: Desk;
let folder: string;
beforeAll(async () => {
  desk = await Desk.withC64();
  folder = mkdtempSync(join(tmpdir(), 'fp-c64-'));
});
afterAll(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('symbols_load', () => {
  test('names from a file work as addresses, moved by an offset', async () => {
    const path = file('game.lbl', 'al C:c000 .start\nal C:c010 .loop\n');
    expect(await desk.call('symbols_load', { path, offset: '$100' })).toMatch(/^2 symbols from .*\(vice\)/);
    expect((await desk.data('memory_read', { address: 'loop', length: 1 })).address).toBe(0xc110);
    expect(await desk.call('symbols_load', { path, offset: '-0x10' })).toContain(
      '2 names moved: start from $C100, loop from $C110',
    );
    expect((await desk.data('memory_read', { address: 'loop+1', length: 1 })).address).toBe(0xc001);
  });

  test('files that are none say what would be one', async () => {
    expect(await desk.call('symbols_load', { path: file('readme.txt', 'hello\n') })).toMatch(
      /No symbols were found.*\nFix: Give a VICE label file/,
    );
    expect(await desk.call('symbols_load', { path: file('a.json', '{"a":1}') })).toMatch(
      /the JSON is neither a symbol file of ours/,
    );
    expect(await desk.call('symbols_load', { path: file('b.lbl', 'al c000 .a\n'), offset: 'x' })).toMatch(
      /not an offset/,
    );
  });
});

describe('chip_read', () => {
  test('without a chip it lists them', async () => {
    const text = await desk.call('chip_read');
    expect(text).toMatch(/^vic2: .*\n {2}registers: /m);
    expect(text).toMatch(/sprite 0-7/);
    expect(text).toMatch(/^cia2: /m);
  });

  test('a sprite: place, flags and pixels', async () => {
    await desk.call('memory_write', { address: '$07fb', bytes: '0d', space: 'ram' });
    await desk.call('memory_write', { address: '$0340', bytes: `ff0001${'00'.repeat(60)}`, space: 'ram' });
    await desk.call('memory_write', { address: '$d006', bytes: '40 64', space: 'io' });
    await desk.call('memory_write', { address: '$d010', bytes: '08', space: 'io' });
    await desk.call('memory_write', { address: '$d015', bytes: '08', space: 'io' });
    await desk.call('memory_write', { address: '$d02a', bytes: '07', space: 'io' });
    const text = await desk.call('chip_read', { chip: 'vic2', part: 'sprite', index: 3, as: 'ascii' });
    expect(text).toContain('x: 320');
    expect(text).toContain('y: 100');
    expect(text).toContain('data: $0340');
    expect(text).toContain(`\n77777777${'.'.repeat(15)}7\n${'.'.repeat(24)}\n`);
    await desk.call('memory_write', { address: '$d01c', bytes: '08', space: 'io' });
    await desk.call('memory_write', { address: '$d025', bytes: '02 05', space: 'io' });
    await desk.call('memory_write', { address: '$0340', bytes: '1b', space: 'ram' });
    const coloured = await desk.call('chip_read', { chip: 'vic2', part: 'sprite', index: 3, as: 'ascii' });
    expect(coloured).toContain('\n..227755');
  });

  test('characters wherever the VIC-II sees them', async () => {
    const data = await desk.data('chip_read', { chip: 'vic2', part: 'character', index: 0x20, as: 'ascii' });
    expect(data.ascii).toEqual(new Array(8).fill('........'));
    const outcome = await desk.outcome('chip_read', { chip: 'vic2', part: 'charset', as: 'image' });
    expect(outcome.type === 'answer' && outcome.answer.images?.[0]?.mimeType).toBe('image/png');
  });

  test('registers decoded: video, sound, interfaces', async () => {
    expect(await desk.call('chip_read', { chip: 'vic2' })).toMatch(/mode: standard text\n.*\n.*40 columns, 25 rows/);
    await desk.call('memory_write', { address: '$d400', bytes: '25 11 00 08 41 09 f0', space: 'io' });
    await desk.call('memory_write', { address: '$d418', bytes: '1f', space: 'io' });
    const voice = await desk.call('chip_read', { chip: 'sid', part: 'voice' });
    expect(voice).toMatch(/frequency: 4389 \(257\.7 Hz, about C4\)/);
    expect(voice).toMatch(/waveform: pulse/);
    expect(voice).toMatch(/pulse_width: 2048 \(50\.0 %\)/);
    expect(await desk.call('chip_read', { chip: 'sid' })).toMatch(/volume: 15\nfilter: low-pass/);
    expect(await desk.call('chip_read', { chip: 'cia1', part: 'timer' })).toMatch(/timer: A\nruns: yes/);
    expect(await desk.call('chip_read', { chip: 'cia1' })).toMatch(/enabled: timer A/);
  });

  test('what does not exist is answered with what does', async () => {
    expect(await desk.call('chip_read', { chip: 'ted' })).toMatch(/Chips: vic2, sid, cia1, cia2/);
    expect(await desk.call('chip_read', { chip: 'sid', part: 'sprite' })).toMatch(/Parts: registers, voice/);
    expect(await desk.call('chip_read', { chip: 'vic2', part: 'sprite', index: 8 })).toMatch(/from 0 to 7/);
    expect(await desk.call('chip_read', { chip: 'cia1', as: 'image' })).toMatch(/has no picture/);
  });
});

describe('cycles_read', () => {
  const source = `* = $c000
start   sei
loop    ldx #10
inner   dex
        bne inner
done    jmp loop
`;

  test('between two addresses: every cycle counts', async () => {
    await desk.call('program_run', { source });
    // 2 for LDX, then 10 times DEX, 9 branches taken and one not.
    await desk.call('memory_write', { address: '$d011', bytes: '0b', space: 'io' });
    await desk.call('memory_write', { address: '$d015', bytes: '00', space: 'io' });
    await desk.call('run', { frames: 2 });
    expect((await desk.data('cycles_read', { from: 'loop', to: 'done' })).measured).toBe(2 + 10 * 2 + 9 * 3 + 2);
    expect(await desk.call('cycles_read', { to: '$c0ff', timeout_ms: 50 })).toMatch(/\$c0ff was not reached/);
  });

  test('the stopwatch', async () => {
    expect(await desk.call('cycles_read', {})).toBe('no mark is set');
    await desk.call('cycles_read', { mark: true });
    await desk.call('step', { count: 1 });
    const { since } = await desk.data('cycles_read', {});
    expect(Number(since)).toBeGreaterThanOrEqual(2);
    expect(Number(since)).toBeLessThanOrEqual(3);
    await desk.call('step', { count: 2, back: true });
    expect(await desk.call('cycles_read', {})).toBe('no mark is set');
  });

  test('interrupts with their moment and their source', async () => {
    await desk.call('program_run', {
      source: `* = $c000
        sei
        lda #$7f
        sta $dc0d
        lda $dc0d
        lda #<handler
        sta $0314
        lda #>handler
        sta $0315
        lda #100
        sta $d012
        lda #$1b
        sta $d011
        lda #1
        sta $d01a
        cli
forever jmp forever
handler inc $d019
        jmp $ea81
`,
    });
    await desk.call('run', { frames: 2 });
    await desk.call('cycles_read', { interrupts: 'on' });
    await desk.call('run', { frames: 3 });
    const text = await desk.call('cycles_read', { interrupts: 'off' });
    expect(text).toMatch(/interrupt log off: 3 so far/);
    expect(text.match(/irq line 100, cycle \d+: vic2 raster; at \$C0\w\w forever/g)).toHaveLength(3);
    await desk.call('run', { frames: 2 });
    expect(await desk.call('cycles_read')).toMatch(/3 so far/);
  });
});

describe('audio_capture', () => {
  test('a tone: its length, its pitch, as a file and in the answer', async () => {
    await desk.call('machine_reset');
    await desk.call('run', { frames: 100 });
    const silence = await desk.data('audio_capture', { frames: 10, path: join(folder, 'silence.wav') });
    expect(silence.hertz).toBe(0);
    // Gate, triangle, 440 Hz.
    await desk.call('memory_write', { address: '$d400', bytes: '45 1d 00 00 11 00 f0', space: 'io' });
    await desk.call('memory_write', { address: '$d418', bytes: '0f', space: 'io' });
    const path = join(folder, 'tone.wav');
    await desk.call('run', { frames: 5 });
    const { seconds, hertz, rms, amplitude } = await desk.data('audio_capture', { frames: 50, path });
    expect(seconds).toBeCloseTo(50 / 50.12, 2);
    const exact = (0x1d45 * 985_248) / 2 ** 24;
    expect(Math.abs(Number(hertz) - exact)).toBeLessThan(0.5);
    expect(rms).toBeGreaterThan(0.01);
    // Where in a wave the capture begins leaves a step that the output stage takes a tenth of a second to lose.
    expect(Number(amplitude) / Number(rms)).toBeGreaterThan(1.6);
    const wav = readFileSync(path);
    expect([wav.toString('latin1', 0, 4), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual(['RIFF', 44_100, 16]);
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
    const outcome = await desk.outcome('audio_capture', { frames: 2 });
    expect(outcome.type === 'answer' && outcome.answer.images?.[0]?.mimeType).toBe('audio/wav');
    const drawn = await desk.outcome('audio_capture', { frames: 2, spectrogram: true });
    const picture = drawn.type === 'answer' ? drawn.answer.images?.[1] : undefined;
    expect(picture?.mimeType).toBe('image/png');
    expect(Buffer.from(picture?.base64 ?? '', 'base64').readUInt32BE(16)).toBe(556);
    expect(await desk.call('audio_capture', { frames: 600 })).toMatch(/too much for an answer/);
    const { time } = await desk.data('state_read');
    expect(await desk.call('audio_capture', { frames: 2, path })).toMatch(/exists already/);
    expect((await desk.data('state_read')).time).toBe(time);
  });
});
