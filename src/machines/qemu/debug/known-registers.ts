import { ownValue } from '../../../formats/own-value.ts';
import type { TargetDescription, TargetRegister } from '../../../links/gdb/target-description.ts';

/** Registers of one width in a row; `a0-a3` stands for four of them. */
type Row = readonly [bits: number, names: string, group?: 'float'];

const mips = 'zero at v0 v1 a0-a3 t0-t7 s0-s7 t8 t9 k0 k1 gp sp s8 ra sr lo hi bad cause pc';
const sparcWindow = 'g0-g7 o0-o5 sp o7 l0-l7 i0-i5 fp i7';

/** What QEMU sends together for processors that it does not describe, in the order in which it comes. */
const tables: Readonly<Record<string, readonly Row[]>> = {
  alpha: [
    [64, 'v0 t0-t7 s0-s5 fp a0-a5 t8-t11 ra t12 at gp sp zero'],
    [64, 'f0-f30 fpcr', 'float'],
    [64, 'pc unused unique'],
  ],
  hppa: [
    [32, 'psw r1-r31 sar pcoqh pcsqh pcoqt pcsqt eiem iir isr ior ipsw unused sr4 sr0-sr3 sr5-sr7'],
    [32, 'rctr cr8 cr9 ccr cr12 cr13 cr24-cr30'],
    [32, 'f0-f63', 'float'],
  ],
  microblaze: [[32, 'r0-r31 pc msr ear esr fsr btr pvr0-pvr11 edr pid zpr tlbx tlbsx tlblo tlbhi slr shr']],
  mips: [
    [32, mips],
    [32, 'f0-f31 fsr fir', 'float'],
  ],
  mips64: [
    [64, mips],
    [64, 'f0-f31 fsr fir', 'float'],
  ],
  nios2: [
    [32, 'zero at r2-r23 et bt gp sp fp ea ba ra pc status estatus bstatus ienable ipending cpuid cr6'],
    [32, 'exception pteaddr tlbacc tlbmisc eccinj badaddr config mpubase mpuacc'],
  ],
  or1k: [[32, 'r0-r31 ppc npc sr']],
  sh4: [
    [32, 'r0-r15 pc pr gbr vbr mach macl sr'],
    [32, 'fpul fpscr fr0-fr15', 'float'],
    [32, 'ssr spc r0b0 r1b0 r2b0 r3b0 r4b0 r5b0 r6b0 r7b0 r0b1 r1b1 r2b1 r3b1 r4b1 r5b1 r6b1 r7b1'],
  ],
  sparc: [
    [32, sparcWindow],
    [32, 'f0-f31', 'float'],
    [32, 'y psr wim tbr pc npc fsr csr'],
  ],
  sparc64: [
    [64, sparcWindow],
    [32, 'f0-f31', 'float'],
    [64, 'f32 f34 f36 f38 f40 f42 f44 f46 f48 f50 f52 f54 f56 f58 f60 f62', 'float'],
    [64, 'pc npc state fsr fprs y'],
  ],
  tricore: [[32, 'd0-d15 a0-a15 lcx fcx pcxi psw pc icr isp btv biv syscon pmucon0 dmucon']],
};

/** Up to QEMU 11, it says of these that they have eight bits, and sends all of them. */
const avrBits: Readonly<Record<string, number>> = { sp: 16, pc: 32 };

/** The description as the target gives it; for one that gives none, ours, if the name after `qemu-system-` is known. */
export function described(description: TargetDescription, arch: string): TargetDescription {
  if (arch === 'avr') {
    const registers = description.registers.map((each) => ({
      ...each,
      bits: ownValue(avrBits, each.name) ?? each.bits,
    }));
    return { ...description, registers };
  }
  if (description.registers.length > 0) return description;
  const rows = ownValue(tables, arch) ?? ownValue(tables, arch.replace(/e[lb]$/, ''));
  return rows ? { ...description, registers: registersOf(rows) } : description;
}

function registersOf(rows: readonly Row[]): TargetRegister[] {
  const registers: TargetRegister[] = [];
  for (const [bits, names, group = ''] of rows) {
    for (const name of names.split(' ').flatMap(expanded)) {
      registers.push({ name, number: registers.length, bits, type: 'int', feature: '', group });
    }
  }
  return registers;
}

function expanded(name: string): string[] {
  const [, stem = '', first, last] = /^([a-z]+)(\d+)-[a-z]+(\d+)$/.exec(name) ?? [];
  if (first === undefined) return [name];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, n) => `${stem}${Number(first) + n}`);
}
