/** How an operand is found. */
export type AddressingMode =
  | 'implied'
  | 'accumulator'
  | 'immediate'
  | 'zeropage'
  | 'zeropage,x'
  | 'zeropage,y'
  | 'absolute'
  | 'absolute,x'
  | 'absolute,y'
  | '(absolute)'
  | '(zeropage,x)'
  | '(zeropage),y'
  | 'relative';

/** What happens on the bus once the address is known; `own` sequences are written out one by one. */
export type BusPattern = 'read' | 'write' | 'modify' | 'implied' | 'branch' | 'own';

/** One row of the instruction set. The generator, the disassembler and the assembler all read this table. */
export interface Opcode {
  readonly opcode: number;
  readonly mnemonic: string;
  readonly mode: AddressingMode;
  readonly pattern: BusPattern;
  readonly documented: boolean;
  readonly length: number;
  /** Without page crossing and with branches not taken; 0 for JAM, which never ends. */
  readonly cycles: number;
}

const modes: Readonly<Record<string, AddressingMode>> = {
  acc: 'accumulator',
  imm: 'immediate',
  zp: 'zeropage',
  zpx: 'zeropage,x',
  zpy: 'zeropage,y',
  abs: 'absolute',
  abx: 'absolute,x',
  aby: 'absolute,y',
  ind: '(absolute)',
  izx: '(zeropage,x)',
  izy: '(zeropage),y',
  rel: 'relative',
};

// Sixteen opcodes a line, in order; `*` marks the undocumented ones.
const matrix = `
BRK     ORA.izx JAM*    SLO.izx* NOP.zp*  ORA.zp  ASL.zp  SLO.zp*  PHP ORA.imm ASL.acc ANC.imm* NOP.abs* ORA.abs ASL.abs SLO.abs*
BPL.rel ORA.izy JAM*    SLO.izy* NOP.zpx* ORA.zpx ASL.zpx SLO.zpx* CLC ORA.aby NOP*    SLO.aby* NOP.abx* ORA.abx ASL.abx SLO.abx*
JSR.abs AND.izx JAM*    RLA.izx* BIT.zp   AND.zp  ROL.zp  RLA.zp*  PLP AND.imm ROL.acc ANC.imm* BIT.abs  AND.abs ROL.abs RLA.abs*
BMI.rel AND.izy JAM*    RLA.izy* NOP.zpx* AND.zpx ROL.zpx RLA.zpx* SEC AND.aby NOP*    RLA.aby* NOP.abx* AND.abx ROL.abx RLA.abx*
RTI     EOR.izx JAM*    SRE.izx* NOP.zp*  EOR.zp  LSR.zp  SRE.zp*  PHA EOR.imm LSR.acc ALR.imm* JMP.abs  EOR.abs LSR.abs SRE.abs*
BVC.rel EOR.izy JAM*    SRE.izy* NOP.zpx* EOR.zpx LSR.zpx SRE.zpx* CLI EOR.aby NOP*    SRE.aby* NOP.abx* EOR.abx LSR.abx SRE.abx*
RTS     ADC.izx JAM*    RRA.izx* NOP.zp*  ADC.zp  ROR.zp  RRA.zp*  PLA ADC.imm ROR.acc ARR.imm* JMP.ind  ADC.abs ROR.abs RRA.abs*
BVS.rel ADC.izy JAM*    RRA.izy* NOP.zpx* ADC.zpx ROR.zpx RRA.zpx* SEI ADC.aby NOP*    RRA.aby* NOP.abx* ADC.abx ROR.abx RRA.abx*
NOP.imm* STA.izx NOP.imm* SAX.izx* STY.zp STA.zp  STX.zp  SAX.zp*  DEY NOP.imm* TXA    ANE.imm* STY.abs  STA.abs STX.abs SAX.abs*
BCC.rel STA.izy JAM*    SHA.izy* STY.zpx  STA.zpx STX.zpy SAX.zpy* TYA STA.aby TXS     TAS.aby* SHY.abx* STA.abx SHX.aby* SHA.aby*
LDY.imm LDA.izx LDX.imm LAX.izx* LDY.zp   LDA.zp  LDX.zp  LAX.zp*  TAY LDA.imm TAX     LXA.imm* LDY.abs  LDA.abs LDX.abs LAX.abs*
BCS.rel LDA.izy JAM*    LAX.izy* LDY.zpx  LDA.zpx LDX.zpy LAX.zpy* CLV LDA.aby TSX     LAS.aby* LDY.abx  LDA.abx LDX.aby LAX.aby*
CPY.imm CMP.izx NOP.imm* DCP.izx* CPY.zp  CMP.zp  DEC.zp  DCP.zp*  INY CMP.imm DEX     SBX.imm* CPY.abs  CMP.abs DEC.abs DCP.abs*
BNE.rel CMP.izy JAM*    DCP.izy* NOP.zpx* CMP.zpx DEC.zpx DCP.zpx* CLD CMP.aby NOP*    DCP.aby* NOP.abx* CMP.abx DEC.abx DCP.abx*
CPX.imm SBC.izx NOP.imm* ISC.izx* CPX.zp  SBC.zp  INC.zp  ISC.zp*  INX SBC.imm NOP     SBC.imm* CPX.abs  SBC.abs INC.abs ISC.abs*
BEQ.rel SBC.izy JAM*    ISC.izy* NOP.zpx* SBC.zpx INC.zpx ISC.zpx* SED SBC.aby NOP*    ISC.aby* NOP.abx* SBC.abx INC.abx ISC.abx*`;

