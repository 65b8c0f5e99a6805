import { acquireLock, type HeldLock, type LockOptions } from './acquire-lock.ts';

interface Shared {
  readonly lock: Promise<HeldLock>;
  users: number;
}

/** The locks of this process, each with the machines that run under it. */
const held = new Map<string, Shared>();
/** Those that are being given back. */
const leaving = new Map<string, Promise<void>>();

/** Takes the lock for this process, or joins those here who have it. The answer gives it back. */
export async function shareLock(name: string, options: LockOptions): Promise<() => Promise<void>> {
  for (let last = leaving.get(name); last; last = leaving.get(name)) await last;
  const shared = held.get(name) ?? { lock: acquireLock(name, options), users: 0 };
  held.set(name, shared);
  shared.users++;
  let mine = true;
  const release = async () => {
    if (!mine) return;
    mine = false;
    if (--shared.users > 0) return;
    held.delete(name);
    const left = giveBack(shared).finally(() => leaving.delete(name));
    leaving.set(name, left);
    await left;
  };
  try {
    await shared.lock;
    return release;
  } catch (error) {
    if (held.get(name) === shared) held.delete(name);
    throw error;
  }
}

async function giveBack({ lock }: Shared): Promise<void> {
  await (await lock)[Symbol.asyncDispose]();
}
