import { readFileSync, writeFileSync } from 'node:fs';
import { FileStore } from '../fleet/wire/file-store.ts';
import { MachineError } from '../machine/errors.ts';
import { exitCodes } from './exit-codes.ts';
import { openFleetLine } from './fleet-line.ts';
import type { OptionValues } from './options.ts';
import { UsageError } from './usage-error.ts';

const namesNeeded: Readonly<Record<string, number>> = { list: 0, put: 2, get: 2, delete: 1 };

/** The files that all hosts of a fleet have, for its operator. */
export async function storeCommand(
  [action = '', name = '', file = '', ...others]: readonly string[],
  options: OptionValues,
  stdout: NodeJS.WritableStream,
): Promise<number> {
  const given = [name, file, ...others].filter((each) => each !== '').length;
  const problems = [
    ...(options.nats === undefined ? ['store needs --nats, the server of the fleet.'] : []),
    ...(namesNeeded[action] === given
      ? []
      : ['Use store list, store put NAME FILE, store get NAME FILE or store delete NAME.']),
    ...(name === '' || /^[A-Za-z0-9][\w.-]{0,99}$/.test(name)
      ? []
      : [`${JSON.stringify(name)} is not a name in the store.`]),
  ];
  if (problems.length > 0) throw new UsageError(problems);
  const line = await openFleetLine(options, 'frontpanel store', () => {});
  // How much may be there is said by stations: the operator may have more.
  const store = new FileStore(line, Number.POSITIVE_INFINITY);
  try {
    switch (action) {
      case 'list':
        for (const [each, { bytes, at }] of await store.list())
          stdout.write(`${each}  ${bytes} bytes  ${new Date(at).toISOString()}\n`);
        break;
      case 'put':
        await store.store(
          name,
          onDisk(file, () => readFileSync(file)),
        );
        break;
      case 'get': {
        const bytes = await store.readStored(name);
        onDisk(file, () => writeFileSync(file, bytes, { flag: 'wx', mode: 0o600 }));
        break;
      }
      case 'delete':
        if (!(await store.delete(name)))
          throw new MachineError('NOT_FOUND', `There is no ${name} in the store.`, 'See frontpanel store list.');
    }
    return exitCodes.ok;
  } finally {
    await line.close();
  }
}

function onDisk<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new MachineError('UNAVAILABLE', `${file} cannot be used: ${why}.`, 'Name another file.');
  }
}
