import type { GuestShell } from './guest-shell.ts';

const programs = ['base64', 'od', 'hexdump', 'sha256sum', 'cksum', 'dd'] as const;
export type GuestProgram = (typeof programs)[number];

/** What a guest has for the transfer of files. */
export interface GuestSurvey {
  readonly programs: ReadonlySet<GuestProgram>;
  /** Devices of virtio channels that can be opened, by the name of the channel. */
  readonly channels: ReadonlyMap<string, string>;
  /** Shared folders, by their tag. */
  readonly mounts: ReadonlyMap<string, Mount>;
}

interface Mount {
  readonly point: string;
  /** By the user of this shell. */
  readonly writable: boolean;
}

// Of `dd` only one that reads whole blocks is of use.
const findPrograms =
  `for p in ${programs.filter((name) => name !== 'dd').join(' ')}; do command -v $p > /dev/null && echo "has $p"; done; ` +
  'dd iflag=fullblock < /dev/null > /dev/null && echo has dd';
// Without the help of udev. A channel that another program has open refuses to be opened.
const findChannels =
  'for c in /sys/class/virtio-ports/*; do d=/dev/$(basename $c); [ -w "$d" ] && true < "$d" && echo "channel $d $(cat $c/name)"; done';
const findMounts =
  'while read -r t m f o; do [ $f = 9p ] || [ $f = virtiofs ] || continue; o=ro; [ -w "$(printf %b $m)" ] && o=rw; echo "mount $t $m $o"; done < /proc/mounts';

/** Asks the guest; with `fast` also for what carries files faster than a console. */
export async function surveyGuest(shell: GuestShell, fast: boolean): Promise<GuestSurvey> {
  const commands = [findPrograms, ...(fast ? [findChannels, findMounts] : []), 'true'];
  const answer = await shell.run(`{ ${commands.join('; ')}; } 2> /dev/null`, 'looking at the guest');
  const lines = answer.split('\n').map((line) => line.split(' '));
  const named = (kind: string) => lines.filter(([first]) => first === kind).map(([, ...rest]) => rest);
  const present = new Set(named('has').map(([name]) => name));
  return {
    programs: new Set(programs.filter((name) => present.has(name))),
    channels: new Map(
      named('channel')
        .filter(([device = '']) => /^\/dev\/\w+$/.test(device))
        .map(([device = '', name = '']) => [name, device]),
    ),
    mounts: new Map(
      named('mount').map(([tag = '', point = '', access]) => [
        unescaped(tag),
        { point: unescaped(point), writable: access === 'rw' },
      ]),
    ),
  };
}

/** In the table of mounts a space is `\040`. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
