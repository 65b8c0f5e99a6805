import type { ConsoleCapability, ConsolePort } from '../../machine/console.ts';
import { MachineError } from '../../machine/errors.ts';
import type { Rack } from '../../rack/rack.ts';
import { portNamed } from '../console/port-named.ts';
import { fileLimits } from '../file-limits.ts';
import { type Channel, getByChannel, putByChannel } from './by-channel.ts';
import { getByConsole, putByConsole } from './by-console.ts';
import { getByShare, type MountedShare, putByShare } from './by-share.ts';
import { type GuestShell, quoted } from './guest-shell.ts';
import { sizeOf } from './size-of.ts';
import { type GuestSurvey, surveyGuest } from './survey-guest.ts';
import { verifyFile } from './verify-file.ts';

/** Instead of a channel: over the console alone. */
const noChannel = 'none';

export interface TransferRequest {
  readonly console: ConsoleCapability;
  readonly shell: GuestShell;
  readonly rack: Rack;
  /** A port by name, `none`, or whatever is fastest. */
  readonly channel: string | undefined;
  /** Where an earlier call over the console stopped. */
  readonly offset: number;
  progress(message: string): void;
}

export interface PutResult {
  readonly at: number;
  readonly total: number;
  readonly way: string;
  /** How it is known that the file is the same; undefined as long as it is not whole. */
  readonly checked: string | undefined;
}

export interface GetResult {
  readonly bytes: Uint8Array;
  readonly total: number;
  readonly way: string;
  readonly checked: string | undefined;
}

interface Ways {
  readonly survey: GuestSurvey;
  readonly share: MountedShare | undefined;
  readonly channel: Channel | undefined;
  /** The channel was asked for: nothing else will do. */
  readonly onlyChannel: boolean;
}

/** Copies a file into the guest by the fastest way that works, and checks it. */
export async function putFile(request: TransferRequest, source: string, path: string): Promise<PutResult> {
  const { shell, rack, offset, progress } = request;
  const bytes = await rack.files.read(source, fileLimits.transfer);
  const ways = await findWays(request);
  if (offset === 0) await shell.run(`printf '' > ${quoted(path)}`, 'creating the file');
  const verified = () => verifyFile(shell, ways.survey, path, bytes);
  const { share, channel } = ways;
  const fast = await firstThatWorks(ways, {
    share: async () =>
      share && (await putByShare(shell, share, source, bytes, path)) ? { checked: await verified() } : undefined,
    channel: async () => {
      if (!channel) return undefined;
      await putByChannel(shell, ways.survey, channel, bytes, path);
      return { checked: await verified() };
    },
  });
  if (fast) return { at: bytes.length, total: bytes.length, ...fast };
  // What a faster way has left there.
  if (offset === 0 && (share || channel)) await shell.run(`printf '' > ${quoted(path)}`, 'emptying the file');
  const at = await putByConsole(shell, ways.survey, bytes, path, offset, progress);
  return { at, total: bytes.length, way: 'the console', checked: at < bytes.length ? undefined : await verified() };
}

/** Copies a file out of the guest by the fastest way that works, and checks it. */
export async function getFile(request: TransferRequest, path: string): Promise<GetResult> {
  const { shell, offset, progress } = request;
  const ways = await findWays(request);
  const total = await sizeOf(shell, path);
  const verified = (bytes: Uint8Array) => verifyFile(shell, ways.survey, path, bytes);
  const { share, channel } = ways;
  const fast = await firstThatWorks(ways, {
    share: async () => {
      if (!share?.writable) return undefined;
      const bytes = await getByShare(shell, share, path);
      return { bytes, checked: await verified(bytes) };
    },
    channel: async () => {
      if (!channel) return undefined;
      const bytes = await getByChannel(shell, channel, path, total);
      return { bytes, checked: await verified(bytes) };
    },
  });
  if (fast) return { total, ...fast };
  const bytes = await getByConsole(shell, ways.survey, path, total, offset, progress);
  const whole = bytes.length === total;
  return { bytes, total, way: 'the console', checked: whole ? await verified(bytes) : undefined };
}

async function findWays({ console: lines, shell, rack, channel: named, offset }: TransferRequest): Promise<Ways> {
  const asked = named === undefined || named === noChannel ? undefined : portNamed(lines, named);
  if (asked && offset > 0) {
    const message = 'A transfer through a channel is always complete; "offset" is for transfers over the console.';
    throw new MachineError('INVALID_ARGUMENT', message, 'Leave out offset, or channel.');
  }
  const fast = named !== noChannel && offset === 0;
  const survey = await surveyGuest(shell, fast);
  const mount = asked === undefined && lines.share ? survey.mounts.get(lines.share.tag) : undefined;
  const share = lines.share &&
    mount && { folder: lines.share, point: mount.point, writable: lines.share.writable && mount.writable, rack };
  const candidates = asked ? [asked] : lines.ports;
  const [channel] = candidates.flatMap((port) => {
    const device = survey.channels.get(ownName(port));
    return device === undefined ? [] : [{ port, device }];
  });
  if (asked && !channel) {
    throw new MachineError(
      'NOT_FOUND',
      `The guest has no channel ${ownName(asked)} that this user may open.`,
      'Its driver (virtio_console) must be loaded, no other program may have it open, and the user must be root.',
    );
  }
  return { survey, share, channel, onlyChannel: asked !== undefined };
}

/** A way that fails leaves the next one to be tried, unless it was asked for or time is up. */
async function firstThatWorks<T>(
  { onlyChannel, channel }: Ways,
  ways: { share(): Promise<T | undefined>; channel(): Promise<T | undefined> },
): Promise<(T & { readonly way: string }) | undefined> {
  const tries = [
    { way: 'the shared folder', go: ways.share },
    { way: `channel ${channel?.port.name}`, go: ways.channel },
  ];
  for (const { way, go } of tries) {
    try {
      const result = await go();
      if (result !== undefined) return { ...result, way };
    } catch (error) {
      if (onlyChannel || !(error instanceof MachineError)) throw error;
    }
  }
  return undefined;
}

/** The guest knows a channel without the name of the machine. */
function ownName({ name }: ConsolePort): string {
  return name.slice(name.indexOf('.') + 1);
}
