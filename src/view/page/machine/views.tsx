import { choose, consoleName, watched } from '../store.ts';

/** Its screen and its consoles, where there is more than one of them. */
export function Views() {
  const { handle = '', hasScreen = false, consoles = [] } = watched.value ?? {};
  const views = [
    ...(hasScreen ? [{ label: 'Screen', name: undefined }] : []),
    ...consoles.map((name) => ({ label: consoleLabel(name, handle), name })),
  ];
  return (
    <nav id="views" aria-label="Screen and consoles" hidden={views.length < 2}>
      {views.map(({ label, name }) => (
        <button
          type="button"
          key={name ?? ''}
          aria-pressed={name === consoleName.value}
          onClick={() => choose(handle, name)}
        >
          {label}
        </button>
      ))}
    </nav>
  );
}

/** Ports are named after their machine, all but the first with something after it. */
function consoleLabel(name: string, handle: string): string {
  return name === handle ? 'Console' : name.startsWith(`${handle}.`) ? name.slice(handle.length + 1) : name;
}
