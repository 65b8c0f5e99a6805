import type { Dos } from '../services/dos/dos.ts';
import { dateText, timeText } from './commands/system.ts';
import { variable } from './shell-environment.ts';

/** What PROMPT makes of the current state. */
export function promptText(dos: Dos): string {
  const format = variable(dos, 'PROMPT') || '$p$g';
  const drive = String.fromCharCode(0x41 + dos.area.currentDrive);
  const parts: Readonly<Record<string, () => string>> = {
    q: () => '=',
    $: () => '$',
    t: () => timeText(dos),
    d: () => dateText(dos),
    p: () => dos.directories.get(dos.area.currentDrive),
    v: () => 'frontpanel DOS Version 5.00',
    n: () => drive,
    g: () => '>',
    l: () => '<',
    b: () => '|',
    _: () => '\r\n',
    e: () => '\x1b',
    h: () => '\b',
  };
  return format.replace(/\$(.)/gs, (_, letter: string) => parts[letter.toLowerCase()]?.() ?? '');
}
