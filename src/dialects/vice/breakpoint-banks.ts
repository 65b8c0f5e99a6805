import { ownValue } from '../../formats/own-value.ts';
import { MachineError } from '../../machine/errors.ts';

/** What our breakpoints call the banks of memory; also by the names that they have here. */
const watched: Readonly<Record<string, string>> = {
  main: 'ram',
  rom: 'rom',
  kernal_rom: 'rom',
  basic_rom: 'rom',
  char_rom: 'rom',
  io: 'io',
  cartridge: 'cart',
};
const shown: ReadonlyMap<string, string> = new Map([
  ['ram', 'main'],
  ['cart', 'cartridge'],
]);

export function bankWatched(bank: string): string {
  const [, name = '', number = ''] = /^([a-z_]+)(:\d{1,3})?$/i.exec(bank) ?? [];
  const own = ownValue(watched, name.toLowerCase()) ?? (['ram', 'cart'].includes(name) ? name : undefined);
  if (own !== undefined && (number === '' || own === 'cart')) return `${own}${number}`;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `No breakpoint is set in bank ${JSON.stringify(bank)}.`,
    `Banks: ${Object.keys(watched).join(', ')}, and those of a cartridge: cartridge:3.`,
  );
}

export function bankShown(bank: string): string {
  const [name = '', number] = bank.split(':');
  return [shown.get(name) ?? name, ...(number === undefined ? [] : [number])].join(':');
}
