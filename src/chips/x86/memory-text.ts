import type { CodeSpace } from './code-space.ts';
import type { MemoryText } from './operations/operation.ts';
import { fields } from './registers.ts';

function loadBytes(width: number): string {
  if (width === 8) return 'ram[t]';
  return width === 16 ? 'D.getUint16(t, true)' : 'D.getInt32(t, true)';
}

function storeBytes(width: number, value: string): string {
  return width === 8 ? `ram[t] = ${value};` : `D.setInt${width}(t, ${value}, true);`;
}

function fits(width: number, wide: boolean): string {
  return width === 8 && !wide ? '' : `o <= ${0x10000 - width / 8} && `;
}

const narrowStack = {
  pointer: `R16[${fields.esp * 2}]`,
  stackOffset: (text: string) => `(${text}) & 65535`,
};

/** True where a write has to be told to nobody, though the page is not plain. */
function takes(width: number, value: string): string {
  return width === 32 ? 'c.memory.isFree(t, 4)' : `c.memory.takes${width}(t, ${value})`;
}

/** A 32-bit stack pointer may be any number: it is kept signed and used unsigned. */
const wideStack = {
  pointer: `R[${fields.esp}]`,
  stackOffset: (text: string) => `(${text}) >>> 0`,
};

const plainText: MemoryText = {
  plain: true,
  load: (width, seg, wide) =>
    `(${fits(width, wide)}rf[(t = (R[${seg}] + o) | 0) >>> 8] === 0 ? ${loadBytes(width)} : c.read${width}(${seg}, o))`,
  // On a stack with code on it most pages are not plain, and most of their bytes are.
  store: (width, seg, value, wide) =>
    `if (${fits(width, wide)}(wf[(t = (R[${seg}] + o) | 0) >>> 8] === 0 || ${takes(width, value)})) { ${storeBytes(width, value)} } else c.write${width}(${seg}, o, ${value});`,
  ...narrowStack,
};

/** Within the limit of a segment whose rights allow it, where there are no pages. */
function protectedText(stack: typeof narrowStack): MemoryText {
  const within = (width: number, limits: string, seg: string) =>
    `o <= ${limits}[${seg}]${width === 8 ? '' : ` - ${width / 8 - 1}`}`;
  const address = (seg: string) => `(t = (R[${seg}] + o) >>> 0) >>> 8`;
  return {
    plain: false,
    load: (width, seg, _wide, changes) =>
      `(${within(width, changes ? 'W' : 'L', seg)} && rf[${address(seg)}] === 0 ? ${loadBytes(width)} : c.${changes ? 'change' : 'read'}${width}(${seg}, o))`,
    store: (width, seg, value) =>
      `if (${within(width, 'W', seg)} && wf[${address(seg)}] === 0) { ${storeBytes(width, value)} } else c.write${width}(${seg}, o, ${value});`,
    ...stack,
  };
}

/** Through what is known of pages; a call where nothing is, or where an access reaches into a second page. */
function pagedText(stack: typeof narrowStack): MemoryText {
  const place = (width: number, rights: 'read' | 'write', flags: 'rf' | 'wf', seg: string) => {
    const within = `o <= ${rights === 'write' ? 'W' : 'L'}[${seg}]${width === 8 ? '' : ` - ${width / 8 - 1}`}`;
    const linear = `(t = (R[${seg}] + o) >>> 0)`;
    const inside = width === 8 ? `${linear} >= 0` : `(${linear} & 4095) <= ${0x1000 - width / 8}`;
    return `${within} && ${inside} && ${flags}[(t = c.${rights}Pages[t >>> 12] + (t & 4095)) >>> 8] === 0`;
  };
  return {
    plain: false,
    load: (width, seg, _wide, changes) =>
      `(${place(width, changes ? 'write' : 'read', 'rf', seg)} ? ${loadBytes(width)} : c.${changes ? 'change' : 'read'}${width}(${seg}, o))`,
    store: (width, seg, value) =>
      `if (${place(width, 'write', 'wf', seg)}) { ${storeBytes(width, value)} } else c.write${width}(${seg}, o, ${value});`,
    ...stack,
  };
}

/**
 * True where `width` bits at offset `o` lie in memory that is nothing but memory; `t` is then where. Such text has no other
 * effect.
 */
export function placeText(space: CodeSpace, width: number, rights: 'read' | 'write', seg: number): string {
  const flags = rights === 'write' ? 'wf' : 'rf';
  const bytes = width / 8;
  if (space.plain) return `o <= ${0x10000 - bytes} && ${flags}[(t = (R[${seg}] + o) | 0) >>> 8] === 0`;
  const within = `o <= ${rights === 'write' ? 'W' : 'L'}[${seg}] - ${bytes - 1}`;
  const linear = `(t = (R[${seg}] + o) >>> 0)`;
  if (!space.isPaged) return `${within} && ${flags}[${linear} >>> 8] === 0`;
  const inside = `(${linear} & 4095) <= ${0x1000 - bytes}`;
  return `${within} && ${inside} && ${flags}[(t = c.${rights}Pages[t >>> 12] + (t & 4095)) >>> 8] === 0`;
}

const texts = {
  protected: [protectedText(narrowStack), protectedText(wideStack)],
  paged: [pagedText(narrowStack), pagedText(wideStack)],
} as const;

/** How code of a space reaches memory. */
export function memoryTextOf(space: CodeSpace): MemoryText {
  if (space.plain) return plainText;
  return (space.isPaged ? texts.paged : texts.protected)[space.wideStack ? 1 : 0];
}

/** What tells the texts of spaces apart. */
export function modeKey(space: CodeSpace): string {
  return space.plain ? '' : `${space.isPaged ? 'paged' : 'protected'}${space.wideStack ? 32 : 16} `;
}
