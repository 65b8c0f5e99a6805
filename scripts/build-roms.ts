/**
 * Assembles the C64's ROMs from the sources in `src/machines/commodore/roms` and writes `c64-roms.generated.ts`. With `--check`
 * it only fails when that file is stale.
 *
 * A source is a row of blocks, each under a line `;; name`. Blocks that set `*=` stand at published addresses; the others are put
 * wherever there is room between them, so that adding code never means moving addresses by hand. Blocks reach each other
 * only by name, never by falling through.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { assemble } from '../src/machines/commodore/assembler/assemble.ts';
import type { AssemblyResult } from '../src/machines/commodore/assembler/assembly.ts';
import { characterSet } from '../src/machines/commodore/roms/character-set.ts';

const folder = 'src/machines/commodore/roms';
const target = `${folder}/c64-roms.generated.ts`;

interface Area {
  readonly start: number;
  readonly end: number;
}

interface Block {
  readonly file: string;
  readonly name: string;
  readonly text: string;
  /** The areas it may lie in, best first; none for a block that names its own place. */
  readonly areas: readonly Area[];
}

const basicArea: Area = { start: 0xa000, end: 0xc000 };
const kernalArea: Area = { start: 0xe000, end: 0x10000 };
const sources: readonly { file: string; areas: readonly Area[] }[] = [
  ...['system', 'editor', 'keyboard', 'files', 'serial', 'tape'].map((part) => ({
    file: `kernal-${part}.asm`,
    areas: [kernalArea],
  })),
  ...[
    'start',
    'entries',
    'lines',
    'statements',
    'input',
    'variables',
    'strings',
    'expressions',
    'floats',
    'numbers',
    'functions',
    'files',
  ].map((part) => ({ file: `basic-${part}.asm`, areas: [basicArea, kernalArea] })),
];

const equates = readFileSync(`${folder}/equates.asm`, 'utf8');
const blocks = sources.flatMap(({ file, areas }) => blocksOf(file, areas));
const sizes = measure();
const origins = place();
const built = build(blocks.map((block) => placed(block, origins.get(block))));
const roms = {
  basic: imageOf(built, basicArea),
  kernal: imageOf(built, kernalArea),
  chargen: characterSet(),
};

const text = generated();
if (process.argv.includes('--check')) {
  if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
    console.error(`${target} is stale: run npx tsx scripts/build-roms.ts`);
    process.exitCode = 1;
  }
} else {
  writeFileSync(target, text);
  const free = (area: Area) => gaps(area).reduce((sum, gap) => sum + gap.end - gap.start, 0);
  const used = (area: Area) =>
    blocks
      .filter((block) => block.areas.length > 0 && within(origins.get(block) ?? 0, area))
      .reduce((sum, block) => sum + (sizes.get(block) ?? 0), 0);
  for (const [name, area] of [
    ['basic', basicArea],
    ['kernal', kernalArea],
  ] as const) {
    console.log(`${name}: ${free(area) - used(area)} of ${area.end - area.start} bytes are free`);
  }
}

function blocksOf(file: string, areas: readonly Area[]): Block[] {
  const source = readFileSync(`${folder}/${file}`, 'utf8');
  return source
    .split(/^(?=;; )/m)
    .filter((part) => part.startsWith(';; '))
    .map((part) => {
      const name = /^;; (.*)/.exec(part)?.[1] ?? '';
      const isFixed = /^(;.*\n)*\*=/.test(part);
      if (!isFixed && /^\*=/m.test(part)) throw new Error(`${file}: ${name} must set its address before anything else`);
      return { file, name, text: part, areas: isFixed ? [] : areas };
    });
}

function build(parts: readonly string[]): AssemblyResult {
  const result = assemble([equates, ...parts].join('\n'), { encoding: 'petscii_upper', fileName: 'c64-roms.asm' });
  if (result.errors.length > 0) {
    for (const { line, message, text: source } of result.errors) console.error(`${line}: ${message}: ${source.trim()}`);
    process.exit(1);
  }
  return result;
}

