import type { FrameRules, RegisterRule } from '../symbols/frame-program.ts';
import type { QemuSymbols } from '../symbols/qemu-symbols.ts';
import type { Target } from './target.ts';

const maxFrames = 64;

/** DWARF numbers most processors' registers as the stub does; these not. */
const ownNumbers: Readonly<Record<string, readonly string[]>> = {
  x86_64: 'rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip'.split(' '),
  s390x: (
    'r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 r14 r15 ' + 'f0 f2 f4 f6 f1 f3 f5 f7 f8 f10 f12 f14 f9 f11 f13 f15'
  ).split(' '),
};

type Registers = (number: number) => Promise<bigint | undefined>;

/** Return addresses as the tables of the program's file tell them, innermost first; empty where they say nothing. */
export async function unwind(target: Target, symbols: QemuSymbols): Promise<bigint[]> {
  const addresses: bigint[] = [];
  const numberOf = numbering(target);
  // On s390x what is counted from lies 160 bytes higher, and the stack pointer is told of like any other.
  const stackPointer = familyOf(target) === 's390x' ? undefined : numberOf(target.names.sp?.name ?? '');
  let registers: Registers = (number) => read(target, number);
  let pc = await target.pc();
  while (addresses.length < maxFrames) {
    // A return address may lie behind the end of a function that ends with a call.
    const rules = symbols.frameAt(addresses.length === 0 ? pc : pc - 1n);
    const cfa = rules && (await cfaOf(rules, registers));
    if (!rules || cfa === undefined) break;
    const caller = callerOf(target, rules, cfa, registers, stackPointer);
    const link = await caller(rules.returnRegister);
    if (link === undefined || link === 0n) break;
    pc = target.names.find('cpsr') && !target.names.find('x30') ? link & ~1n : link;
    addresses.push(pc);
    registers = caller;
  }
  return addresses;
}

async function cfaOf({ cfa }: FrameRules, registers: Registers): Promise<bigint | undefined> {
  const base = await registers(cfa.register);
  return base === undefined ? undefined : BigInt.asUintN(64, base + BigInt(cfa.offset));
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
  const wordBytes = Math.ceil((target.names.pc?.bits ?? 64) / 8);
  const find = async (number: number, rule: RegisterRule | undefined): Promise<bigint | undefined> => {
    if (!rule) return number === stackPointer ? cfa : registers(number);
    if (rule.type === 'lost') return undefined;
    if (rule.type === 'same') return registers(number);
    if (rule.type === 'register') return registers(rule.number);
    const place = BigInt.asUintN(8 * wordBytes, cfa + BigInt(rule.offset));
    return rule.type === 'value' ? place : target.number(place, wordBytes).catch(() => undefined);
  };
  return async (number) => {
    if (!known.has(number)) known.set(number, await find(number, rules.registers.get(number)));
    return known.get(number);
  };
}

async function read(target: Target, number: number): Promise<bigint | undefined> {
  const name = ownNumbers[familyOf(target)]?.[number] ?? (target.isPower && number === 65 ? 'lr' : undefined);
  const register = name
    ? target.names.find(name)?.register
    : target.description.registers.find((each) => each.number === number);
  return register ? target.register(register).catch(() => undefined) : undefined;
}

function numbering(target: Target): (name: string) => number | undefined {
  const own = ownNumbers[familyOf(target)];
  return (name) => {
    const number = own ? own.indexOf(name) : (target.names.find(name)?.register.number ?? -1);
    return number < 0 ? undefined : number;
  };
}

function familyOf(target: Target): string {
  if (target.names.find('rip')) return 'x86_64';
  return target.names.find('pswa') ? 's390x' : '';
}
