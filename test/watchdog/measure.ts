import type { Answer } from '../support/mcp-client.ts';
import type { WatchdogDesk } from './desk.ts';
import type { Watched } from './loop-watch.ts';
import type { Bench, WorstCall } from './worst/bench.ts';

export interface Measured {
  readonly call: WorstCall;
  readonly watched: Watched;
  /** Of the last time. */
  readonly answer: Answer;
  readonly seconds: number;
}

/** Makes a bench's calls one after the other, and says what the server was like meanwhile. */
export async function* measure(desk: WatchdogDesk, bench: Bench): AsyncGenerator<Measured> {
  for (const [name, content] of Object.entries(bench.files ?? {})) desk.write(name, content());
  const { machine } = bench;
  const start = machine && { tool: 'machine_start', what: 'the machine itself', input: machine };
  try {
    for (const call of [...(start ? [start] : []), ...bench.calls]) {
      const began = performance.now();
      const { result: answer, watched } = await desk.watched(() => repeated(desk, call));
      yield { call, watched, answer, seconds: (performance.now() - began) / 1000 };
    }
  } finally {
    const { text } = await desk.call('machine_list', {});
    for (const handle of text.matchAll(/^(\S+) [A-Z]+/gm)) await desk.call('machine_stop', { machine: handle[1] });
  }
}

async function repeated(desk: WatchdogDesk, { tool, input, times = 1 }: WorstCall): Promise<Answer> {
  let answer: Answer | undefined;
  for (let number = 0; number < times; number++) {
    answer = await desk.call(tool, times === 1 ? input : withNumber(input, number));
    if (answer.isError) break;
  }
  if (!answer) throw new Error('never called');
  return answer;
}

function withNumber(input: WorstCall['input'], number: number): Record<string, unknown> {
  return JSON.parse(JSON.stringify(input).replaceAll('NUMBER', String(number))) as Record<string, unknown>;
}
