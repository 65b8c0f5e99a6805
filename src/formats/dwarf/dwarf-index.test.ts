import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ElfFile } from '../elf/elf.ts';
import { pauses } from '../elf/pause.ts';
import { rangesOf } from './address-ranges.ts';
import { DwarfIndex } from './dwarf-index.ts';
import { dwarfSections } from './dwarf-sections.ts';
import { type DwarfType, TypeReader } from './dwarf-types.ts';
import { variablesAt } from './scope.ts';

const program = `
struct node { int value; struct node *next; struct node *table[3]; };
typedef struct node *link;
struct node first;
int walk(link at) { int sum = 0; { int inner = 1; sum = inner; } return sum + at->value; }
int main(void) { return walk(&first); }
`;

function compiled(version: number): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'fp-dwarf-'));
  try {
    const [source, object] = [join(folder, 'a.c'), join(folder, 'a.elf')];
    writeFileSync(source, program);
    const options = [`-gdwarf-${version}`, '-O0', '-nostdlib', '-static', '-Wl,-e,main'];
    execFileSync('x86_64-linux-gnu-gcc', [...options, '-o', object, source], { stdio: 'pipe' });
    return readFileSync(object);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Looks at everything that there is to see. */
async function examined(bytes: Uint8Array): Promise<string[]> {
  const sections = await dwarfSections(new ElfFile(bytes));
  if (!sections) return [];
  const index = await DwarfIndex.read(sections, pauses());
  const reader = new TypeReader(
    (offset) => index.entry(offset),
    (name) => index.type(name),
  );
  const seen: string[] = [];
  const follow = (type: DwarfType, depth: number) => {
    seen.push(type.name);
    if (depth > 3) return;
    if (type.kind === 'pointer') follow(type.target, depth + 1);
    if (type.kind === 'array') follow(type.element, depth + 1);
    if (type.kind === 'structure') for (const member of type.members.slice(0, 20)) follow(member.type, depth + 1);
  };
  for (const name of ['first']) {
    const entry = index.variable(name);
    if (entry) follow(reader.of(entry), 0);
  }
  for (let address = 0x400000n; address < 0x402000n; address += 4n) {
    const around = index.functionAt(address);
    if (around && rangesOf(around).length > 0)
      seen.push(...variablesAt(index, around, address).map(({ name }) => name));
  }
  return seen;
}

test.for([2, 3, 4, 5])('DWARF %i tells types, functions and scopes', async (version) => {
  const seen = await examined(compiled(version));
  expect(seen.slice(0, 3)).toEqual(['struct node', 'int', 'struct node *']);
  for (const name of ['at', 'sum', 'inner']) expect(seen).toContain(name);
});

test('broken information ends in RangeErrors or less, and never hangs', { timeout: 60_000 }, async () => {
  const good = compiled(5);
  let state = 12345;
  const random = (most: number) => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return state % most;
  };
  const elf = new ElfFile(good);
  const places = elf.sections.filter(({ name }) => name.startsWith('.debug'));
  for (let round = 0; round < 300; round++) {
    const bytes = Uint8Array.from(good);
    for (let n = 0; n < 4; n++) {
      const section = places[random(places.length)];
      if (section && section.size > 0) bytes[section.offset + random(section.size)] = random(256);
    }
    await examined(bytes).catch((error: unknown) => expect(error).toBeInstanceOf(RangeError));
  }
});