const ownSequences = new Map(
  Object.entries({ BRK: 7, JSR: 6, RTI: 6, RTS: 6, PHA: 3, PHP: 3, PLA: 4, PLP: 4, JAM: 0, JMP: 3 }),
);
const stores = new Set(['STA', 'STX', 'STY', 'SAX', 'SHA', 'SHX', 'SHY', 'TAS']);
const modifies = new Set(['ASL', 'LSR', 'ROL', 'ROR', 'INC', 'DEC', 'SLO', 'RLA', 'SRE', 'RRA', 'DCP', 'ISC']);

const operandBytes: Readonly<Record<AddressingMode, number>> = {
  implied: 0,
  accumulator: 0,
  immediate: 1,
  zeropage: 1,
  'zeropage,x': 1,
  'zeropage,y': 1,
  absolute: 2,
  'absolute,x': 2,
  'absolute,y': 2,
  '(absolute)': 2,
  '(zeropage,x)': 1,
  '(zeropage),y': 1,
  relative: 1,
};

const readCycles: Readonly<Record<AddressingMode, number>> = {
  implied: 2,
  accumulator: 2,
  immediate: 2,
  zeropage: 3,
  'zeropage,x': 4,
  'zeropage,y': 4,
  absolute: 4,
  'absolute,x': 4,
  'absolute,y': 4,
  '(absolute)': 5,
  '(zeropage,x)': 6,
  '(zeropage),y': 5,
  relative: 2,
};

/** All 256 opcodes of the NMOS 6502, indexed by opcode. */
export const opcodes: readonly Opcode[] = matrix.trim().split(/\s+/).map(rowOf);

function rowOf(entry: string, opcode: number): Opcode {
  const [mnemonic = '', suffix = ''] = entry.replace('*', '').split('.');
  const mode = modes[suffix] ?? 'implied';
  const pattern = patternOf(mnemonic, mode);
  const documented = !entry.endsWith('*');
  return { opcode, mnemonic, mode, pattern, documented, length: 1 + operandBytes[mode], cycles: cyclesOf() };

  function cyclesOf(): number {
    if (pattern === 'own') return mode === '(absolute)' ? 5 : (ownSequences.get(mnemonic) ?? 0);
    const indexed = mode === 'absolute,x' || mode === 'absolute,y' || mode === '(zeropage),y';
    const crossing = indexed && pattern !== 'read' ? 1 : 0;
    return readCycles[mode] + crossing + (pattern === 'modify' ? 2 : 0);
  }
}

function patternOf(mnemonic: string, mode: AddressingMode): BusPattern {
  if (ownSequences.has(mnemonic)) return 'own';
  if (mode === 'relative') return 'branch';
  if (mode === 'implied' || mode === 'accumulator') return 'implied';
  if (stores.has(mnemonic)) return 'write';
  return modifies.has(mnemonic) ? 'modify' : 'read';
}
