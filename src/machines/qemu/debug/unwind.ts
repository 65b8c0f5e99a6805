import type { FrameRules, RegisterRule } from '../../../formats/elf/frame-program.ts';
import type { QemuSymbols } from '../symbols/qemu-symbols.ts';
import { exceptionFrame, isExceptionReturn } from './exception-frame.ts';
import { ifThere } from './if-there.ts';
import { stackBeforeInterrupt } from './interrupt-frame.ts';
import type { Target } from './target.ts';

const maxFrames = 64;

/** DWARF numbers most processors' registers as the stub does; these not. */
const ownNumbers: Readonly<Record<string, readonly string[]>> = {
  x86_64: 'rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip'.split(' '),
  i386: 'eax ecx edx ebx esp ebp esi edi eip'.split(' '),
  s390x: (
    'r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 r14 r15 ' + 'f0 f2 f4 f6 f1 f3 f5 f7 f8 f10 f12 f14 f9 f11 f13 f15'
  ).split(' '),
};

const rsp = ownNumbers.x86_64?.indexOf('rsp');

type Registers = (number: number) => Promise<bigint | undefined>;

/** Somewhere a function will go on. */
export interface ToldFrame {
  readonly returnsTo: bigint;
  /** As it was saved: on ARM the lowest bit tells Thumb code. */
  readonly link: bigint;
  /** It was not called: an exception came before this instruction. */
  readonly interrupted?: boolean;
}

/** A function that runs or waits for one that it called. */
export interface FrameState {
  readonly pc: bigint;
  /** The next instruction, not one after a call. */
  readonly isExact: boolean;
  /** By DWARF's numbers. */
  readonly registers: Registers;
  /** What DWARF's number means on this processor. */
  readonly nameOf: (number: number) => string | undefined;
  /** What offsets in its frame count from; undefined where no table tells. */
  readonly cfa: bigint | undefined;
  /** What its caller is known from. */
  readonly told?: ToldFrame | undefined;
}

/** Return addresses as the tables of the program's file tell them, innermost first; empty where they say nothing. */
export async function unwind(target: Target, symbols: QemuSymbols): Promise<ToldFrame[]> {
  const frames: ToldFrame[] = [];
  for await (const { told } of frameStates(target, symbols)) if (told) frames.push(told);
  return frames;
}

/** The frames as far as the tables lead; the first is always there. */
export async function* frameStates(target: Target, symbols: QemuSymbols): AsyncGenerator<FrameState> {
  let pc = await target.pc();
  let told: ToldFrame | undefined;
  let family: string | undefined;
  let before: { readonly pc: bigint; readonly cfa: bigint | undefined } | undefined;
  let registers: Registers = (number) => read(target, family ?? familyOfWidth(target), number);
  for (let count = 0; count <= maxFrames; count++) {
    // A return address may lie after the end of a function that ends with a call.
    const isExact = count === 0 || told?.interrupted === true;
    const rules = symbols.frameAt(isExact ? pc : pc - 1n);
    // Code of another width has other registers.
    const isKnown = rules !== undefined && (family === undefined || familyOf(target, rules) === family);
    if (isKnown) family ??= familyOf(target, rules);
    const cfa = isKnown ? await cfaOf(rules, registers) : undefined;
    // The first function of a program has no caller, and its link register leads back into it.
    if (before?.pc === pc && cfa !== undefined && before.cfa === cfa) return;
    before = { pc, cfa };
    const numbering = family ?? familyOfWidth(target);
    yield { pc, isExact, registers, nameOf: (number) => nameOf(target, numbering, number), cfa, told };
    if (!isKnown || cfa === undefined) return;
    const caller = callerOf(target, rules, cfa, registers, stackPointerOf(target, family ?? ''));
    const link = await caller(rules.returnRegister);
    if (link === undefined || link === 0n) return;
    if (isExceptionReturn(target, link)) {
      const saved = await exceptionFrame(target, link, cfa);
      const resumed = saved?.get(15);
      if (!saved || resumed === undefined) return;
      registers = async (number) => saved.get(number) ?? (await caller(number));
      pc = resumed;
      told = { returnsTo: pc, link: pc, interrupted: true };
      continue;
    }
    pc = target.isArm ? link & ~1n : link;
    const pushed = family === 'x86_64' ? await stackBeforeInterrupt(target, cfa) : undefined;
    told = { returnsTo: pc, link, interrupted: pushed !== undefined };
    registers = pushed === undefined ? caller : async (number) => (number === rsp ? pushed : caller(number));
  }
}

async function cfaOf({ cfa, wordBytes }: FrameRules, registers: Registers): Promise<bigint | undefined> {
  const base = await registers(cfa.register);
  return base === undefined ? undefined : BigInt.asUintN(8 * wordBytes, base + BigInt(cfa.offset));
}

/** The registers of the caller, each looked up when it is asked for. */
function callerOf(
  target: Target,
  rules: FrameRules,
  cfa: bigint,
  registers: Registers,
  stackPointer: number | undefined,
): Registers {
  const known = new Map<number, bigint | undefined>();
  const { wordBytes } = rules;
  const find = async (number: number, rule: RegisterRule | undefined): Promise<bigint | undefined> => {
    if (!rule) return number === stackPointer ? cfa : registers(number);
    if (rule.type === 'lost') return undefined;
    if (rule.type === 'same') return registers(number);
    if (rule.type === 'register') return registers(rule.number);
    const place = BigInt.asUintN(8 * wordBytes, cfa + BigInt(rule.offset));
    return rule.type === 'value' ? place : target.glanceNumber(place, wordBytes);
  };
  return async (number) => {
    if (!known.has(number)) known.set(number, await find(number, rules.registers.get(number)));
    return known.get(number);
  };
}

async function read(target: Target, family: string, number: number): Promise<bigint | undefined> {
  const register = target.description.registers.find((each) => each.number === number);
  const name = nameOf(target, family, number);
  if (register && register.name === name) return ifThere(target.register(register));
  return name !== undefined && target.names.find(name) ? ifThere(target.value(name)) : undefined;
}

function nameOf(target: Target, family: string, number: number): string | undefined {
  const own = ownNumbers[family];
  if (own) return own[number];
  if (target.isPower && number === 65) return 'lr';
  return target.description.registers.find((each) => each.number === number)?.name;
}

/** On s390x what is counted from lies 160 bytes higher, and the stack pointer is told of like any other. */
function stackPointerOf(target: Target, family: string): number | undefined {
  if (family === 's390x') return undefined;
  const own = ownNumbers[family];
  const number = own ? own.findIndex((name) => /^[er]sp$/.test(name)) : (target.names.sp?.number ?? -1);
  return number < 0 ? undefined : number;
}

/** Where no table says it. */
function familyOfWidth(target: Target): string {
  if (target.names.find('rip')) return 'x86_64';
  return target.names.find('eip') ? 'i386' : target.names.find('pswa') ? 's390x' : '';
}

/** An emulator of 64 bits runs programs of 32 as well, whose file numbers the registers otherwise. */
function familyOf(target: Target, { wordBytes }: FrameRules): string {
  if (target.names.find('rip')) return wordBytes === 8 ? 'x86_64' : 'i386';
  return target.names.find('pswa') ? 's390x' : '';
}
