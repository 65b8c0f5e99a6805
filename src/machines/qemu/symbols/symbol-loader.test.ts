import zlib, { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Bytes, buildElf, buildLines, type ElfShape } from '../../../formats/elf/elf-testing.ts';
import { MachineError } from '../../../machine/errors.ts';
import { parseAddress } from '../../../tools/debug/parse-address.ts';
import { QemuSymbols } from './qemu-symbols.ts';
import { SymbolLoader } from './symbol-loader.ts';

async function load(bytes: Uint8Array, offset = 0n) {
  const symbols = new QemuSymbols();
  const loader = new SymbolLoader(symbols);
  const loaded = await loader.load({ name: 'x', bytes }, offset);
  await loader.linesRead;
  return { symbols, loaded };
}

const shapes: readonly (ElfShape & { readonly name: string })[] = [
  { name: '64 bits, little', wide: true, little: true },
  { name: '64 bits, big', wide: true, little: false },
  { name: '32 bits, little', wide: false, little: true },
  { name: '32 bits, big', wide: false, little: false },
];

describe.for(shapes)('ELF with $name endian', (shape) => {
  const high = shape.wide ? 0xffffffff81000000n : 0xc0100000n;

  test('names functions and variables, and nothing else', async () => {
    const file = buildElf(shape, [
      { name: 'start', address: high, size: 16 },
      { name: 'value', address: high + 0x100n, size: 4, type: 1 },
      { name: 'label', address: high + 0x20n, type: 0 },
      { name: 'file.c', address: 0n, type: 4 },
      { name: 'missing', address: 0n, section: 0 },
      { name: '$x', address: high, type: 0 },
      { name: '$xrv64i2p1_m2p0_zicsr2p0', address: high, type: 0 },
      { name: '$xrv32i2p1.7', address: high + 0x20n, type: 0 },
      { name: '$d.12', address: high + 0x20n, type: 0 },
      { name: 'twice', address: high + 0x40n, size: 4 },
      { name: 'twice', address: high + 0x50n, size: 4, global: true },
      { name: 'twice', address: high + 0x60n, size: 4 },
    ]);
    const { symbols, loaded } = await load(file);
    expect(loaded).toMatchObject({ format: 'elf', added: 6 });
    expect(symbols.address('start')).toBe(high);
    expect(symbols.describe(high + 8n)).toBe('start+8');
    expect(symbols.describe(high + 16n)).toBeUndefined();
    expect(symbols.describe(high + 0x103n)).toBe('value+3');
    expect(symbols.describe(high + 0x28n)).toBe('label+8');
    expect(symbols.address('twice')).toBe(high + 0x50n);
    expect([symbols.describe(high + 0x41n), symbols.describe(high + 0x60n)]).toEqual(['twice+1', 'twice']);
    expect(symbols.describe(high - 1n)).toBeUndefined();
  });

  test.for([2, 3, 4, 5])('knows lines of source from DWARF %i', async (version) => {
    const address = high + 0x10n;
    const lines = buildLines(shape, version, address);
    const { symbols, loaded } = await load(buildElf(shape, [{ name: 'f', address }], { '.debug_line': lines }));
    const at = (offset: bigint) => symbols.lineOf(address + offset);
    expect(loaded.notes).toEqual(['lines of 1 source file']);
    expect([at(0n), at(1n), at(2n), at(3n), at(4n), at(5n)]).toEqual([
      'src/main.c:10',
      'src/main.c:10',
      'src/main.c:11',
      'src/main.c:11',
      'src/main.c:20',
      'src/main.c:20',
    ]);
    expect([at(-1n), at(6n)]).toEqual([undefined, undefined]);
    expect(symbols.describe(address + 3n)).toBe('f+3 (src/main.c:11)');
    expect(symbols.describe(address, 0n)).toBe('f');
  });

  test('is moved by an offset, names and lines alike', async () => {
    const lines = buildLines(shape, 4, 0x1000n);
    const file = buildElf(shape, [{ name: 'f', address: 0x1000n, size: 8 }], { '.debug_line': lines });
    const { symbols } = await load(file, 0x4000n);
    expect(symbols.describe(0x5002n)).toBe('f+2 (src/main.c:11)');
  });
});

