import { type Form, opcodeMapOf } from '../../../chips/x86/forms.ts';
import type { Model } from '../../../chips/x86/models.ts';
import { segmentNames } from '../../../chips/x86/registers.ts';
import { encodeAddress, little } from './encode-address.ts';
import { type Bits, type Mnemonic, mnemonicOf } from './mnemonics.ts';
import type { WrittenOperand } from './operand.ts';
import { SourceError } from './source-error.ts';

/** Encodings that do the same as another one, which is used instead. */
const aliases = new Set(['d9d8', 'ddc8', 'dfc8', 'dfd0', 'dfd8', 'dcd0', 'dcd8', 'ded0']);
const overrides = [0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65];
/** Memory that they take is a pointer to near code, whose size goes without saying. */
const jumps = new Set(['jmp', 'call']);

/** The forms of a model by mnemonic. */
export function formsOf(model: Model): ReadonlyMap<string, readonly Form[]> {
  const found = new Map<string, Set<Form>>();
  for (const entry of opcodeMapOf(model).values()) {
    for (const form of (Array.isArray(entry) ? entry : [entry]) as (Form | undefined)[]) {
      if (!form || form.mnemonic === 'esc' || form.mnemonic === 'callback' || isAlias(form)) continue;
      const same = found.get(form.mnemonic);
      if (same) same.add(form);
      else found.set(form.mnemonic, new Set([form]));
    }
  }
  return new Map([...found].map(([name, forms]) => [name, [...forms]]));
}

let found486: ReadonlySet<string> | undefined;
function namesOf486(): ReadonlySet<string> {
  found486 ??= new Set(formsOf('486').keys());
  return found486;
}

function isAlias({ opcode }: Form): boolean {
  return aliases.has(opcode) || opcode.startsWith('82/') || opcode === 'f6/1' || opcode === 'f7/1';
}

export interface WrittenInstruction {
  readonly mnemonic: string;
  readonly prefixes: readonly number[];
  readonly operands: readonly WrittenOperand[];
  /** Where it will lie. */
  readonly address: number;
  /** The size of the code that it is in. */
  readonly bits: Bits;
  /** Encodings that are shorter are not wanted: labels have moved. */
  readonly least: number;
}

export function requireMnemonic(text: string, bits: Bits, forms: ReadonlyMap<string, readonly Form[]>): void {
  if (forms.has(mnemonicOf(text, bits).name)) return;
  if (namesOf486().has(text.toLowerCase()))
    throw new SourceError(`${text} needs a 486: start a machine with "cpu":"486".`);
  throw new SourceError(`${text} is not an instruction or directive known here.`);
}

/** The shortest encoding of an instruction whose mnemonic is known. */
export function encode(instruction: WrittenInstruction, forms: ReadonlyMap<string, readonly Form[]>): number[] {
  const { mnemonic: text, operands, least, bits } = instruction;
  const mnemonic = mnemonicOf(text, bits);
  const name = fullName(mnemonic.name, operands);
  const candidates = forms.get(name) ?? [];
  if (mnemonic.string !== undefined && operands.length > 0) {
    throw new SourceError(
      `${text} takes no operands: it works on [si] and [es:di]. A segment goes before it: es lodsb.`,
    );
  }
  const given = mnemonic.string ? [] : completed(name, operands);
  const encodings = (written: readonly WrittenOperand[]) =>
    candidates
      .toSorted((a, b) => Number(b.operands.includes('Is')) - Number(a.operands.includes('Is')))
      .flatMap((form) => new FormMatch(form, { ...mnemonic, name }, written, instruction).encodings())
      .filter(({ length }) => length >= least);
  const best = encodings(given).reduce<number[] | undefined>((a, b) => (a && a.length <= b.length ? a : b), undefined);
  if (best) return [...instruction.prefixes, ...best];
  throw unmatched(text, given, candidates, (written) => encodings(written).length > 0);
}

/** What a mnemonic is with these operands: `fadd` alone pops. */
function fullName(name: string, operands: readonly WrittenOperand[]): string {
  const isFar = operands.some((each) => each.kind === 'far' || (each.kind === 'memory' && each.far));
  if (isFar && jumps.has(name)) return `${name}f`;
  return operands.length === 0 && /^f(add|mul|subr?|divr?)$/.test(name) ? `${name}p` : name;
}

