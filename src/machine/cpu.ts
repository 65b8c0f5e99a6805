/** A processor as a debugger sees it; of a machine with several, the one that is meant unless another is named. */
export interface CpuCapability {
  readonly name: string;
  registers(): Promise<readonly Register[]>;
  /** Throws an INVALID_ARGUMENT that names the registers or the range. */
  setRegister(name: string, value: bigint): Promise<void>;
  /** Where the next instruction is fetched. */
  readonly pc: bigint;
  disassemble(address: bigint, count: number): Promise<readonly Instruction[]>;
  /** The same of one of the memory's spaces, whatever the processor sees. */
  disassembleIn?(space: string, address: bigint, count: number): Promise<readonly Instruction[]>;
  /** Return addresses on the stack, innermost first, as well as they can be known. */
  callStack(): Promise<readonly CallFrame[]>;
}

export interface Register {
  readonly name: string;
  readonly value: bigint;
  readonly bits: number;
  /** For flag registers: the flags by letter, those set in upper case. */
  readonly flags?: string;
}

export interface Instruction {
  readonly address: bigint;
  readonly bytes: Uint8Array;
  readonly text: string;
}

export interface CallFrame {
  /** Where the call stands, or what was interrupted. */
  readonly from: bigint;
  /** A call unless told. */
  readonly kind?: 'call' | 'interrupt';
  /** Found by looking through the stack for return addresses: it may be left over from an earlier call. */
  readonly guess?: boolean;
  readonly returnsTo: bigint;
}
