import {
  close,
  closeSync,
  fstat,
  fstatSync,
  mkdir,
  mkdirSync,
  open,
  openSync,
  readlink,
  readlinkSync,
  type Stats,
} from 'node:fs';
import { promisify } from 'node:util';

/**
 * Steps towards a file, written once and carried out in two ways: at once for guests that wait for their disk, and
 * without holding the server up for everybody else.
 */
export type Steps<T> = Generator<Request, T, unknown>;

type Request =
  | { readonly type: 'open'; readonly path: string; readonly flags: number; readonly mode: number }
  | { readonly type: 'readlink'; readonly path: string }
  | { readonly type: 'stat'; readonly fd: number }
  | { readonly type: 'mkdir'; readonly path: string }
  | { readonly type: 'close'; readonly fd: number };

export function* openStep(path: string, flags: number, mode = 0o600): Steps<number> {
  return (yield { type: 'open', path, flags, mode }) as number;
}

export function* readlinkStep(path: string): Steps<string> {
  return (yield { type: 'readlink', path }) as string;
}

export function* statStep(fd: number): Steps<Stats> {
  return (yield { type: 'stat', fd }) as Stats;
}

export function* mkdirStep(path: string): Steps<void> {
  yield { type: 'mkdir', path };
}

export function* closeStep(fd: number): Steps<void> {
  yield { type: 'close', fd };
}

export function runNow<T>(steps: Steps<T>): T {
  let next = steps.next();
  while (!next.done) {
    let answer: unknown;
    try {
      answer = answerNow(next.value);
    } catch (error) {
      next = steps.throw(error);
      continue;
    }
    next = steps.next(answer);
  }
  return next.value;
}

export async function runLater<T>(steps: Steps<T>): Promise<T> {
  let next = steps.next();
  while (!next.done) {
    let answer: unknown;
    try {
      answer = await answerLater(next.value);
    } catch (error) {
      next = steps.throw(error);
      continue;
    }
    next = steps.next(answer);
  }
  return next.value;
}

function answerNow(request: Request): unknown {
  switch (request.type) {
    case 'open':
      return openSync(request.path, request.flags, request.mode);
    case 'readlink':
      return readlinkSync(request.path);
    case 'stat':
      return fstatSync(request.fd);
    case 'mkdir':
      return mkdirSync(request.path, 0o700);
    case 'close':
      return closeSync(request.fd);
  }
}

const later = {
  open: promisify(open),
  readlink: promisify(readlink),
  fstat: promisify(fstat),
  mkdir: promisify(mkdir),
  close: promisify(close),
};

async function answerLater(request: Request): Promise<unknown> {
  switch (request.type) {
    case 'open':
      return later.open(request.path, request.flags, request.mode);
    case 'readlink':
      return later.readlink(request.path);
    case 'stat':
      return later.fstat(request.fd);
    case 'mkdir':
      return later.mkdir(request.path, 0o700);
    case 'close':
      return later.close(request.fd);
  }
}
