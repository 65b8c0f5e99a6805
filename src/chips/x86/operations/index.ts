import type { Instruction } from '../instruction.ts';
import { arithmetic } from './arithmetic.ts';
import { bits } from './bits.ts';
import { branches } from './branches.ts';
import { decimal } from './decimal.ts';
import { descriptors } from './descriptors.ts';
import { far } from './far.ts';
import { moves } from './moves.ts';
import { multiplication } from './multiply.ts';
import { numeric } from './numeric.ts';
import type { Operation } from './operation.ts';
import { shifts } from './shifts.ts';
import { strings } from './strings.ts';
import { system } from './system.ts';

/** Semantics by mnemonic, or by mnemonic and the letters of its operands where these decide. */
const operations = new Map<string, Operation>(
  [
    arithmetic,
    bits,
    branches,
    decimal,
    descriptors,
    far,
    moves,
    multiplication,
    numeric,
    shifts,
    strings,
    system,
  ].flatMap((group) => Object.entries(group)),
);

/** What an instruction does. */
export function operationOf({ form, operands, space }: Instruction): Operation {
  const letters = form.operands.map((code) => code.charAt(0)).join('');
  const { mnemonic } = form;
  const operation =
    (space.plain ? undefined : operations.get(`${mnemonic} protected ${operands[0]?.kind}`)) ??
    operations.get(`${mnemonic} ${operands[0]?.kind}`) ??
    operations.get(`${mnemonic} ${letters}`) ??
    operations.get(`${mnemonic} ${letters.charAt(0)}`) ??
    operations.get(mnemonic);
  if (!operation) throw new Error(`no semantics for ${mnemonic}`);
  return operation;
}
