import { faultAddress, isFirmware } from './fault-registers.ts';

/** An exception as QEMU logs it (`-d int`). */
export interface LoggedException {
  readonly family: 'x86' | 'riscv' | 'arm';
  /** Vector, cause, or QEMU's own number on ARM. */
  readonly code: number;
  /** QEMU's name for it, where it gives one. */
  readonly name?: string;
  readonly pc: bigint;
  /** `error`, `cpl`, `sp`, `cr2`, `tval`, `esr`, `far`. */
  readonly values: Readonly<Record<string, bigint>>;
  /** The exception that was being delivered when this one came, and the one that came. */
  readonly during?: { readonly first: number; readonly second: number };
  /** Of a PC: it could not be delivered either, and the processor gave up. */
  readonly triple?: boolean;
  /** How often in a row, if more than once: one without a handler comes for ever. */
  readonly times?: number;
  /** All registers as QEMU wrote them. */
  registers?: string;
}

const kept = 32;
const maxRegisterChars = 3000;
const none = 0xffffffff;

const checkForm = /^check_exception old: 0x([0-9a-f]+) new 0x([0-9a-f]+)/;
const x86Form =
  /^\s*\d+: v=([0-9a-f]{2}) e=([0-9a-f]{4}) i=(\d) cpl=(\d) IP=[0-9a-f]{4}:[0-9a-f]+ pc=([0-9a-f]+) SP=[0-9a-f]{4}:([0-9a-f]+)(?: CR2=([0-9a-f]+))?/;
const riscvForm =
  /^riscv_cpu_do_interrupt: hart:(\d+), async:(\d), cause:([0-9a-f]+), epc:0x([0-9a-f]+), tval:0x([0-9a-f]+), desc=(\w+)/;
const armForm = /^Taking exception (\d+) \[([^\]]+)\]/;
const armValue = /^\.\.\.with (ESR|FAR|ELR) (?:0x[0-9a-f]+\/)?0x([0-9a-f]+)/;
const registerForm = /^[A-Z0-9]{2,4}\s*=/;
/** Of the first processor: of the whole machine. Others are also reset when they are started. */
const resetForm = /^CPU Reset \(CPU 0\)/;
/** QEMU's numbers on ARM for what comes from outside or is asked for: SVC, IRQ, FIQ, HVC, SMC, semihosting, virtual ones. */
const armOrdinary: ReadonlySet<number> = new Set([2, 5, 6, 11, 13, 14, 15, 16]);
const firstInterrupt = 32;

/** Picks the last exceptions out of the lines of QEMU's log; interrupts and calls of the system are not among them. */
export class ExceptionLog {
  #all: LoggedException[] = [];
  #past: LoggedException[] = [];
  /** What was the past until the last reset. */
  #former: LoggedException[] = [];
  #check: { readonly first: number; readonly second: number } | undefined;
  /** The one whose registers or values follow. */
  #open: LoggedException | undefined;
  /** The last interrupt, of whichever kind. */
  #delivered: { readonly code: number; readonly pc: bigint } | undefined;
  #seen = 0;

  /** Those before the machine was last reset or put back to a snapshot, which nothing in it remembers. */
  get past(): readonly LoggedException[] {
    return this.#past;
  }

  get all(): readonly LoggedException[] {
    const [last, before] = [this.#all.at(-1), this.#all.at(-2)];
    return last && before && isAgain(before, last)
      ? [...this.#all.slice(0, -2), { ...last, times: (before.times ?? 1) + 1 }]
      : this.#all;
  }

  /** How many there have been. */
  get count(): number {
    return this.#seen;
  }

  line(text: string): void {
    if (registerForm.test(text)) {
      if (this.#open && (this.#open.registers?.length ?? 0) < maxRegisterChars) {
        this.#open.registers = `${this.#open.registers ?? ''}${text}\n`;
      }
      if (text.startsWith('EFER=') && this.#open?.triple) this.#placed(this.#open);
      return;
    }
    const check = checkForm.exec(text);
    if (check) this.#check = { first: hex(check[1]), second: hex(check[2]) };
    else if (text === 'Triple fault') this.#triple();
    else if (resetForm.test(text)) this.#reset();
    else if (text.startsWith('...')) this.#more(text);
    else this.#begin(text);
  }

  #begin(text: string): void {
    const found = this.#x86(x86Form.exec(text)) ?? riscv(riscvForm.exec(text)) ?? arm(armForm.exec(text));
    this.#open = found;
    if (found) this.#keep(found);
  }

  #x86(match: RegExpExecArray | null): LoggedException | undefined {
    if (!match) return undefined;
    const check = this.#check;
    this.#check = undefined;
    const [, vector, error, soft, cpl, pc, sp, cr2] = match;
    const code = hex(vector);
    // What comes from a device has no check in front of it.
    const isException = check !== undefined || (soft === '1' && code < firstInterrupt);
    const before = this.#delivered;
    // If this cannot be delivered, the next one is about it.
    this.#delivered = check === undefined ? { code, pc: wide(pc) } : undefined;
    if (!isException) return undefined;
    const delivered = check !== undefined && before?.pc === wide(pc) ? before.code : undefined;
    return {
      family: 'x86',
      code,
      pc: wide(pc),
      values: {
        error: wide(error),
        cpl: wide(cpl),
        sp: wide(sp),
        ...(cr2 !== undefined && { cr2: wide(cr2) }),
        ...(delivered !== undefined && { delivered: BigInt(delivered) }),
      },
      ...(check && check.first !== none && { during: check }),
    };
  }

  #triple(): void {
    const before = this.#all.at(-1);
    this.#open = undefined;
    const during = this.#check ?? { first: 8, second: 8 };
    this.#check = undefined;
    this.#keep({ family: 'x86', code: 8, pc: before?.pc ?? 0n, values: before?.values ?? {}, during, triple: true });
    this.#open = this.#all.at(-1);
  }

