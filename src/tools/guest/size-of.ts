import { MachineError } from '../../machine/errors.ts';
import { type GuestShell, quoted } from './guest-shell.ts';

const neither = 'this is neither a file nor a disk';

/** The length of a file or a disk; what has no end is refused by its line of `ls`. */
export async function sizeOf(shell: GuestShell, path: string): Promise<number> {
  const file = quoted(path);
  const command = `if [ -f ${file} ] || [ -b ${file} ]; then wc -c < ${file}; else [ ! -e ${file} ] || echo "${neither}:"; ls -ld ${file}; false; fi`;
  const answer = await shell.run(command, 'looking for a file or a disk');
  if (/^\s*\d+\s*$/.test(answer)) return Number(answer);
  const message = `Instead of the length of the file, the guest answered: ${answer.slice(0, 200)}`;
  throw new MachineError('UNAVAILABLE', message, 'Another program may print on this console; try again.');
}
