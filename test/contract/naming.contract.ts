import { expect, test } from 'vitest';
import { MachineError } from '../../src/machine/errors.ts';
import type { SymbolFile } from '../../src/machine/symbols.ts';
import { parseAddress } from '../../src/tools/debug/parse-address.ts';
import { type Context, refusal } from './context.ts';
import { typedVariablesContract } from './typed.contract.ts';

export function addressesContract(context: Context): void {
  test('what it writes as an address is read as the same one', async () => {
    const { addresses } = context.with('addresses');
    const { call, inside, written } = await context.bench();
    for (const address of [call, inside, written]) {
      expect(parseAddress(addresses.format(address), addresses)).toBe(address);
    }
  });

  test('a symbol is an address, and describes what follows it', async () => {
    const { addresses } = context.with('addresses');
    const { written } = await context.bench();
    const { size } = addresses.symbols;
    addresses.symbols.add([['contract_label', written]]);
    expect(addresses.symbols.size).toBe(size + 1);
    expect(addresses.symbols.all).toContainEqual(['contract_label', written]);
    expect(addresses.symbols.address('contract_label')).toBe(written);
    expect(addresses.symbols.address('other_label')).toBeUndefined();
    expect(addresses.symbols.describe(written)).toBe('contract_label');
    expect(addresses.symbols.describe(written + 2n)).toBe('contract_label+2');
    expect(addresses.symbols.describe(written + 2n, 0n)).toBeUndefined();
    expect(parseAddress('contract_label+2', addresses)).toBe(written + 2n);
  });

  test('what means nothing is no address', async () => {
    const { addresses } = context.with('addresses');
    await context.bench();
    for (const text of ['nonsense', 'nonsense:12', '']) {
      expect(addresses.resolve?.(text)).toBeUndefined();
      expect(await addresses.evaluate?.(text)).toBeUndefined();
      expect(() => parseAddress(text, addresses)).toThrow(MachineError);
    }
  });
}

/** A file with one symbol, as the machine reads them. */
function fileOf({ subject }: Context, name: string, address: bigint): SymbolFile {
  if (!subject.symbolFile) throw new Error('no file of symbols is known');
  return { name: 'contract.txt', bytes: new TextEncoder().encode(subject.symbolFile(name, address)) };
}

export function symbolsContract(context: Context): void {
  test('names of a file work at once, moved as asked', async () => {
    const { symbols, addresses } = context.with('symbols', 'addresses');
    const { written } = await context.bench();
    expect(symbols.formats.length).toBeGreaterThan(0);
    const file = fileOf(context, 'counter_byte', written);
    expect(await symbols.load(file, 0n)).toMatchObject({ format: expect.stringMatching(/./), added: 1 });
    expect(addresses.symbols.address('counter_byte')).toBe(written);
    await symbols.load(fileOf(context, 'other_byte', written), 0x10n);
    expect(addresses.symbols.address('other_byte')).toBe(written + 0x10n);
  });

  test('a file that has none is refused with what would do', async () => {
    const { symbols, addresses } = context.with('symbols', 'addresses');
    await context.bench();
    const { size } = addresses.symbols;
    const file = { name: 'nonsense.txt', bytes: new TextEncoder().encode('to be or not to be\n') };
    await expect(symbols.load(file, 0n)).rejects.toBeInstanceOf(MachineError);
    expect(addresses.symbols.size).toBe(size);
  });
}

export function unloadContract(context: Context): void {
  test('what was loaded is listed, until it is forgotten', async () => {
    const { symbols, addresses } = context.with('symbols', 'addresses');
    const { written } = await context.bench();
    const file = fileOf(context, 'counter_byte', written);
    await symbols.load(file, 0n);
    await symbols.load({ ...file, name: 'moved.txt' }, 0x10n);
    expect(symbols.sources).toContainEqual({ name: 'moved.txt', symbols: 1 });
    expect(await symbols.unload?.('moved.txt')).toBe(1);
    await expect(symbols.unload?.('moved.txt')).rejects.toMatchObject({
      type: 'NOT_FOUND',
      fix: expect.stringContaining('contract.txt'),
    });
    await symbols.unload?.('contract.txt');
    expect(addresses.symbols.address('counter_byte')).toBeUndefined();
    expect(symbols.sources).toEqual([]);
  });
}