function placed(block: Block, origin: number | undefined): string {
  return origin === undefined ? block.text : `*= ${origin}\n${block.text}`;
}

/** The size of a block does not depend on its place: nothing lies in page zero but cells. */
function measure(): Map<Block, number> {
  const loose = blocks.filter(({ areas }) => areas.length > 0);
  const fixed = blocks.filter(({ areas }) => areas.length === 0);
  const marked = loose.map((block, index) => `begin__${index}:\n${block.text}\nend__${index}:`);
  const { symbols } = build([...fixed.map(({ text: source }) => source), '*= $1000', ...marked]);
  const at = (name: string) => symbols.get(name)?.value ?? 0;
  return new Map(loose.map((block, index) => [block, at(`end__${index}`) - at(`begin__${index}`)]));
}

/** What the blocks with places of their own leave of an area. */
function gaps(area: Area): { start: number; end: number }[] {
  const fixed = build([
    ...blocks.filter(({ areas }) => areas.length === 0).map(({ text: source }) => source),
    '*= $1000',
    ...blocks.filter(({ areas }) => areas.length > 0).map(({ text: source }) => source),
  ]);
  const taken = fixed.segments
    .map(({ address, bytes }) => ({ start: address, end: address + bytes.length }))
    .filter(({ start }) => within(start, area))
    .sort((a, b) => a.start - b.start);
  const free: { start: number; end: number }[] = [];
  let at = area.start;
  for (const { start, end } of taken) {
    if (start < at) throw new Error(`two blocks overlap at $${start.toString(16)}`);
    if (start > at) free.push({ start: at, end: start });
    at = end;
  }
  if (at < area.end) free.push({ start: at, end: area.end });
  return free;
}

function within(address: number, area: Area): boolean {
  return address >= area.start && address < area.end;
}

/** Biggest first, each into the smallest gap that holds it. */
function place(): Map<Block, number> {
  const free = new Map([basicArea, kernalArea].map((area) => [area, gaps(area)]));
  const result = new Map<Block, number>();
  for (const [block, size] of [...sizes].sort((a, b) => b[1] - a[1])) {
    const gap = block.areas
      .map(
        (area) =>
          free
            .get(area)
            ?.filter(({ start, end }) => end - start >= size)
            .sort((a, b) => a.end - a.start - (b.end - b.start))[0],
      )
      .find((found) => found !== undefined);
    if (!gap) throw new Error(`no room for ${block.file}: ${block.name} (${size} bytes)`);
    result.set(block, gap.start);
    gap.start += size;
  }
  return result;
}

function imageOf(result: AssemblyResult, area: Area): Uint8Array {
  const image = new Uint8Array(area.end - area.start);
  for (const { address, bytes } of result.segments) {
    if (within(address, area)) image.set(bytes, address - area.start);
  }
  return image;
}

function generated(): string {
  const base64 = (bytes: Uint8Array) => {
    const lines =
      Buffer.from(bytes)
        .toString('base64')
        .match(/.{1,120}/g) ?? [];
    return lines.map((line) => `  '${line}'`).join(' +\n');
  };
  const labels = [...built.symbols.values()]
    .filter(({ kind, name }) => kind === 'label' && /^[a-z_0-9]+$/.test(name))
    .sort((a, b) => a.value - b.value || (a.name < b.name ? -1 : 1))
    .map(({ name, value }) => `  ${name}: 0x${value.toString(16)},`);
  return `// Generated by scripts/build-roms.ts from the sources beside this file. Do not edit.

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** Our own ROMs: BASIC for $A000, KERNAL for $E000, the character set. */
export const c64Roms = {
  basic: bytesOf(
${indented(base64(roms.basic))},
  ),
  kernal: bytesOf(
${indented(base64(roms.kernal))},
  ),
  chargen: bytesOf(
${indented(base64(roms.chargen))},
  ),
} as const;

/** Where the routines of these ROMs lie. */
export const c64RomSymbols: Readonly<Record<string, number>> = {
${labels.join('\n')}
};
`;
}

function indented(lines: string): string {
  return lines.replace(/^/gm, '  ');
}
