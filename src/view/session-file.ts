import type { TimelineEntry } from './channel.ts';

/** The calls of a session and what people did between them, in one file: a page that shows them without a server. */
export interface SessionFile {
  readonly format: typeof sessionFormat;
  readonly version: 1;
  /** Milliseconds since 1970. */
  readonly exportedAt: number;
  /** False if the server no longer had the oldest calls. */
  readonly isWhole: boolean;
  readonly entries: readonly TimelineEntry[];
}

export const sessionFormat = 'frontpanel session';

const opening = '<script type="application/json" id="session">';
const closing = '</script>';

/** The session in the page that shows it. Nothing in it can end the element it stands in. */
export function sessionPage(template: string, session: SessionFile): string {
  const json = JSON.stringify(session).replaceAll('<', '\\u003c');
  return template.replace(`${opening}${closing}`, () => `${opening}${json}${closing}`);
}

/** What stands in such a page, as JSON; nothing in another file. */
export function sessionJson(page: string): string | undefined {
  const from = page.indexOf(opening);
  const to = from === -1 ? -1 : page.indexOf(closing, from);
  return to === -1 ? undefined : page.slice(from + opening.length, to);
}
