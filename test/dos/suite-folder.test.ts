import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runFolder } from '../../scripts/dos/any-programs.ts';
import { assemble } from '../../src/machines/dos/assembler/assemble.ts';

const three = 'mov ax,4c03h\nint 21h';
const picture = 'mov ax,13h\nint 10h\nagain: jmp again';
/** A second fault inside the handler of the first, and no handler for that: the processor shuts down. */
const shutdown = 'lidt [none]\nint 3\nnone: dw 0,0,0';
/** Wants more memory than there is. */
const tooLarge = [0x5a4d, 64, 1, 0, 2, 0xffff, 0xffff, 0, 0, 0, 0, 0, 0x1c, 0, 0, 0];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fp-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(name: string, source: string): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), assemble(source).bytes);
}

async function run(wanted: Partial<Parameters<typeof runFolder>[1]> = {}) {
  const lines: string[] = [];
  const isGood = await runFolder(folder, { filter: '', frames: 50, ...wanted }, (line) => lines.push(line));
  return { isGood, lines: lines.map((line) => line.replace(/ · \d+ frames a CPU-second/, ' · speed').trim()) };
}

test('every program of a folder is started, and what became of it told', async () => {
  put('THREE.COM', three);
  put('SUB/PICTURE.COM', picture);
  writeFileSync(join(folder, 'BATCH.BAT'), 'THREE\r\n');
  writeFileSync(join(folder, 'source.asm'), 'mov ah,0\nint 16h\nmov ax,4c07h\nint 21h');
  writeFileSync(join(folder, 'readme.txt'), 'no program');
  const pictures = join(folder, 'pictures');
  const { isGood, lines } = await run({ pictures });
  expect(lines).toEqual([
    'ok   BATCH.BAT: ended with exit code 3 · speed',
    'ok   SUB/PICTURE.COM: runs, a picture of 320x200 · speed',
    'ok   THREE.COM: ended with exit code 3 · speed',
    'ok   source.asm: ended with exit code 7 · speed',
    '3 ended, 1 run, 0 refused, 0 in an error, 0 otherwise than before',
  ]);
  expect(isGood).toBe(true);
  expect(readdirSync(pictures)).toContain('SUB_PICTURE.COM-1.png');
  expect(readFileSync(join(pictures, 'THREE.COM-1.png')).subarray(1, 4).toString()).toBe('PNG');
});

test('what is refused and what ends in an error are failures, each with its reason', async () => {
  writeFileSync(join(folder, 'LARGE.EXE'), Buffer.from(new Uint16Array([...tooLarge, ...tooLarge]).buffer));
  put('SHUTDOWN.COM', shutdown);
  put('THREE.COM', three);
  writeFileSync(join(folder, 'wrong.asm'), 'nop\nfoo bar');
  const { isGood, lines } = await run();
  expect(lines).toEqual([
    expect.stringMatching(/^FAIL LARGE\.EXE: refused: .*did not start/),
    expect.stringMatching(/^FAIL SHUTDOWN\.COM: ERROR: ./),
    'ok   THREE.COM: ended with exit code 3 · speed',
    'FAIL wrong.asm: refused: line 2: foo is not an instruction or directive known here.',
    '1 ended, 0 run, 2 refused, 1 in an error, 0 otherwise than before',
  ]);
  expect(isGood).toBe(false);
});

test('what was seen is kept, and a difference is a failure', async () => {
  put('THREE.COM', three);
  const save = join(folder, 'seen.json');
  await run({ save });
  expect((await run({ against: save })).isGood).toBe(true);
  put('THREE.COM', three.replace('03h', '04h'));
  const { isGood, lines } = await run({ against: save });
  expect(lines[0]).toContain('end: ended with exit code 3 before, ended with exit code 4 now');
  expect(isGood).toBe(false);
});
