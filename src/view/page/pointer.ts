import type { PageCommand, PagePointer } from '../channel.ts';

/** Buttons as browsers count them. */
const buttonNames = ['left', 'middle', 'right', 'side', 'extra'];
const wheelPixels = 100;
const wheelLines = 3;

/**
 * The mouse over the screen: as places where the machine knows places, as movements while it is captured. Nothing goes
 * to a machine whose screen was not clicked first: a mouse that only passes by must not disturb anybody's work.
 */
export class Pointer {
  readonly #canvas: HTMLCanvasElement;
  readonly #send: (command: PageCommand) => void;
  readonly #held = new Set<string>();
  #machine: PagePointer | undefined;
  #place: { readonly x: number; readonly y: number } | undefined;
  #way = { dx: 0, dy: 0 };
  #turn = 0;
  #isScheduled = false;

  constructor(canvas: HTMLCanvasElement, send: (command: PageCommand) => void) {
    this.#canvas = canvas;
    this.#send = send;
    canvas.addEventListener('pointermove', (event) => this.#move(event));
    canvas.addEventListener('pointerdown', (event) => this.#press(event));
    canvas.addEventListener('pointerup', (event) => this.#release(event));
    canvas.addEventListener('pointercancel', () => this.releaseAll());
    canvas.addEventListener('wheel', (event) => this.#roll(event), { passive: false });
    canvas.addEventListener('contextmenu', (event) => {
      if (this.#machine) event.preventDefault();
    });
    document.addEventListener('pointerlockchange', this.#lockChanged);
  }

  readonly #lockChanged = () => {
    this.releaseAll();
    // Of a screen that is gone nothing is heard any more.
    if (!this.#canvas.isConnected) document.removeEventListener('pointerlockchange', this.#lockChanged);
  };

  set machine(machine: PagePointer | undefined) {
    this.#machine = machine;
    if (!machine) this.letGo();
  }

  get isCaptured(): boolean {
    return document.pointerLockElement === this.#canvas;
  }

  /** Rejects where the browser does not agree. */
  async capture(): Promise<void> {
    this.#canvas.focus();
    await this.#canvas.requestPointerLock();
  }

  letGo(): void {
    if (this.isCaptured) document.exitPointerLock();
    this.releaseAll();
  }

  releaseAll(): void {
    if (this.#held.size === 0) return;
    this.#held.clear();
    this.#send({ type: 'buttons', buttons: [] });
  }

  get #isHeard(): boolean {
    return this.isCaptured || (this.#machine?.positions === true && document.activeElement === this.#canvas);
  }

  #move(event: PointerEvent): void {
    if (!this.#isHeard) return;
    if (this.isCaptured) this.#way = { dx: this.#way.dx + event.movementX, dy: this.#way.dy + event.movementY };
    else this.#place = this.#pixel(event);
    this.#schedule();
  }

  #press(event: PointerEvent): void {
    const name = buttonNames[event.button];
    if (!this.#isHeard || name === undefined || !this.#machine?.buttons.includes(name)) return;
    event.preventDefault();
    if (!this.isCaptured) {
      this.#canvas.setPointerCapture(event.pointerId);
      this.#place = this.#pixel(event);
    }
    this.#flush();
    this.#held.add(name);
    this.#send({ type: 'buttons', buttons: [...this.#held] });
  }

  #release(event: PointerEvent): void {
    if (!this.#held.delete(buttonNames[event.button] ?? '')) return;
    this.#flush();
    this.#send({ type: 'buttons', buttons: [...this.#held] });
  }

  #roll(event: WheelEvent): void {
    if (!this.#isHeard || this.#machine?.wheel !== true) return;
    event.preventDefault();
    this.#turn -= event.deltaY / (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? wheelLines : wheelPixels);
    const clicks = Math.trunc(this.#turn);
    this.#turn -= clicks;
    if (clicks !== 0) this.#send({ type: 'wheel', clicks });
  }

  #pixel({ clientX, clientY }: PointerEvent): { x: number; y: number } {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    return {
      x: Math.floor(((clientX - left) * this.#canvas.width) / width),
      y: Math.floor(((clientY - top) * this.#canvas.height) / height),
    };
  }

  /** Mice tell more often than anybody looks. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#place) this.#send({ type: 'moveTo', ...this.#place });
    this.#place = undefined;
    const [dx, dy] = [Math.trunc(this.#way.dx), Math.trunc(this.#way.dy)];
    this.#way = { dx: this.#way.dx - dx, dy: this.#way.dy - dy };
    if (dx !== 0 || dy !== 0) this.#send({ type: 'moveBy', dx, dy });
  }
}
