import type { AttackGroup } from './attack-case.ts';
import { Battlefield } from './battlefield.ts';
import { debuggers, gym } from './over-debuggers.ts';
import { files } from './over-files.ts';
import { malformed, rebinding, withoutToken } from './over-http.ts';
import { pageSocket, unixSockets } from './over-sockets.ts';
import { stdioLines } from './over-stdio.ts';
import { monitors, options, paths, roles, throughFind } from './over-tools.ts';

const groups: readonly AttackGroup[] = [
  withoutToken,
  rebinding,
  malformed,
  pageSocket,
  unixSockets,
  stdioLines,
  paths,
  options,
  files,
  monitors,
  roles,
  throughFind,
  debuggers,
  gym,
];

export interface AttackReport {
  readonly cases: number;
  readonly through: readonly string[];
}

/** Tries every case, or only each so many, and says what got through. */
export async function attack(say: (line: string) => void, each = 1): Promise<AttackReport> {
  await using field = await Battlefield.open();
  const before = field.fingerprint();
  const through: string[] = [];
  let cases = 0;
  for (const group of groups) {
    const chosen = group.cases(field).filter((_, index) => index % each === 0);
    let count = 0;
    for (const { name, run } of chosen) {
      const found = await run(field).catch((error: Error) => `no answer: ${error.message}`);
      if (found === undefined) continue;
      count++;
      through.push(`${group.name}, ${name}: ${found}`);
    }
    const damage = await field.damage();
    if (damage !== undefined) through.push(`${group.name}: ${damage}`);
    if (field.fingerprint() !== before) through.push(`${group.name}: files were changed`);
    cases += chosen.length;
    say(`${group.name}: ${chosen.length} cases, ${count} got through`);
  }
  return { cases, through };
}