export function annotationsContract(context: Context): void {
  test('hints in a source lie where its labels do, in order of address, those without one last', async () => {
    const { annotations, symbols } = context.with('annotations', 'symbols');
    const { symbolFile } = context.subject;
    if (!symbolFile) throw new Error('no file of symbols is known');
    const { written } = await context.bench();
    const load = (name: string, text: string) => symbols.load({ name, bytes: new TextEncoder().encode(text) }, 0n);
    const [first, second] = [written, written + 0x20n];
    expect(annotations.list()).toEqual([]);
    await load('labels.txt', [symbolFile('second', second), symbolFile('first', first)].join('\n'));
    const source = [
      '; @mcp-state: is defined nowhere',
      'nowhere: nop',
      '; @mcp-irq-handler: plays',
      'second: nop',
      'first: nop ; @mcp-function: counts',
    ];
    await load('program.asm', source.join('\n'));
    const [counts, plays, lost] = annotations.list();
    expect(annotations.list()).toHaveLength(3);
    expect(counts).toMatchObject({ type: 'function', description: 'counts', address: first, label: 'first', line: 5 });
    expect(plays).toMatchObject({ type: 'irq-handler', address: second, file: 'program.asm', line: 3 });
    expect(lost).toMatchObject({ type: 'state' });
    expect(lost?.address).toBeUndefined();
    expect(annotations.nearest(first + 1n)).toEqual(counts);
    expect(annotations.nearest(second)).toEqual(plays);
    expect(annotations.nearest(first - 1n)).toBeUndefined();
  });
}

export function namesContract(context: Context): void {
  test('a name works wherever an address is taken, until it is removed', async () => {
    const { names, addresses } = context.with('names', 'addresses');
    const { written } = await context.bench();
    expect(await names.list()).toEqual([]);
    expect(await names.set(written, { name: 'score', comment: 'two digits' })).toMatchObject({ name: 'score' });
    expect(addresses.symbols.address('score')).toBe(written);
    // What is left out stays.
    await names.set(written, { name: 'points' });
    expect(await names.list()).toEqual([{ address: written, name: 'points', comment: 'two digits' }]);
    expect(addresses.symbols.address('score')).toBeUndefined();
    expect(await names.remove(written)).toMatchObject({ name: 'points' });
    expect(addresses.symbols.address('points')).toBeUndefined();
    await expect(names.remove(written)).rejects.toMatchObject({ type: 'NOT_FOUND' });
  });

  test('a name that is none, or that another address has, is refused; of many only those', async () => {
    const { names } = context.with('names');
    const { written, read } = await context.bench();
    await names.set(written, { name: 'score' });
    await expect(names.set(read, { name: 'score' })).rejects.toMatchObject({ type: 'NAME_TAKEN' });
    await expect(names.set(read, { name: 'no name' })).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
    const errors = await names.setAll([
      { address: read, name: 'score' },
      { address: read, name: 'level' },
      { address: read + 1n, comment: 'a comment alone' },
    ]);
    expect(errors.map((error) => error?.type)).toEqual(['NAME_TAKEN', undefined, undefined]);
    expect((await names.list()).map(({ name }) => name)).toEqual(
      [[written, 'score'] as const, [read, 'level'] as const, [read + 1n, undefined] as const]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, name]) => name),
    );
  });
}

export function variablesContract(context: Context): void {
  test('without debug information each question is refused with what to do', async () => {
    const { variables } = context.with('variables');
    await context.bench();
    for (const attempt of [
      () => variables.locals(0),
      () => variables.variable(0, 'nobody'),
      () => variables.parts(0, 'nobody', { first: 0, most: 4 }),
      () => variables.assign(0, 'nobody', '1'),
    ]) {
      await expect(attempt()).rejects.toMatchObject(refusal);
    }
  });

  const { scenes, untyped } = context.subject;
  if (scenes) typedVariablesContract(context);
  else test(`no variables with types: ${untyped}`, () => expect(untyped).toBeDefined());
}