/** Operands in the order of the encodings, with those that may be left out. */
function completed(name: string, operands: readonly WrittenOperand[]): readonly WrittenOperand[] {
  const stack = (index: number): WrittenOperand => ({ kind: 'stack', index });
  const [first, second] = operands;
  // The order of these two means nothing, and encodings have one.
  if ((name === 'xchg' || name === 'test') && first?.kind === 'register' && second?.kind === 'memory') {
    return [second, first];
  }
  if (name === 'imul' && operands.length === 2 && second?.kind === 'value' && first) return [first, first, second];
  if ((name === 'aam' || name === 'aad') && !first) {
    return [{ kind: 'value', value: 10, size: undefined, reach: undefined, strict: false }];
  }
  if (/^(fld|fstp?|ffree)$/.test(name) && !first) return [stack(1)];
  if (/^f(add|mul|subr?|divr?)p$/.test(name) && !second) return [first ?? stack(1), stack(0)];
  if (/^f(add|mul|subr?|divr?)$/.test(name) && first?.kind === 'stack' && !second) return [stack(0), first];
  if (/^(fxch|fu?comp?)$/.test(name) && !first) return [stack(1)];
  return operands;
}

function unmatched(
  text: string,
  operands: readonly WrittenOperand[],
  forms: readonly Form[],
  fits: (operands: readonly WrittenOperand[]) => boolean,
): SourceError {
  const [first] = operands;
  if (text.toLowerCase() === 'bswap' && first?.kind === 'register' && first.width === 16) {
    return new SourceError('bswap of 16 bits is undefined: write xchg al,ah, or rol ax,8.');
  }
  const unsized = operands.some((each) => each.kind === 'memory' && each.size === undefined);
  if (unsized)
    return new SourceError(`How large is the memory operand of ${text}? Write byte, word or dword before [.`);
  const counts = [...new Set(forms.map((form) => form.operands.length))].sort();
  if (!counts.includes(operands.length)) {
    return new SourceError(`${text} takes ${counts.join(' or ')} operands, not ${operands.length}.`);
  }
  const near = operands.some((each) => each.kind === 'value' && each.reach === 'short');
  const jump = near || forms.every((form) => form.operands[0] === 'Jb');
  if (jump) return new SourceError(`The target of ${text} is too far away for a short jump.`);
  for (const [place, each] of operands.entries()) {
    if (each.kind === 'value' && fits(operands.with(place, { ...each, value: 0 }))) {
      return new SourceError(`${each.value} does not fit into the operand of ${text}.`);
    }
  }
  return new SourceError(`${text} does not take these operands.`);
}

/** One form tried on the operands that were written. */
class FormMatch {
  readonly #form: Form;
  readonly #mnemonic: Mnemonic;
  readonly #operands: readonly WrittenOperand[];
  readonly #instruction: WrittenInstruction;

  constructor(form: Form, mnemonic: Mnemonic, operands: readonly WrittenOperand[], instruction: WrittenInstruction) {
    this.#form = form;
    this.#mnemonic = mnemonic;
    this.#operands = operands;
    this.#instruction = instruction;
  }