describe('lines that are packed', () => {
  const shape = { wide: true, little: true };
  const plain = buildLines(shape, 4, 0x1000n);
  const file = (type: number, packed: Uint8Array) => {
    const content = new Bytes(true).put(type, 4).put(0, 4).put(plain.length, 8).put(1, 8).raw(packed).bytes;
    return buildElf(shape, [{ name: 'f', address: 0x1000n, size: 8 }], { '.debug_line': content }, 0x800);
  };

  test('with zlib are unpacked', async () => {
    const { symbols } = await load(file(1, deflateSync(plain)));
    expect(symbols.lineOf(0x1002n)).toBe('src/main.c:11');
  });

  test('with zstd are unpacked where Node can, else the section and the way out are named', async () => {
    // A frame of one block that is stored as it is.
    const frame = new Bytes(true).put(0xfd2fb528, 4).put(0x20, 1).put(plain.length, 1);
    frame.put((plain.length << 3) | 1, 3).raw(plain);
    const { symbols, loaded } = await load(file(2, frame.bytes));
    expect(symbols.address('f'), 'the names do not depend on it').toBe(0x1000n);
    if (Reflect.has(zlib, 'zstdDecompress')) expect(symbols.lineOf(0x1002n)).toBe('src/main.c:11');
    else expect(loaded.notes.join(' ')).toMatch(/section \.debug_line is packed with zstd.*22\.15.*objcopy/);
  });

  test('with anything else are named', async () => {
    const { loaded } = await load(file(77, plain));
    expect(loaded.notes.join(' ')).toContain('packed in a way that is not known (77)');
  });
});

describe('names of C++ and Rust', () => {
  const places = {
    _ZNK4uart4Port4readEv: 0x100n,
    _ZN4uart4Port5writeEc: 0x200n,
    _ZN4uart4Port5writeEPKcm: 0x300n,
    _ZN4uart4PortC1Ei: 0x400n,
    _ZN4uart4PortC2Ei: 0x400n,
    _RNvXNtCsekZIssdfibn_5hello4uartINtB2_4PortKj10_ENtB2_4Read4readB4_: 0x500n,
    '_ZNK4uart4Port4readEv.cold': 0x600n,
  };
  const file = buildElf(
    { wide: true, little: true },
    Object.entries(places).map(([name, address]) => ({ name, address, size: 0x100 })),
  );
  const addresses = async () => {
    const { symbols } = await load(file);
    return { format: String, symbols };
  };

  test('are shown as they are written in source', async () => {
    const { symbols } = await addresses();
    expect(symbols.describe(0x104n)).toBe('uart::Port::read() const+4');
    expect(symbols.describe(0x500n)).toBe('<hello::uart::Port<16> as hello::uart::Read>::read');
    expect(symbols.describe(0x600n)).toBe('uart::Port::read() const [clone .cold]');
  });

  test('are found mangled, with parameters, without them, and with offsets', async () => {
    const all = await addresses();
    for (const text of [
      '_ZNK4uart4Port4readEv',
      'uart::Port::read() const',
      'uart::Port::read()const',
      'uart::Port::read',
    ])
      expect(parseAddress(text, all), text).toBe(0x100n);
    expect(parseAddress('uart::Port::read() const + 8', all)).toBe(0x108n);
    expect(parseAddress('uart::Port::write(char)', all)).toBe(0x200n);
    expect(parseAddress('uart::Port::Port', all), 'two of one address are one').toBe(0x400n);
    expect(parseAddress('<hello::uart::Port<16> as hello::uart::Read>::read', all)).toBe(0x500n);
    expect(() => parseAddress('uart::Port::nothing', all)).toThrow('neither an address nor a known symbol');
  });

  test('that several functions have are refused with their signatures', async () => {
    const all = await addresses();
    const refusal = { fix: expect.stringMatching(/write\(char\) \| uart::Port::write\(char const\*, unsigned long\)/) };
    expect(() => parseAddress('uart::Port::write', all)).toThrow(expect.objectContaining(refusal));
  });
});

