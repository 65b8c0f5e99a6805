import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** No configuration is nearly that long. */
const mostBytes = 1024 * 1024;

/**
 * The text of a file that nobody named, which lies where the program was started: only one of the user who runs it, or of root,
 * that nobody else can write. What is looked at is the opened file itself, so that nobody can put another one in its place.
 */
export function readFoundFile(path: string, user: number | undefined = process.getuid?.()): string {
  const fd = opened(path);
  try {
    const { uid, gid, mode, size } = fstatSync(fd);
    const isFile = (mode & constants.S_IFMT) === constants.S_IFREG;
    if (!isFile) throw notObeyed('it is not a file', path);
    if (user !== undefined && uid !== user && uid !== 0) {
      throw notObeyed(`it belongs to another user (number ${uid})`, path);
    }
    if (user !== undefined && (mode & writableBy(user, uid, gid)) !== 0) {
      throw notObeyed('others can write it', path, `take that away with chmod go-w ${path}, or `);
    }
    if (size > mostBytes) throw notObeyed(`it has ${size.toLocaleString('en-US')} bytes`, path);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

function opened(path: string): number {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  try {
    return openSync(path, O_RDONLY | (O_NONBLOCK ?? 0) | (O_NOFOLLOW ?? 0));
  } catch (error) {
    const isLink = error instanceof Error && 'code' in error && (error.code === 'ELOOP' || error.code === 'EMLINK');
    throw isLink ? notObeyed('it is a link, which others may have made', path) : error;
  }
}

/** Many systems give each user a group of their own with the user's number, where nobody else is. */
function writableBy(user: number, owner: number, group: number): number {
  const isOwnGroup = user !== 0 && owner === user && group === user && process.getgid?.() === user;
  return isOwnGroup ? 0o002 : 0o022;
}

function notObeyed(why: string, path: string, first = ''): Error {
  return new Error(`it was found here, not named, and ${why}; ${first}name it with --config ${path} if you trust it`);
}
