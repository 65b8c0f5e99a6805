/** The processor as a debugger sees it. */
export interface CpuCapability {
  readonly name: string;
  registers(): Promise<readonly Register[]>;
  /** Throws an INVALID_ARGUMENT that names the registers or the range. */
  setRegister(name: string, value: number): Promise<void>;
  /** Where the next instruction is fetched. */
  readonly pc: number;
  disassemble(address: number, count: number): Promise<readonly Instruction[]>;
  /** Return addresses on the stack, innermost first, as well as they can be known. */
  callStack(): Promise<readonly CallFrame[]>;
}

export interface Register {
  readonly name: string;
  readonly value: number;
  readonly bits: number;
  /** For flag registers: the flags by letter, those set in upper case. */
  readonly flags?: string;
}

export interface Instruction {
  readonly address: number;
  readonly bytes: Uint8Array;
  readonly text: string;
}

export interface CallFrame {
  /** Where the call stands. */
  readonly from: number;
  readonly returnsTo: number;
}
