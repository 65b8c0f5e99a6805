import type { CallLine } from '../channel.ts';

const kept = 50;

/** The last tool calls, newest first, as the agent made them and saw them answered. */
export class Calls {
  readonly #list: HTMLElement;

  constructor(list: HTMLElement) {
    this.#list = list;
  }

  clear(): void {
    this.#list.replaceChildren();
  }

  add(calls: readonly CallLine[]): void {
    for (const call of calls) this.#list.prepend(entry(call));
    while (this.#list.children.length > kept) this.#list.lastElementChild?.remove();
  }
}

function entry(call: CallLine): HTMLElement {
  const item = document.createElement('li');
  if (call.isError) item.className = 'bad';
  const head = document.createElement('strong');
  head.textContent = call.tool;
  const detail = document.createElement('span');
  const time = new Date(call.at).toLocaleTimeString();
  detail.textContent = ` ${time} · ${call.durationMs} ms · ${call.client}`;
  const args = document.createElement('pre');
  args.textContent = call.arguments;
  const answer = document.createElement('pre');
  answer.textContent = call.answer;
  item.append(head, detail, args, answer);
  return item;
}
