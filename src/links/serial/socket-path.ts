/** The size of `sun_path` without its closing NUL: 108 bytes on Linux, 104 on macOS and the BSDs. */
export const maxSocketPathBytes = process.platform === 'linux' ? 107 : 103;

/** Node cuts longer paths silently and then works on a socket of another name. */
export function checkSocketPath(path: string): void {
  if (path === '' || path.includes('\0')) throw new RangeError('the path of a socket must be a file name');
  const length = Buffer.byteLength(path);
  if (length > maxSocketPathBytes) {
    throw new RangeError(
      `the socket path is ${length} bytes long, the operating system takes at most ${maxSocketPathBytes}: ${path}`,
    );
  }
}
