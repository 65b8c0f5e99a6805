import { Block } from '../../../chips/x86/graph/block.ts';
import { registerPlaces } from '../../../chips/x86/registers.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import { ownValue } from '../../../formats/own-value.ts';
import type { BreakpointSpec } from '../../../machine/breakpoints.ts';
import { MachineError } from '../../../machine/errors.ts';
import { compileCondition, compileExpression, type Reading } from '../../shared/condition/condition.ts';
import { parseCondition } from '../../shared/condition/parse-condition.ts';
import { type DosVocabulary, flagBits } from './dos-vocabulary.ts';

/** What an action does to the machine, as whoever keeps its history hears of it. */
export type ActionEvent =
  | { readonly type: 'register'; readonly name: string; readonly value: number }
  | { readonly type: 'poke'; readonly address: number; readonly bytes: Uint8Array };

/** Does one thing through `act`; returns why it could not. */
type Action = (act: (event: ActionEvent) => void) => string | undefined;

const mostAssignments = 16;
/** `=` that is no part of a comparison. */
const assignment = /^([^=<>!]+)=(?!=)(.+)$/s;
const skips = /^(?:instruction|return(?: ([1-9]\d{0,4}))?)$/;
/** What RET has room for. */
const mostArguments = 0xffff;
/** Types at which an instruction is about to run. */
const skipping: readonly string[] = ['exec', 'interrupt'];
/** Interrupts allowed, and single steps. */
const interruptFlags = 0x300;

/** All that a breakpoint does on a hit, in order: first what it sets, then what it leaves out. */
export function compileActions(
  { set = [], skip, type, length }: BreakpointSpec,
  vocabulary: DosVocabulary,
  cpu: X86,
): readonly Action[] {
  if (set.length > mostAssignments) {
    throw refused(`At most ${mostAssignments} assignments.`, 'Set several breakpoints there.');
  }
  const actions = set.map((text) => compileAssignment(text, vocabulary, cpu));
  if (skip === undefined) return actions;
  const [known, bytes] = skips.exec(skip) ?? [];
  if (known === undefined || Number(bytes ?? 0) > mostArguments) {
    throw refused(
      `skip cannot be ${JSON.stringify(skip.slice(0, 40))}.`,
      'Use "instruction", "return", or "return 4" for a routine that takes 4 bytes of arguments (65535 at most) from the stack.',
    );
  }
  if (!skipping.includes(type) || (type === 'exec' && length > 1)) {
    throw refused(
      `A breakpoint of type ${type}${length > 1 ? ' over a range' : ''} cannot skip anything.`,
      `Use ${skipping.join(' or ')} at one address.`,
    );
  }
  if (known === 'instruction' && type === 'interrupt') {
    throw refused('The interrupt has happened already.', 'Use "skip":"return": its handler is left out.');
  }
  return [...actions, known === 'instruction' ? skipInstruction(cpu) : skipRoutine(cpu, Number(bytes ?? 0))];
}

function compileAssignment(text: string, vocabulary: DosVocabulary, cpu: X86): Action {
  const [, left, right] = assignment.exec(text) ?? [];
  if (left === undefined || right === undefined) {
    throw refused(
      `${JSON.stringify(text.slice(0, 60))} sets nothing.`,
      'Write "ax=0", "cf=1" or "word[ds.base+si]=ax+1".',
    );
  }
  const value = compileCondition(right, vocabulary);
  const target = parseCondition(left);
  const compile = (expression: typeof target) => compileExpression(left, expression, vocabulary);
  if (target.type === 'memory') return poking(cpu, compile(target.address), target.bytes, value);
  if (target.type === 'row' && vocabulary.row(target.name)) {
    const segment = target.name.toLowerCase();
    const index = compile(target.index);
    return poking(cpu, () => vocabulary.addressIn(segment, index()), 1, value);
  }
  const name = target.type === 'name' ? target.name.toLowerCase() : '';
  const bit = ownValue(flagBits, name);
  if (bit !== undefined) {
    return (act) => {
      const flags = cpu.get('flags');
      act({ type: 'register', name: 'flags', value: value() === 0 ? flags & ~(1 << bit) : flags | (1 << bit) });
      return undefined;
    };
  }
  const place = registerPlaces.get(name);
  if (place) {
    return (act) => {
      act({ type: 'register', name, value: masked(value(), place.bits / 8) });
      return undefined;
    };
  }
  throw refused(
    `${left.trim().slice(0, 60)} cannot be set.`,
    'Set a register, a flag (cf, zf …), or memory: byte[…], word[…], dword[…], ds[…].',
  );
}

