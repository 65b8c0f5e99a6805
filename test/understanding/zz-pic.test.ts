import { writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { Desk } from '/work/main/test/understanding/desk.ts';
test('x', async () => {
  const desk = await Desk.open();
  desk.toy.chain(5); desk.toy.hostileText=' jmp gqyp,word [0x1f+bx]'
  desk.toy.edge(0, { type: 'normal', to: 3 });
  const o = await desk.outcome('graph_read', { as: 'picture', limit: 12 });
  if (o.type === 'answer') { writeFileSync('/tmp/graph.png', Buffer.from(o.answer.images?.[0]?.base64 ?? '', 'base64')); console.log(o.answer.text); }
});
