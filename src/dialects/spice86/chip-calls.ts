import { z } from 'zod';
import type { Caller, ToolHost } from '../../api/tool-host.ts';
import { executionError, use } from './dos-machine.ts';

export const reads = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
export const changes = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
} as const;
export const nothing = z.strictObject({});
export const byte = z.number().int().min(0).max(0xff);
export const port = z.number().int().min(0).max(0xffff);

const anything = z.record(z.string(), z.unknown());

export interface PartOf {
  readonly chip: string;
  readonly part: string;
  readonly index?: number;
}

/** What a part of a chip is, in numbers by our names. */
export async function partNumbers(host: ToolHost, caller: Caller, part: PartOf): Promise<Record<string, unknown>> {
  const { numbers } = await use(host, caller, 'chip_read', { ...part }, { numbers: anything.optional() });
  return numbers ?? {};
}

/** The same, with names as the original writes them: `version_major` is `versionMajor`. */
export async function partState(host: ToolHost, caller: Caller, part: PartOf): Promise<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(await partNumbers(host, caller, part)).map(([name, value]) => [camelCase(name), value]),
  );
}

export async function writePart(
  host: ToolHost,
  caller: Caller,
  part: PartOf,
  wanted: Readonly<Record<string, number>> | string,
): Promise<void> {
  const change = typeof wanted === 'string' ? { text: wanted } : { values: wanted };
  await use(host, caller, 'chip_write', { ...part, ...change }, {});
}

export function numberOf(numbers: Readonly<Record<string, unknown>>, name: string): number {
  const value = numbers[name];
  return typeof value === 'number' ? value : 0;
}

/** Bytes given as hexadecimal text. */
export function hexBytes(text: string, most: number): readonly number[] {
  const digits = text.replaceAll(/[\s,]|0x/gi, '');
  if (digits === '' || digits.length % 2 !== 0 || /[^0-9a-f]/i.test(digits) || digits.length / 2 > most) {
    throw executionError(`bytes are pairs of hexadecimal digits, up to ${most} of them.`);
  }
  return [...Buffer.from(digits, 'hex')];
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