function poking(cpu: X86, address: Reading, bytes: number, value: Reading): Action {
  return (act) => {
    const at = address();
    if (!(at >= 0 && at + bytes <= 0x100000000)) return `no memory at ${at}`;
    if (cpu.physical(at) < 0 || cpu.physical(at + bytes - 1) < 0) return `no page at 0x${at.toString(16)}`;
    let rest = masked(value(), bytes);
    const written = Uint8Array.from({ length: bytes }, () => {
      const byte = rest % 256;
      rest = Math.floor(rest / 256);
      return byte;
    });
    act({ type: 'poke', address: at, bytes: written });
    return undefined;
  };
}

/** As a register or memory of so many bytes would hold it. */
function masked(value: number, bytes: number): number {
  const range = 256 ** bytes;
  const whole = Math.trunc(value) % range;
  return whole < 0 ? whole + range : whole;
}

function skipInstruction(cpu: X86): Action {
  return (act) => {
    const { next } = cpu.decode(cpu.get('cs'), cpu.get('eip'));
    act({ type: 'register', name: 'eip', value: next });
    return undefined;
  };
}

/** Returns as the routine would, from wherever in it this is; arguments are taken from the stack as `ret n` does. */
function skipRoutine(cpu: X86, argumentBytes: number): Action {
  return (act) => {
    const way = wayBack(cpu);
    if (!way) return 'no call is known that this could return from';
    const { stack, wide, parts, isService } = way;
    if (parts === 3 && cpu.isProtected) return 'interrupts of protected mode cannot be skipped';
    const bytes = wide ? 4 : 2;
    const read = (index: number) => {
      let value = 0;
      for (let at = bytes - 1; at >= 0; at--) value = value * 256 + cpu.peek((stack + index * bytes + at) >>> 0);
      return value;
    };
    const after = stack + parts * bytes + argumentBytes - cpu.baseOf('ss');
    const [offset, segment, flags] = [read(0), read(1), read(2)];
    if (parts === 3) {
      // Flags are a service's answer, all but those that the processor cleared on the way in.
      const kept = isService ? cpu.get('flags') & ~interruptFlags : 0;
      const back = isService ? flags & interruptFlags : flags & 0xffff;
      act({ type: 'register', name: 'flags', value: kept | back });
    }
    act({ type: 'register', name: cpu.isWideStack ? 'esp' : 'sp', value: masked(after, cpu.isWideStack ? 4 : 2) });
    if (parts > 1) act({ type: 'register', name: 'cs', value: segment & 0xffff });
    act({ type: 'register', name: 'eip', value: offset });
    return undefined;
  };
}

interface WayBack {
  /** Linear address of the return address. */
  readonly stack: number;
  readonly wide: boolean;
  /** Offset, segment, flags. */
  readonly parts: 1 | 2 | 3;
  readonly isService: boolean;
}

function wayBack(cpu: X86): WayBack | undefined {
  const context = cpu.contexts.at(-1);
  if (!context) return undefined;
  const { calls, suspended, stackPointer } = context;
  if (calls.depth === 0) {
    return suspended ? { stack: stackPointer, wide: false, parts: 3, isService: false } : undefined;
  }
  const { edge, stackPointer: stack } = calls.frame(calls.depth - 1);
  if (!(edge.from instanceof Block)) return undefined;
  const { form, operandSize } = edge.from.last;
  const parts = form.mnemonic === 'call' ? 1 : form.mnemonic === 'callf' ? 2 : 3;
  return { stack, wide: parts < 3 && operandSize === 32, parts, isService: parts === 3 };
}

function refused(problem: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', problem, fix);
}
