import { propertyProblem } from './known-devices.ts';

/** Objects that hold nothing of this computer but memory and time of a processor, with what they take. */
const objects: Readonly<Record<string, readonly string[]>> = {
  'can-bus': [],
  'cryptodev-backend-builtin': ['queues'],
  iothread: ['poll-max-ns', 'poll-grow', 'poll-shrink', 'aio-max-batch', 'thread-pool-min', 'thread-pool-max'],
  'main-loop': ['aio-max-batch', 'thread-pool-min', 'thread-pool-max'],
  'memory-backend-memfd': ['size', 'share', 'dump', 'merge'],
  'memory-backend-ram': ['size', 'share', 'dump', 'merge'],
  'rng-builtin': [],
  'throttle-group': ['x-iops-total', 'x-iops-read', 'x-iops-write', 'x-bps-total', 'x-bps-read', 'x-bps-write'],
};

export const knownObjects: readonly string[] = Object.keys(objects);

/** Why an object may not be made; undefined when it may. */
export function objectProblem(object: Readonly<Record<string, unknown>>): string | undefined {
  const { 'qom-type': type, id, ...properties } = object;
  const known = typeof type === 'string' && Object.hasOwn(objects, type) ? objects[type] : undefined;
  if (!known) return `the object ${JSON.stringify(type ?? '').slice(0, 60)} is not one of ${knownObjects.join(', ')}`;
  const problem = propertyProblem('id', id);
  if (problem !== undefined) return problem;
  for (const [name, value] of Object.entries(properties)) {
    const why = known.includes(name) ? propertyProblem(name, value) : `${String(type)} does not take ${name} here`;
    if (why !== undefined) return why;
  }
  return undefined;
}
