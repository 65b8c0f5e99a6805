import { UsageError } from './usage-error.ts';

/** What a fleet needs is optional, and may not be installed. */
export async function loadFleet<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = Object(error) as { code?: unknown; message?: unknown };
    if (code !== 'ERR_MODULE_NOT_FOUND' || !String(message).includes('@nats-io')) throw error;
    const packages = '@nats-io/transport-node @nats-io/jetstream';
    throw new UsageError([`--nats needs packages that are not installed: npm install ${packages}.`]);
  }
}