test('the lowest bit of ARM functions is not part of their address', async () => {
  const { symbols } = await load(
    buildElf({ wide: false, little: true, machine: 40 }, [
      { name: 'thumb', address: 0x8001n, size: 4 },
      { name: 'odd', address: 0x9001n, size: 4, type: 1 },
    ]),
  );
  expect([symbols.address('thumb'), symbols.address('odd')]).toEqual([0x8000n, 0x9001n]);
});

test('names cannot carry escape sequences to a terminal', async () => {
  const { symbols } = await load(buildElf({ wide: true, little: true }, [{ name: 'a\x1b[2Jb', address: 16n }]));
  expect(symbols.describe(16n)).toBe('a?[2Jb');
});

describe('lists of symbols', () => {
  const text = [
    'ffffffff81000000 T _text',
    'ffffffff81000040 t start_kernel',
    'ffffffff81000040 A absolute',
    'ffffffffc0000000 t helper\t[module]',
    'nonsense',
    '                 U elsewhere',
    'ffffffff82000000 D jiffies',
  ].join('\n');

  test('of a kernel', async () => {
    const { symbols, loaded } = await load(Buffer.from(text));
    expect(loaded).toMatchObject({ format: 'kallsyms', added: 4 });
    expect(symbols.describe(0xffffffff81000048n)).toBe('start_kernel+8');
    expect(symbols.address('helper')).toBe(0xffffffffc0000000n);
    expect(symbols.size).toBe(4);
  });

  test('whose addresses are hidden are refused with the way out', async () => {
    const hidden = text.replaceAll(/^f{8}[0-9a-f]{8}/gm, '0000000000000000');
    await expect(load(Buffer.from(hidden))).rejects.toMatchObject({ fix: expect.stringContaining('kptr_restrict') });
  });

  test('of a whole kernel are taken without holding others up', async () => {
    const many = Array.from(
      { length: 100_000 },
      (_, n) => `${(0xffffffff81000000n + BigInt(n) * 16n).toString(16)} t f${n}`,
    );
    let turns = 0;
    const ticker = setInterval(() => turns++, 1);
    const { symbols } = await load(Buffer.from(many.join('\n')));
    clearInterval(ticker);
    expect(symbols.describe(0xffffffff81000000n + 16n * 77_777n + 5n)).toBe('f77777+5');
    expect(turns).toBeGreaterThan(3);
  });
});

describe('hostile files', () => {
  const shape = { wide: true, little: true };
  const whole = buildElf(shape, [{ name: 'f', address: 16n }], { '.debug_line': buildLines(shape, 5, 16n) });
  const survives = async (bytes: Uint8Array) => {
    try {
      await load(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(MachineError);
    }
  };

  test('cut off anywhere', async () => {
    for (let length = 0; length < whole.length; length += 3) await survives(whole.slice(0, length));
  });

  test('with any byte changed', async () => {
    const changed = fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, value) => {
      const bytes = whole.slice();
      bytes[at] = value;
      await survives(bytes);
    });
    await fc.assert(changed, { numRuns: 400 });
  });

  test('of no known kind are refused', async () => {
    await expect(load(Buffer.from('hello'))).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
    await expect(load(new Uint8Array())).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
  });
});

