import type { Row, Table } from './bench.ts';

const columns: readonly { readonly title: string; cell(row: Row): string }[] = [
  { title: 'measurement', cell: ({ what }) => what },
  { title: 'ratio', cell: ({ ratio = '' }) => ratio },
  { title: 'frontpanel', cell: ({ measured }) => measured },
  { title: 'best round', cell: ({ best = '' }) => best },
  { title: 'reference', cell: ({ reference = '' }) => reference },
  { title: 'target', cell: ({ target }) => target?.text ?? '' },
  { title: '', cell: ({ target }) => (target ? (target.met ? 'ok' : '**missed**') : '') },
];

/** A table as Markdown, padded so that it reads well on a terminal too. */
export function markdownTable({ title, rows, notes }: Table): string {
  const cells = [columns.map((column) => column.title), ...rows.map((row) => columns.map(({ cell }) => cell(row)))];
  const widths = columns.map((_, index) => Math.max(3, ...cells.map((line) => line[index]?.length ?? 0)));
  const draw = (line: readonly string[]) => `| ${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  const rule = draw(widths.map((width) => '-'.repeat(width)));
  const lines = [`### ${title}`, '', draw(head), rule, ...body.map(draw)];
  if (notes.length > 0) lines.push('', ...notes.map((note) => `- ${note}`));
  return lines.join('\n');
}
