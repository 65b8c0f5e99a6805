import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packedProgram } from '../packed-program.ts';
import { found, type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'QUIZ.EXE in the task folder is packed and asks for a word from its manual. On a DOS PC find the check, patch it in memory so that any word is taken, ' +
    'prove that with the word "anything", name the function check_word, and export all names for Ghidra, which has the program at 0x10000, as quiz.symbols.',
  mostCalls: 15,
  prepare: (folder) => writeFile(join(folder, 'QUIZ.EXE'), packedProgram()),
  async solve({ call, folder }) {
    await call('machine_start', { kind: 'dos', options: { program: join(folder, 'QUIZ.EXE') } });
    await call('run', { screen_text: 'page seven?' });
    await call('input_send', { text: 'anything\n', show: 'screen' });
    const texts = await call('graph_read', { as: 'strings' });
    const refusal = found(texts, /not the word[^\n]*from ([0-9A-F]{4}:[0-9A-F]{4})/);
    const asking = await call('graph_read', { address: refusal, depth: 2 });
    const decision = found(asking, /([0-9A-F]{4}:[0-9A-F]{4}) jb /);
    const entry = `${refusal.slice(0, 5)}${found(asking, /call 0x([0-9a-f]+)/)}`;
    await call('graph_read', { address: entry, scope: 'function' });
    await call('run', { until: decision, back: true });
    await call('memory_write', { address: decision, bytes: '90 90' });
    const proof = await call('run', { screen_text: 'Welcome', show: 'screen' });
    await call('names_write', {
      address: entry,
      name: 'check_word',
      comment: 'the sum of the word, carry where it is wrong',
    });
    await call('names_export', { as: 'ghidra', base: '0x10000', path: join(folder, 'quiz.symbols') });
    return `The check is check_word at ${entry}; ${decision} decides. ${proof}`;
  },
  async check({ answer, folder, look }) {
    const symbols = await readFile(join(folder, 'quiz.symbols'), 'utf8').catch(() => '');
    return (
      wants(answer, /Welcome aboard/) ??
      wants(await look('screen_read'), /anything\s*\n\s*Welcome aboard/) ??
      wants(symbols, /^check_word 0x106[0-9a-f]{2} f ; /m)
    );
  },
};
