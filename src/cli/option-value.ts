import { isIP } from 'node:net';
import { ownValue } from '../formats/own-value.ts';
import { parseTcpRule } from '../host/policy/tcp-rules.ts';
import type { ValueFormat } from './option-row.ts';
import type { Option, OptionValue } from './options.ts';

export type Reading =
  | { readonly value: OptionValue; readonly problem?: never }
  /** The end of a sentence that begins with where the value came from: `must be …, not "x"`. */
  | { readonly problem: string; readonly value?: never };

const flagWords: Readonly<Record<string, boolean>> = {
  1: true,
  true: true,
  yes: true,
  on: true,
  0: false,
  false: false,
  no: false,
  off: false,
};

/** Reads a value from the command line or the environment. */
export function readText(option: Option, text: string): Reading {
  switch (option.type) {
    case 'flag': {
      const value = ownValue(flagWords, text.toLowerCase());
      return value === undefined ? wrong(option, text) : { value };
    }
    case 'number':
      return /^\d+(\.\d+)?$/.test(text) ? check(option, Number(text)) : wrong(option, text);
    case 'list':
      return check(
        option,
        text
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== ''),
      );
    default:
      return check(option, text);
  }
}

/** Reads a value from the configuration file, where it must have its own type. */
export function readJson(option: Option, json: unknown): Reading {
  switch (option.type) {
    case 'flag':
      return typeof json === 'boolean' ? { value: json } : wrong(option, json);
    case 'number':
      return typeof json === 'number' ? check(option, json) : wrong(option, json);
    case 'list':
      return isListOfStrings(json) ? check(option, json) : wrong(option, json);
    default:
      return typeof json === 'string' ? check(option, json) : wrong(option, json);
  }
}

/** What the option takes, in words: `a whole number from 0 to 65535`. */
export function expectation(option: Option): string {
  switch (option.type) {
    case 'flag':
      return 'true or false';
    case 'number':
      return `a whole number from ${option.min} to ${option.max}`;
    case 'choice':
      return alternatives(option.choices);
    case 'list':
      if (option.choices) return `a list of ${alternatives(option.choices)}`;
      return option.format ? `a list, each item being ${formats[option.format].name}` : 'a list of names';
    case 'string':
      return option.format ? formats[option.format].name : 'some text';
  }
}

function check(option: Option, value: OptionValue): Reading {
  if (typeof value === 'number' && option.type === 'number') {
    const inRange = Number.isInteger(value) && value >= option.min && value <= option.max;
    return inRange ? { value } : wrong(option, value);
  }
  const items = typeof value === 'object' ? value : [String(value)];
  const choices = 'choices' in option ? option.choices : undefined;
  const format = 'format' in option && option.format !== undefined ? formats[option.format] : plain;
  const bad = items.find((item) => (choices ? !choices.includes(item) : !format.test(item)));
  return bad === undefined ? { value } : wrong(option, bad);
}

function wrong(option: Option, found: unknown): Reading {
  return { problem: `must be ${expectation(option)}, not ${JSON.stringify(found)}` };
}

function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function isListOfStrings(json: unknown): json is string[] {
  return Array.isArray(json) && json.every((item) => typeof item === 'string');
}

interface Format {
  readonly name: string;
  test(text: string): boolean;
}

const plain: Format = { name: 'some text', test: (text) => text !== '' };

const formats: Readonly<Record<ValueFormat, Format>> = {
  file: { name: 'the path of a file', test: isPath },
  directory: { name: 'the path of a directory', test: isPath },
  url: { name: 'an http or https address', test: (text) => /^https?:\/\/./.test(text) && URL.canParse(text) },
  origin: { name: 'an origin such as https://panel.example', test: isOrigin },
  'host-name': { name: 'a host name, with a port where needed', test: isHostName },
  'tcp-rule': {
    name: 'a host with ports, such as 10.0.0.0/8:23, router.example:4000-4010 or [::1]',
    test: (text) => parseTcpRule(text) !== undefined,
  },
  page: {
    name: 'auto, off or a TCP port from 1 to 65535',
    test: (text) => text === 'auto' || text === 'off' || (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535),
  },
  'address-range': { name: 'an address or a range such as 192.168.1.0/24', test: isAddressRange },
};

function isPath(text: string): boolean {
  return text !== '' && !text.includes('\0');
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function isHostName(text: string): boolean {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9._-]*[a-z0-9])?)(:\d{1,5})?$/i.test(text);
}

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
