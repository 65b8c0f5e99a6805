import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';

const readBufferBytes = 256 * 1024;

type WriteCallback = (error?: Error | null) => void;

/**
 * A socket that goes on reading after a write failed. Node destroys a socket with the first failed write and
 * throws away what the other side said before it left; on a console those are the last words of a machine.
 */
export class SerialSocket extends Socket {
  readonly #writeFailed: (error: Error) => void;
  #unsentBytes: number | undefined;

  /** `received` says whether it wants more; until `resume` it gets none if not. */
  constructor(received: (bytes: Uint8Array) => boolean, writeFailed: (error: Error) => void) {
    const options: SocketConstructorOpts & Pick<ConnectOpts, 'onread'> = {
      allowHalfOpen: true,
      onread: {
        buffer: new Uint8Array(readBufferBytes),
        callback: (length, buffer) => received(buffer.subarray(0, length)),
      },
    };
    super(options);
    // Node would join all that waits into one request and count it as waiting until the last byte has left.
    Object.defineProperty(this, '_writev', { value: undefined });
    this.#writeFailed = writeFailed;
  }

  /** Bytes written that did not leave: also right after the end, when Node says that all writes were done. */
  get unsentBytes(): number {
    return this.#unsentBytes ?? this.writableLength;
  }

  override _destroy(error: Error | null, callback: WriteCallback): void {
    this.#unsentBytes = this.writableLength;
    super._destroy(error, callback);
  }

  override _write(chunk: Uint8Array, encoding: BufferEncoding, callback: WriteCallback): void {
    super._write(chunk, encoding, this.#withholdErrors(callback));
  }

  #withholdErrors(callback: WriteCallback): WriteCallback {
    return (error) => {
      if (error) this.#writeFailed(error);
      else callback();
    };
  }
}
