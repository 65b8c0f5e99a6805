import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The screen and the keyboard of a machine as one page, for clients that show it beside an answer. */
export const embeddedScreen = {
  uri: 'ui://frontpanel/screen',
  tools: ['screen_read', 'machine_start'],
  html: (): Promise<string> => readFile(fileURLToPath(new URL('page/app.html', import.meta.url)), 'utf8'),
} as const;