  /** The registers that follow are those of before. */
  #reset(): void {
    const last = this.#all.at(-1);
    this.#open = last?.triple && last.registers === undefined ? last : undefined;
    if (last) [this.#former, this.#past] = [this.#past, [...this.all]];
    this.#all = [];
    this.#check = undefined;
    this.#delivered = undefined;
  }

  /** Where a processor was when it reset itself, by its registers. */
  #placed(fault: LoggedException): void {
    this.#open = undefined;
    const pc = faultAddress(fault.registers ?? '');
    const at = this.#past.indexOf(fault);
    if (pc === undefined || at < 0) return;
    if (!isFirmware(pc)) {
      this.#past[at] = { ...fault, pc };
      return;
    }
    const own = this.#past.slice(0, this.#past.findLastIndex((each) => each !== fault && each.pc !== fault.pc) + 1);
    this.#past = own.length > 0 ? own : this.#former;
  }

  /** On ARM what belongs to an exception comes in lines of its own. */
  #more(text: string): void {
    const [, name = '', value] = armValue.exec(text) ?? [];
    const open = this.#open;
    if (open?.family !== 'arm' || value === undefined) return;
    const values = { ...open.values, [name.toLowerCase()]: wide(value) };
    const complete = { ...open, values, pc: name === 'ELR' ? wide(value) : open.pc };
    this.#all[this.#all.length - 1] = complete;
    this.#open = complete;
  }

  #keep(exception: LoggedException): void {
    this.#seen++;
    this.#fold();
    this.#all.push(exception);
    if (this.#all.length > kept) this.#all.shift();
  }

  /** The last one is complete now: if it is the one before again, both are one. */
  #fold(): void {
    const [last, before] = [this.#all.at(-1), this.#all.at(-2)];
    if (last && before && isAgain(before, last)) {
      this.#all.splice(-2, 2, { ...last, times: (before.times ?? 1) + 1 });
    }
  }
}

/** On a PC an exception that cannot be delivered is another one, and at last a reset. */
function isAgain(before: LoggedException, after: LoggedException): boolean {
  if (after.family === 'x86' || before.family !== after.family) return false;
  const values = Object.keys({ ...before.values, ...after.values });
  return (
    before.code === after.code &&
    before.pc === after.pc &&
    values.every((name) => before.values[name] === after.values[name])
  );
}

function riscv(match: RegExpExecArray | null): LoggedException | undefined {
  const [, , isInterrupt, cause, epc, tval, name = ''] = match ?? [];
  // 8 to 11 are calls of whoever is above.
  if (!match || isInterrupt !== '0' || (hex(cause) >= 8 && hex(cause) <= 11)) return undefined;
  return { family: 'riscv', code: hex(cause), name, pc: wide(epc), values: { tval: wide(tval) } };
}

function arm(match: RegExpExecArray | null): LoggedException | undefined {
  const [, number, name = ''] = match ?? [];
  const code = Number(number);
  if (!match || armOrdinary.has(code)) return undefined;
  return { family: 'arm', code, name, pc: 0n, values: {} };
}

function hex(digits: string | undefined): number {
  return Number.parseInt(digits ?? '0', 16);
}

function wide(digits: string | undefined): bigint {
  return BigInt(`0x${digits || '0'}`);
}
