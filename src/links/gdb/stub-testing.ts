import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodePacket } from './packet.ts';
import { PacketReader } from './packet-reader.ts';

type Answers = Readonly<Record<string, string | ((request: string, stub: TestStub) => string | undefined)>>;

const usual: Answers = {
  'qSupported*': 'PacketSize=1000;qXfer:features:read+;vContSupported+;multiprocess+',
  'qXfer:features:read:target.xml:0*':
    'l<target><architecture>toy</architecture><feature name="f"><reg name="a" bitsize="32"/></feature></target>',
};

/** A stub whose answers are written in the test, over a real socket. Keys may end in `*`. */
export class TestStub implements AsyncDisposable {
  readonly path: string;
  readonly requests: string[] = [];
  readonly #directory: string;
  readonly #server = createServer();
  #socket: Socket | undefined;
  acks = 0;
  nacks = 0;

  static async listen(answers: Answers): Promise<TestStub> {
    const directory = await mkdtemp(join(tmpdir(), 'fp-gdb-'));
    const stub = new TestStub(directory, { ...usual, ...answers });
    await new Promise<void>((done) => stub.#server.listen(stub.path, done));
    return stub;
  }

  private constructor(directory: string, answers: Answers) {
    this.#directory = directory;
    this.path = join(directory, 'g');
    this.#server.on('connection', (socket) => {
      this.#socket = socket;
      const reader = new PacketReader();
      socket.on('error', () => {});
      socket.on('data', (chunk: Uint8Array) => {
        if (chunk.includes(3)) this.requests.push('interrupt');
        for (const received of reader.push(chunk)) {
          if (received.type === 'ack') this.acks++;
          if (received.type === 'nack') this.nacks++;
          if (received.type === 'packet') this.#answer(received.payload, answers);
        }
      });
    });
  }

  raw(bytes: string): void {
    this.#socket?.write(Buffer.from(bytes, 'latin1'));
  }

  packet(payload: string): void {
    this.#socket?.write(encodePacket(payload), 'latin1');
  }

  hangUp(): void {
    this.#socket?.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.hangUp();
    await new Promise((done) => this.#server.close(done));
    await rm(this.#directory, { recursive: true, force: true });
  }

  #answer(request: string, answers: Answers): void {
    this.requests.push(request);
    const key = Object.keys(answers).findLast((each) =>
      each.endsWith('*') ? request.startsWith(each.slice(0, -1)) : each === request,
    );
    const answer = key === undefined ? '' : answers[key];
    const said = typeof answer === 'function' ? answer(request, this) : answer;
    if (said === undefined) return;
    this.raw('+');
    this.packet(said);
  }
}
