import type { ExportedProgram, Flow } from './exported-program.ts';

/** The same data for scripts of Ghidra and IDA: lists that Python 2 and 3 read alike. */
export function pythonTables(program: ExportedProgram): readonly string[] {
  const flow = ({ from, to }: Flow) => `${number(from)}, ${number(to)}`;
  return [
    ...table(
      'FUNCTIONS',
      program.functions,
      (each) => `${number(each.address)}, ${text(each.name)}, "${each.returns}"`,
    ),
    ...table('LABELS', program.labels, ({ address, name }) => `${number(address)}, ${text(name)}`),
    ...table('COMMENTS', program.comments, (each) => `${number(each.address)}, ${text(each.text)}`),
    ...table('CODE', program.code, (address) => `${number(address)},`),
    ...table('CALLS', program.calls, flow),
    ...table('JUMPS', program.jumps, flow),
    ...table('DATA', program.data, (each) => `${flow(each)}, "${each.access}"`),
    ...table('TEXTS', program.texts, ({ address, length }) => `${number(address)}, ${length}`),
  ];
}

function table<Item>(name: string, items: readonly Item[], row: (item: Item) => string): readonly string[] {
  return [`${name} = [`, ...items.map((item) => `    (${row(item)}),`), ']'];
}

function number(value: bigint): string {
  return `0x${value.toString(16)}`;
}

/** Names and comments may hold anything: a string in which nothing but plain characters is left. */
export function text(value: string): string {
  return JSON.stringify(value).replaceAll(/[^\x20-\x7e]/g, '?');
}