  /** None where the operands do not fit. */
  encodings(): number[][] {
    const { operands: codes } = this.#form;
    if (this.#mnemonic.string !== undefined) {
      const fits = codes.some((code) => code === `X${this.#mnemonic.string}` || code === `Y${this.#mnemonic.string}`);
      return fits ? [[...this.#mnemonic.prefixes, ...this.#opcode(0)]] : [];
    }
    if (codes.length !== this.#operands.length) return [];
    const operandSize = this.#operandSize();
    if (operandSize === undefined || (operandSize === 16 && isWideOnly(this.#form))) return [];
    if (!codes.every((code, place) => this.#fits(code, this.#operands[place] as WrittenOperand, operandSize)))
      return [];
    return this.#write(operandSize);
  }

  /** 16 or 32, by the operands whose size goes with it; undefined where they disagree. */
  #operandSize(): Bits | undefined {
    const sizes = new Set<number>();
    this.#form.operands.forEach((code, place) => {
      const operand = this.#operands[place] as WrittenOperand;
      // A far pointer's offset has the size; of memory with one it is that of the offset.
      if (operand.kind === 'far' && operand.size !== undefined) sizes.add(operand.size * 8);
      if (operand.kind === 'memory' && operand.far && operand.size !== undefined) sizes.add(operand.size * 8);
      const isSized = code.endsWith('v') || (code === 'En' && operand.kind === 'register');
      if (!(isSized || code === 'eAX' || code === 'Is')) return;
      if (operand.kind === 'register') sizes.add(operand.width);
      else if (operand.kind === 'memory' && operand.size !== undefined) sizes.add(operand.size * 8);
      else if (operand.kind === 'value' && operand.size !== undefined && operand.size > 1) sizes.add(operand.size * 8);
    });
    if (sizes.size > 1) return undefined;
    const [size = this.#mnemonic.operandSize] = sizes;
    return size === 16 || size === 32 ? size : undefined;
  }

  #fits(code: string, operand: WrittenOperand, operandSize: Bits): boolean {
    const width = widthOf(code, operandSize);
    switch (operand.kind) {
      case 'register':
        if (code === 'AL' || code === 'eAX' || code === 'AX') return operand.index === 0 && operand.width === width;
        if (code === 'CL') return operand.index === 1 && operand.width === 8;
        if (code === 'DX') return operand.index === 2 && operand.width === 16;
        if (code.startsWith('Z') && (Number.parseInt(this.#form.opcode, 16) & 7) !== operand.index) return false;
        return 'EGZR'.includes(code.charAt(0)) && operand.width === width;
      case 'segment':
        return (
          code === segmentNames[operand.index] || (code === 'Sw' && (operand.index !== 1 || !this.#loads(operand)))
        );
      case 'control':
        return code === 'Cd';
      case 'debug':
        return code === 'Dd';
      case 'test':
        return code === 'Td';
      case 'stack':
        return code === 'Fi' || (code === 'F' && operand.index === 0);
      case 'far':
        return code === 'Ap';
      case 'memory':
        return (!operand.far || code === 'Mp') && this.#fitsMemory(code, operand.size, width);
      case 'value':
        return this.#fitsValue(code, operand, width);
    }
  }

  #loads(operand: WrittenOperand): boolean {
    return this.#operands[0] === operand;
  }

  #fitsMemory(code: string, size: number | undefined, width: number): boolean {
    const { mnemonic, operands: codes } = this.#form;
    if (code.startsWith('O')) {
      const operand = this.#operands.find(({ kind }) => kind === 'memory');
      const bare = operand?.kind === 'memory' && operand.address.registers.length === 0;
      return bare && (size === undefined || size * 8 === width);
    }
    if (code.startsWith('M')) {
      const wanted = { Mw: 2, Md: 4, Mq: 8, Mt: 10 }[code];
      return wanted === undefined || size === wanted || (size === undefined && onlySize(mnemonic));
    }
    if (code === 'En') return size === undefined || size === 2;
    if (!code.startsWith('E')) return false;
    if (size !== undefined) return size * 8 === width;
    if (jumps.has(mnemonic)) return width === this.#instruction.bits;
    const value = this.#operands.find((each) => each.kind === 'value');
    if (value?.size !== undefined && codes.some((other) => other.startsWith('I'))) return value.size * 8 === width;
    if (codes.length === 1 && /^(set|lmsw|lldt|ltr|verr|verw)/.test(mnemonic)) return true;
    return codes.some((other, place) => {
      const operand = this.#operands[place];
      // Two bytes of memory, whatever the size.
      if (operand?.kind === 'segment') return true;
      return operand?.kind === 'register' && other !== 'CL' && other.slice(1) === code.slice(1);
    });
  }

  #fitsValue(code: string, operand: WrittenOperand & { kind: 'value' }, width: number): boolean {
    const { value, size, reach, strict } = operand;
    if (code === '1') return value === 1 && size === undefined;
    if (code.startsWith('J'))
      return this.#reaches(code, value) && (reach === undefined || (reach === 'short') === (code === 'Jb'));
    if (!code.startsWith('I') || reach !== undefined) return false;
    if (
      size !== undefined &&
      size * 8 !== (code === 'Is' ? 8 : width) &&
      !(code === 'Is' && size * 8 === width && !strict)
    ) {
      return false;
    }
    if (code === 'Is') {
      if (strict && size !== 1) return false;
      const signed = width === 16 ? (value << 16) >> 16 : value | 0;
      return inRange(value, width) && signed >= -128 && signed <= 127;
    }
    return inRange(value, width);
  }

  /** What follows a short jump is two bytes further on. */
  #reaches(code: string, target: number): boolean {
    if (code !== 'Jb') return true;
    const length = this.#mnemonic.prefixes.length + 2 + this.#instruction.prefixes.length;
    const far = target - (this.#instruction.address + length);
    const distance = this.#instruction.bits === 16 ? (far << 16) >> 16 : far | 0;
    return distance >= -128 && distance <= 127;
  }

  #write(operandSize: Bits): number[][] {
    const { operands: codes } = this.#form;
    const { bits } = this.#instruction;
    const isSegment = codes.includes('Sw') && this.#operands.some(({ kind }) => kind === 'memory');
    const isSized =
      !isSegment &&
      codes.some(
        (code) =>
          code.endsWith('v') ||
          ['eAX', 'Is', 'Ap', 'Mp'].includes(code) ||
          (code === 'En' && this.#operands[0]?.kind === 'register'),
      );
    const sizePrefix = operandSize !== bits && isSized && !this.#mnemonic.prefixes.includes(0x66) ? [0x66] : [];
    const memory = this.#operands.find(({ kind }) => kind === 'memory');
    const place = this.#operands.findIndex(({ kind }) => kind === 'memory');
    const direct = memory?.kind === 'memory' && (codes[place] ?? '').startsWith('O');
    const segment = memory?.kind === 'memory' && memory.override >= 0 ? [overrides[memory.override] as number] : [];
    const addresses = memory?.kind === 'memory' && !direct ? encodeAddress(memory, bits) : [undefined];
    return addresses.map((address) => {
      const wide = address !== undefined && address.bits !== bits ? [0x67] : [];
      const head = [...this.#mnemonic.prefixes, ...segment, ...sizePrefix, ...wide, ...this.#opcode(this.#reg())];
      const modrm = this.#modrm(address?.modrm);
      const offset = direct && memory?.kind === 'memory' ? little(memory.address.constant, bits / 8) : [];
      const before = [...head, ...modrm, ...(address?.rest ?? []), ...offset];
      return [...before, ...this.#values(operandSize, before.length)];
    });
  }

  /** The opcode, with a register in it where the form has one there. */
  #opcode(register: number): number[] {
    const [digits = ''] = this.#form.opcode.split('/');
    const bytes = digits.length > 2 ? [digits.slice(0, 2), digits.slice(2)] : [digits];
    const numbers = bytes.map((byte) => Number.parseInt(byte, 16));
    if (this.#form.operands.includes('Fi')) numbers[1] = (numbers[1] ?? 0) + register;
    return numbers;
  }

  /** Of a register named by the opcode's second byte: the coprocessor's. */
  #reg(): number {
    const place = this.#form.operands.indexOf('Fi');
    const operand = this.#operands[place];
    return operand?.kind === 'stack' ? operand.index : 0;
  }

  #modrm(address: number | undefined): number[] {
    const { opcode, operands: codes } = this.#form;
    const group = opcode.split('/')[1];
    let reg = group === undefined ? undefined : Number(group);
    let rm = address;
    codes.forEach((code, place) => {
      const operand = this.#operands[place];
      if (operand === undefined || operand.kind === 'memory' || operand.kind === 'value' || operand.kind === 'far')
        return;
      if (code.startsWith('E') || code === 'Rd') rm = 0xc0 | operand.index;
      if (/^(G[bvw]|Sw|Cd|Dd|Td)$/.test(code)) reg = operand.index;
    });
    return reg === undefined && rm === undefined ? [] : [((reg ?? 0) << 3) | (rm ?? 0xc0)];
  }

  #values(operandSize: Bits, before: number): number[] {
    const bytes: number[] = [];
    this.#form.operands.forEach((code, place) => {
      const operand = this.#operands[place];
      if (operand?.kind === 'far')
        bytes.push(...little(operand.offset, operandSize / 8), ...little(operand.segment, 2));
      if (operand?.kind !== 'value' || code === '1') return;
      const size = code === 'Is' || code === 'Jb' ? 1 : widthOf(code, operandSize) / 8;
      if (!code.startsWith('J')) bytes.push(...little(operand.value, size));
      else {
        const next = this.#instruction.address + this.#instruction.prefixes.length + before + bytes.length + size;
        bytes.push(...little(operand.value - next, size));
      }
    });
    return bytes;
  }
}

/** With 16 bits the first is undefined, and the others extend nothing. */
function isWideOnly({ mnemonic, operands }: Form): boolean {
  return mnemonic === 'bswap' || (/^mov[sz]x$/.test(mnemonic) && operands.includes('Ew'));
}

/** Instructions of the coprocessor that know memory of one size only. */
function onlySize(mnemonic: string): boolean {
  return /^(fldcw|fnstcw|fnstsw|fbld|fbstp)$/.test(mnemonic);
}

/** As NASM has it: `~0x80` is a byte, too. */
function inRange(value: number, width: number): boolean {
  return value >= -(2 ** width) && value < 2 ** width;
}

function widthOf(code: string, operandSize: Bits): 8 | 16 | 32 {
  if (code === 'DX' || code === 'AX') return 16;
  if (code === 'eAX') return operandSize;
  switch (code.charAt(1)) {
    case 'b':
    case 'L':
      return 8;
    case 'w':
      return 16;
    case 'd':
      return 32;
    default:
      return operandSize;
  }
}
