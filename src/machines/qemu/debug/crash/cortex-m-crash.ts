import { lowerHex } from '../../../../formats/hex.ts';
import type { CrashReport } from '../../../../machine/crash.ts';
import { exceptionFrame } from '../exception-frame.ts';
import { ifThere } from '../if-there.ts';
import { isSet } from '../paging/table-scheme.ts';
import type { Scene } from './scene.ts';

const registers = {
  cfsr: 0xe000ed28n,
  hfsr: 0xe000ed2cn,
  mmfar: 0xe000ed34n,
  bfar: 0xe000ed38n,
  vtor: 0xe000ed08n,
} as const;
const handlers: Readonly<Record<number, string>> = { 3: 'HardFault', 4: 'MemManage', 5: 'BusFault', 6: 'UsageFault' };
/** Bits of the configurable fault status, and whether an address is known then. */
const bits: readonly (readonly [bit: number, text: string, address?: 'mmfar' | 'bfar'])[] = [
  [0, 'an instruction was fetched where the MPU forbids it'],
  [1, 'data was used where the MPU forbids it', 'mmfar'],
  [3, 'an exception return could not take its registers from the stack (MPU)'],
  [4, 'an exception could not push its registers: the stack is where the MPU forbids it, or has overflowed'],
  [8, 'an instruction was fetched where nothing answers'],
  [9, 'data was used where nothing answers', 'bfar'],
  [10, 'a write went where nothing answers (it is known only afterwards)'],
  [11, 'an exception return could not take its registers from the stack'],
  [12, 'an exception could not push its registers: the stack has overflowed or was never set'],
  [16, 'an undefined instruction'],
  [17, 'a jump to an even address, which is not Thumb code'],
  [18, 'an exception return with a bad mark in LR'],
  [19, 'a floating-point instruction while the unit is off'],
  [24, 'an unaligned access'],
  [25, 'a division by zero'],
];
const [vectorRead, escalated] = [1, 30];

/** What the fault registers of a Cortex-M say, and the instruction that its exception saved. */
export async function explainCortexM(scene: Scene): Promise<CrashReport | undefined> {
  const { target } = scene;
  const read = (address: bigint) => ifThere(target.number(address, 4));
  const cfsr = (await read(registers.cfsr)) ?? 0n;
  const hfsr = (await read(registers.hfsr)) ?? 0n;
  const active = Number((await target.value('xpsr')) & 0x1ffn);
  const handler = handlers[active];
  if (cfsr === 0n && hfsr === 0n && handler === undefined) return undefined;
  const said = bits.filter(([bit]) => isSet(cfsr, bit));
  const mark = await target.value('lr');
  const frame = handler === undefined ? undefined : await exceptionFrame(target, mark, await target.sp());
  const pc = frame?.get(15);
  const [, text = isSet(hfsr, vectorRead) ? 'the vector table could not be read' : 'a fault', at] = said[0] ?? [];
  const address = at === undefined ? undefined : await read(registers[at]);
  const lines = [
    `CFSR 0x${lowerHex(cfsr, 8)}, HFSR 0x${lowerHex(hfsr, 8)}${handler === undefined ? '' : `, in the handler of ${handler}`}${isSet(hfsr, escalated) ? ' (escalated to HardFault)' : ''}`,
    ...said.map(([bit, words]) => `  bit ${bit}: ${words}`),
    ...(pc === undefined ? [] : [`at ${scene.place(pc)}: ${(await scene.instruction(pc)) ?? 'which cannot be read'}`]),
    ...(frame
      ? [
          `saved: ${[...frame].map(([number, value]) => `${names[number] ?? `r${number}`}=0x${lowerHex(value)}`).join(' ')}`,
        ]
      : []),
    `vector table at 0x${lowerHex((await read(registers.vtor)) ?? 0n)}`,
  ];
  const hint = address === undefined ? undefined : scene.suspicion(address);
  const to = address === undefined ? '' : ` (${hint ? `${hint}, 0x${lowerHex(address)}` : scene.place(address)})`;
  return {
    summary: `${text}${to}${pc === undefined ? '' : ` at ${scene.where(pc)}`}`,
    lines,
    address: pc,
    exception: handler ?? 'fault',
  };
}

const names: Readonly<Record<number, string>> = { 13: 'sp', 14: 'lr', 15: 'pc' };
