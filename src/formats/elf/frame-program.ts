import { DwarfCursor } from './dwarf-cursor.ts';
import type { CommonInformation } from './frame-entries.ts';

/** Where the value that a register had in the caller is. */
export type RegisterRule =
  | { readonly type: 'saved'; readonly offset: number }
  | { readonly type: 'value'; readonly offset: number }
  | { readonly type: 'register'; readonly number: number }
  | { readonly type: 'same' }
  | { readonly type: 'lost' };

/** A frame at one place: `cfa` is where the caller's stack pointer was, as a register and a distance. */
export interface FrameRules {
  readonly cfa: { readonly register: number; readonly offset: number };
  readonly returnRegister: number;
  readonly registers: ReadonlyMap<number, RegisterRule>;
  /** Of an address in the file that says so: 4 for programs of 32 bits, also where the processor has more. */
  readonly wordBytes: number;
}

interface State {
  /** Undefined when it has to be computed by a program of its own. */
  cfa: { register: number; offset: number } | undefined;
  registers: Map<number, RegisterRule>;
}

const op = {
  nop: 0,
  setLocation: 1,
  advance1: 2,
  advance2: 3,
  advance4: 4,
  offsetExtended: 5,
  restoreExtended: 6,
  undefined: 7,
  sameValue: 8,
  register: 9,
  rememberState: 10,
  restoreState: 11,
  defineCfa: 12,
  defineCfaRegister: 13,
  defineCfaOffset: 14,
  defineCfaExpression: 15,
  expression: 16,
  offsetExtendedSigned: 17,
  defineCfaSigned: 18,
  defineCfaOffsetSigned: 19,
  valueOffset: 20,
  valueOffsetSigned: 21,
  valueExpression: 22,
  argumentsSize: 0x2e,
} as const;
const maxRemembered = 64;

/** Carries out what a function does to its frame up to an address; undefined where that is beyond us. */
export function runFrameProgram(
  common: CommonInformation,
  own: DwarfCursor,
  start: bigint,
  address: bigint,
  wordBytes: number,
): FrameRules | undefined {
  const state: State = { cfa: undefined, registers: new Map() };
  const { program } = common;
  run(new DwarfCursor(program.view, program.at, program.end), common, state, new Map(), 0n, undefined);
  const initial = new Map(state.registers);
  if (!run(own, common, state, initial, start, address) || !state.cfa) return undefined;
  return { cfa: state.cfa, returnRegister: common.returnRegister, registers: state.registers, wordBytes };
}

/** False at something unknown. Ends before what happens after the address. */
function run(
  cursor: DwarfCursor,
  { codeFactor, dataFactor }: CommonInformation,
  state: State,
  initial: ReadonlyMap<number, RegisterRule>,
  start: bigint,
  address: bigint | undefined,
): boolean {
  let place = start;
  const remembered: State[] = [];
  const set = (register: number, rule: RegisterRule) => void state.registers.set(register, rule);
  const saved = (register: number, factored: number) => set(register, { type: 'saved', offset: factored * dataFactor });
  const restore = (register: number) => {
    const rule = initial.get(register);
    if (rule) set(register, rule);
    else state.registers.delete(register);
  };
  const skipBlock = () => cursor.skip(cursor.unsigned());
  while (!cursor.done) {
    const code = cursor.u8();
    const [high, low] = [code >> 6, code & 0x3f];
    if (high === 2) saved(low, cursor.unsigned());
    else if (high === 3) restore(low);
    else if (high === 1 || (code >= op.setLocation && code <= op.advance4)) {
      if (code === op.setLocation) return false;
      const steps =
        high === 1 ? low : code === op.advance1 ? cursor.u8() : code === op.advance2 ? cursor.u16() : cursor.u32();
      place += BigInt(steps * codeFactor);
      if (address !== undefined && place > address) return true;
    } else if (code === op.offsetExtended) saved(cursor.unsigned(), cursor.unsigned());
    else if (code === op.offsetExtendedSigned) saved(cursor.unsigned(), cursor.signed());
    else if (code === op.restoreExtended) restore(cursor.unsigned());
    else if (code === op.undefined) set(cursor.unsigned(), { type: 'lost' });
    else if (code === op.sameValue) set(cursor.unsigned(), { type: 'same' });
    else if (code === op.register) set(cursor.unsigned(), { type: 'register', number: cursor.unsigned() });
    else if (code === op.rememberState) {
      if (remembered.length >= maxRemembered) return false;
      remembered.push({ cfa: state.cfa && { ...state.cfa }, registers: new Map(state.registers) });
    } else if (code === op.restoreState) {
      const before = remembered.pop();
      if (!before) return false;
      Object.assign(state, before);
    } else if (code === op.defineCfa) state.cfa = { register: cursor.unsigned(), offset: cursor.unsigned() };
    else if (code === op.defineCfaSigned)
      state.cfa = { register: cursor.unsigned(), offset: cursor.signed() * dataFactor };
    else if (code === op.defineCfaRegister) state.cfa = { register: cursor.unsigned(), offset: state.cfa?.offset ?? 0 };
    else if (code === op.defineCfaOffset || code === op.defineCfaOffsetSigned) {
      const offset = code === op.defineCfaOffset ? cursor.unsigned() : cursor.signed() * dataFactor;
      if (!state.cfa) return false;
      state.cfa = { ...state.cfa, offset };
    } else if (code === op.defineCfaExpression) {
      skipBlock();
      state.cfa = undefined;
    } else if (code === op.expression || code === op.valueExpression) {
      set(cursor.unsigned(), { type: 'lost' });
      skipBlock();
    } else if (code === op.valueOffset)
      set(cursor.unsigned(), { type: 'value', offset: cursor.unsigned() * dataFactor });
    else if (code === op.valueOffsetSigned)
      set(cursor.unsigned(), { type: 'value', offset: cursor.signed() * dataFactor });
    else if (code === op.argumentsSize) cursor.unsigned();
    else if (code !== op.nop) return false;
  }
  return true;
}
