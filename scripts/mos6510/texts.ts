/**
 * The functions of `src/chips/mos6510/semantics` as text, with `$name` for a word of the processor. What a helper does stands in
 * the place of its call, so that V8 sees one body.
 */
import type { Around, Cycle } from '../../src/chips/mos6510/semantics/cycles.ts';
import { semantics } from './semantics.ts';

const { helpers } = semantics;

type AnyFunction = (...args: never[]) => unknown;

interface Parts {
  readonly parameters: readonly string[];
  readonly body: string;
}

/** What an operation on a byte does; the last line of one that gives a byte back is left out. */
export function textOf(operation: AnyFunction): string {
  return inWords(inlined(partsOf(operation).body))
    .replace(/\breturn m;\s*$/, '')
    .trim();
}

/** What a function without statements gives. */
export function expressionOf(operation: AnyFunction): string {
  return inWords(partsOf(operation).body);
}

export function textOfCycle(cycle: Cycle): string {
  const acts = cycle.acts.map((act) => (typeof act === 'function' ? textOf(act) : textAround(act)));
  const access = 'to' in cycle ? [`bus.write(${expressionOf(cycle.to)}, ${expressionOf(cycle.value)});`] : [];
  return [...access, ...acts].filter((text) => text !== '').join('\n');
}

function textAround({ around, operation }: Around): string {
  return textOf(around)
    .replace(/m = operation\(cpu, m\);/, () => textOf(operation))
    .replace(/operation\(cpu\)/, () => expressionOf(operation));
}

function partsOf(operation: AnyFunction): Parts {
  const source = operation.toString();
  const [, parameters = '', rest = ''] =
    /^(?:function \w+)?\s*\(([^)]*)\)\s*(?:=>)?\s*([\s\S]*)$/.exec(source) ?? fail(source);
  const isBlock = rest.startsWith('{');
  return {
    parameters: parameters.split(',').map((name) => name.trim()),
    body: (isBlock ? rest.slice(1, rest.lastIndexOf('}')) : rest).trim().replaceAll(/\n\s+/g, '\n'),
  };
}

function inlined(body: string): string {
  const names = Object.keys(helpers).join('|');
  return body.replace(new RegExp(`\\b(${names})\\(cpu(?:, ([^;]*))?\\);`, 'g'), (_, name: string, given = '') => {
    const { parameters, body: text } = partsOf(helpers[name as keyof typeof helpers]);
    const values = given === '' ? [] : given.split(', ');
    if (values.length !== parameters.length - 1) fail(`${name}(${given})`);
    return inlined(
      parameters
        .slice(1)
        .reduce((so, parameter, index) => so.replaceAll(new RegExp(`\\b${parameter}\\b`, 'g'), values[index]), text),
    );
  });
}

function inWords(text: string): string {
  const words = text.replaceAll(/\bcpu\.(\w+)/g, '$$$1');
  return /\bcpu\b(?!\)|, m\))/.test(words) ? fail(words) : words;
}

function fail(what: string): never {
  throw new Error(`cannot be read: ${what}`);
}

const each = (table: Readonly<Record<string, AnyFunction>>, text: (operation: AnyFunction) => string) =>
  Object.fromEntries(Object.entries(table).map(([name, operation]) => [name, text(operation)]));

/** Operations on the byte `d` that was read, on the byte `m`, and without a byte. */
export const reads = each(semantics.reads, textOf);
export const modifies = each(semantics.modifies, textOf);
export const implied = each(semantics.implied, textOf);
export const stores = each(semantics.stores, expressionOf);
export const branches = each(semantics.branches, expressionOf);
export const statusWithBreak = expressionOf(semantics.statusWithBreak);
export const nz = (value: string) => `$n = ${value}; $z = ${value};`;

/** The name of a constant. */
export const upper = (name: string) => name.replace(/[A-Z]/g, '_$&').toUpperCase();
