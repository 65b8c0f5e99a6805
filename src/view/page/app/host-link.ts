/** The way to the program that shows this page: JSON-RPC by messages to the window around it. */

type Params = Readonly<Record<string, unknown>>;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export interface HostListener {
  notified(method: string, params: Params): void;
  /** This page is about to be taken away. */
  ending(): void;
}

const noSuchMethod = -32601;

export class HostLink {
  readonly #host: Window;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listener: HostListener;
  #next = 1;

  constructor(host: Window, listener: HostListener) {
    this.#host = host;
    this.#listener = listener;
    addEventListener('message', (event) => {
      if (event.source === host) this.#take(event.data);
    });
  }

  request(method: string, params: Params): Promise<unknown> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: Params = {}): void {
    this.#send({ method, params });
  }

  /** Nobody can know from here who is around us, and nothing that is sent is secret from them: they carry it out. */
  #send(message: Params): void {
    this.#host.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }

  #take(message: unknown): void {
    const field = (name: string): unknown => Reflect.get(Object(message), name);
    if (field('jsonrpc') !== '2.0') return;
    const [id, method] = [field('id'), field('method')];
    if (typeof method === 'string') this.#hear(id, method, Object(field('params')));
    else if (typeof id === 'number') this.#answered(id, field('result'), field('error'));
  }

  #hear(id: unknown, method: string, params: Params): void {
    if (method === 'ui/resource-teardown') this.#listener.ending();
    if (id === undefined) this.#listener.notified(method, params);
    else if (method === 'ui/resource-teardown' || method === 'ping') this.#send({ id, result: {} });
    else this.#send({ id, error: { code: noSuchMethod, message: `There is no method ${method} here.` } });
  }

  #answered(id: number, result: unknown, error: unknown): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(String(Reflect.get(Object(error), 'message') ?? 'The host refused the request.')));
  }
}