describe('what a file says beside its functions', () => {
  const shape = { wide: true, little: true } as const;

  test('labels in data have names, up to the end of their section', async () => {
    const file = buildElf(
      shape,
      [
        { name: 'variable', address: 0x10n, type: 0, section: 4 },
        { name: 'bss_start', address: 0x20n, type: 0, section: 4, global: true },
        { name: 'counter', address: 0x20n, size: 4, type: 1, section: 4 },
        { name: 'end', address: 0x40n, type: 0, section: 4, global: true },
        { name: 'note', address: 0x50n, type: 0, section: 5 },
      ],
      { '.data': new Uint8Array(64), '.comment': new Uint8Array(4) },
      2,
    );
    const { symbols } = await load(file);
    expect(['variable', 'bss_start', 'counter', 'end'].map((name) => symbols.address(name))).toEqual([
      0x10n,
      0x20n,
      0x20n,
      0x40n,
    ]);
    expect([0x18n, 0x22n, 0x40n, 0x41n].map((address) => symbols.describe(address))).toEqual([
      'variable+8',
      'counter+2',
      'end',
      undefined,
    ]);
  });

  test('a module is counted from where its code is', async () => {
    const file = buildElf(shape, [
      { name: 'module_init', address: 0x10n, size: 8 },
      { name: 'elsewhere', address: 0x10n, size: 8, type: 1, section: 3 },
    ]);
    file[16] = 1;
    const { symbols, loaded } = await load(file, 0xffffffffc0000000n);
    expect(loaded).toMatchObject({ added: 1, notes: [expect.stringContaining('not linked')] });
    expect(symbols.describe(0xffffffffc0000014n)).toBe('module_init+4');
  });

  test('read again, a file that was built again takes the place of its older self', async () => {
    const symbols = new QemuSymbols();
    const loader = new SymbolLoader(symbols);
    const built = (name: string, address: bigint) =>
      loader.load(
        { name: 'x', bytes: buildElf(shape, [{ name, address }], { '.debug_line': buildLines(shape, 5, address) }) },
        0n,
      );
    symbols.add([['mine', 0x9000n]]);
    await built('before', 0x1000n);
    await loader.load({ name: 'y', bytes: Buffer.from('2000 T other\n') }, 0n);
    await built('after', 0x1004n);
    expect(symbols.all.map(([name]) => name).sort()).toEqual(['after', 'mine', 'other']);
    expect(symbols.describe(0x1000n)).toBeUndefined();
    expect(symbols.describe(0x1004n)).toBe('after (src/main.c:10)');
    // The same file at another place is another one.
    await loader.load({ name: 'y', bytes: Buffer.from('2000 T other\n') }, 0x100n);
    expect([symbols.nameOf(0x2000n), symbols.nameOf(0x2100n)]).toEqual(['other', 'other']);
  });

  test('a name that several files have for their own is refused with where they are', async () => {
    const symbols = new QemuSymbols();
    const loader = new SymbolLoader(symbols);
    const file = buildElf(shape, [
      { name: 'init', address: 0x1000n, size: 4 },
      { name: 'init', address: 0x2000n, size: 4 },
      { name: 'main', address: 0x3000n, size: 4 },
      { name: 'main', address: 0x4000n, size: 4, global: true },
    ]);
    await loader.load({ name: 'x', bytes: file }, 0n);
    expect(() => symbols.address('init')).toThrow(
      expect.objectContaining({
        message: '2 places are called init.',
        fix: 'Write the address or the line of one: 0x1000, 0x2000.',
      }),
    );
    expect([symbols.address('main'), symbols.nameOf(0x2001n)]).toEqual([0x4000n, 'init+1']);
    // What is loaded or said later counts.
    await loader.load({ name: 'y', bytes: Buffer.from('5000 t init\n') }, 0n);
    expect(symbols.address('init')).toBe(0x5000n);
    await loader.load({ name: 'x', bytes: file }, 0n);
    expect(() => symbols.address('init')).toThrow(/2 places/);
    symbols.add([['init', 0x1000n]]);
    expect(symbols.address('init')).toBe(0x1000n);
  });

  test('lines of source are addresses', async () => {
    const lines = buildLines(shape, 5, 0x1000n);
    const { symbols } = await load(buildElf(shape, [{ name: 'f', address: 0x1000n }], { '.debug_line': lines }));
    const address = symbols.lineAddress('main.c:10');
    expect(address).toBe(0x1000n);
    expect(symbols.lineAddress('src/main.c:1')).toBe(address);
    expect(symbols.lineAddress('other.c:10')).toBeUndefined();
    expect(symbols.lineAddress('f')).toBeUndefined();
    expect(() => symbols.lineAddress('main.c:9999')).toThrow(/no code at line 9999/);
  });
});

test('a list that a console showed, or that begins with names without an address', async () => {
  for (const head of [
    '# cat /proc/kallsyms\r\n',
    '                 U printf\n',
    '80000000 t $xrv64i2p1_m2p0\n80000000 t $x\n',
  ]) {
    const { symbols, loaded } = await load(Buffer.from(`${head}ffffffff81000000 T start\r\n`));
    expect(loaded).toMatchObject({ format: 'kallsyms', added: 1 });
    expect(symbols.address('start')).toBe(0xffffffff81000000n);
  }
});
