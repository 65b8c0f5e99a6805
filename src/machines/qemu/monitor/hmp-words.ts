import { deviceProblem, parseDevice } from '../launch/known-devices.ts';
import { objectProblem } from '../launch/known-objects.ts';
import { forms, isRingSize } from './forms.ts';

const expression = /^[-+*/%&|^~()\w$.=]{1,200}$/;
const loopback = /^(?:tcp|udp):127\.0\.0\.1:\d{1,5}$/;

/** Whether one word of a line is what stands in the table of commands. */
export const hmpWords: Readonly<Record<string, (word: string) => boolean>> = {
  NAME: (word) => /^[\w.:+-]{1,64}$/.test(word),
  OWN: (word) => forms.own(word) === undefined,
  NUMBER: (word) => /^-?(?:0x[0-9a-f]{1,16}|\d{1,20})$/i.test(word),
  SIZE: (word) => /^\d{1,20}[BKMGTPE]?$/i.test(word),
  SWITCH: (word) => word === 'on' || word === 'off',
  SETTING: (word) => /^(?:-?(?:0x[0-9a-f]{1,16}|\d{1,20})|on|off|true|false)$/i.test(word),
  PATTERN: (word) => forms.pattern(word) === undefined,
  /** `/4xw`, after the name or on its own. */
  FORMAT: (word) => /^\/\d{0,6}[a-z]{0,4}$/.test(word),
  EXPRESSION: (word) => expression.test(word),
  ITEMS: (word) => /^[\w:,-]{1,200}$/.test(word),
  PLAIN: (word) => /^[\w.:,*/[\]#+-]{1,256}$/.test(word),
  QOMPATH: (word) => forms.qomPath(word) === undefined,
  DEVICE: (word) => isGood(parseDevice(word), deviceProblem),
  OBJECT: (word) => isGood(parseObject(word), objectProblem),
  CHARDEV: isMemoryChardev,
  FORWARD: (word) => {
    const [from = '', to = '', ...more] = word.split('-');
    return more.length === 0 && loopback.test(from) && /^(?:\d{1,3}(?:\.\d{1,3}){3})?:\d{1,5}$/.test(to);
  },
  FORWARDED: (word) => loopback.test(word),
};

function isGood(
  parsed: Readonly<Record<string, string>> | undefined,
  problem: (parsed: Readonly<Record<string, unknown>>) => string | undefined,
): boolean {
  return parsed !== undefined && problem(parsed) === undefined;
}

/** `TYPE,id=NAME,…`; the word before the type may be written or not. */
function parseObject(word: string): Readonly<Record<string, string>> | undefined {
  const { driver = '', ...rest } = parseDevice(word.replace(/^qom-type=/, '')) ?? {};
  return { 'qom-type': driver, ...rest };
}

function isMemoryChardev(word: string): boolean {
  const { driver, id, size = '0', ...rest } = parseDevice(word.replace(/^backend=/, '')) ?? {};
  if (Object.keys(rest).length > 0 || forms.own(id) !== undefined) return false;
  if (driver === 'null') return size === '0';
  return driver === 'ringbuf' && /^\d{1,8}$/.test(size) && isRingSize(Number(size));
}
