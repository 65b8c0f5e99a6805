/**
 * What a person's terminal and the server say to each other on a console's socket NAME.people, one JSON object per line.
 * Output does not come this way: it has a socket of its own, for any number of programs.
 */
export type FromPerson =
  /** First of all: who it is, and where they sit. */
  | { readonly hello: { readonly name: string; readonly place?: string; readonly spy: boolean } }
  /** Typed bytes, as base64. */
  | { readonly type: string }
  | { readonly do: PersonRequest };

/** Be the only one who writes; the same though another has the line; let others write; who is on; send a BREAK. */
export const personRequests = ['claim', 'force', 'release', 'who', 'break'] as const;
export type PersonRequest = (typeof personRequests)[number];

/** Something to show to the person. */
export interface ToPerson {
  readonly say: string;
}

/** A line holds this much typed text at most, and no line is longer than twice that. */
export const maxTypedBytes = 48 * 1024;
const maxLineChars = 96 * 1024;

/** Cuts a stream of text into lines; a line that is too long ends it. */
export class JsonLines {
  readonly #received: (message: unknown) => void;
  #rest = '';

  constructor(received: (message: unknown) => void) {
    this.#received = received;
  }

  /** False when this is not the protocol. */
  push(text: string): boolean {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > maxLineChars) return false;
    for (const line of lines) {
      const message = parsed(line);
      if (message === undefined) return false;
      this.#received(message);
    }
    return true;
  }
}

function parsed(line: string): unknown {
  if (line.length > maxLineChars) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The message, if it is one that a person's terminal sends. */
export function fromPerson(message: unknown): FromPerson | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if ('type' in message && typeof message.type === 'string') return { type: message.type };
  if ('do' in message) {
    const wanted = personRequests.find((request) => request === message.do);
    return wanted && { do: wanted };
  }
  if (!('hello' in message) || typeof message.hello !== 'object' || message.hello === null) return undefined;
  const { name, place, spy } = message.hello as Record<string, unknown>;
  if (typeof name !== 'string' || (place !== undefined && typeof place !== 'string')) return undefined;
  return { hello: { name, spy: spy === true, ...(place !== undefined && { place }) } };
}
