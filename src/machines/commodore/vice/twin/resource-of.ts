import { commands, text } from '../../../../links/vice/wire.ts';
import type { ViceSession } from '../vice-session.ts';

/** The low byte of a number among VICE's settings. */
export async function resourceOf(session: ViceSession, name: string): Promise<number> {
  const answer = await session.ask(commands.resourceGet, text(name));
  return answer[2] ?? 0;
}
