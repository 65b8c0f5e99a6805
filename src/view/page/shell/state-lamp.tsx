/** How a machine is, as a colour; the word stands beside it. */
export function StateLamp({ state }: { readonly state: string }) {
  return <i class={`lamp ${lampOf(state)}`} aria-hidden="true" />;
}

function lampOf(state: string): string {
  if (state === 'RUNNING' || state === 'LINK UP') return 'on';
  if (state === 'ERROR' || state === 'LINK DOWN' || state === 'UNREACHABLE') return 'bad';
  return state === 'BREAKPOINT' ? 'stopped' : 'off';
}
