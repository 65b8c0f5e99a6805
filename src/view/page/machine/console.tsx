import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PageTerminal } from '../../channel.ts';
import { terminalKeys } from '../buttons.ts';
import { feeds } from '../feeds.ts';
import { act } from '../link.ts';
import { isShortEnough } from '../session.ts';
import { isOpen, mayAct } from '../store.ts';
import type { TerminalPainter } from '../terminal.ts';
import { pasteText, terminalText } from '../terminal-keys.ts';
import { leaveOnChord } from './full-screen.ts';
import { Hint } from './hint.tsx';
import { PasteDialog } from './paste-dialog.tsx';
import { usePasteOn } from './screen.tsx';

/** The server takes so much at once. */
const mostChars = 8000;
/** All of it waits at the server for the other side to take it. */
const longestPaste = 100_000;

/** As much at once as a message carries; a character of two halves stays whole. */
function* parts(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const last = text.charCodeAt(at + mostChars - 1);
    const end = at + mostChars - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
    yield text.slice(at, end);
    at = end;
  }
}

/** A console as a terminal: shows its screen and what has left it, sends what is typed. */
export function Console({ children }: { readonly children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  const painter = useRef<TerminalPainter>(undefined);
  const modes = useRef({ applicationCursorKeys: false, bracketedPaste: false });
  const [isAtEnd, setAtEnd] = useState(true);
  const [isPasting, setPasting] = useState(false);
  useLayoutEffect(() => {
    // What comes before the painter is here is shown then.
    let early: PageTerminal[] = [];
    let isGone = false;
    feeds.terminal = (terminal) => early.push(terminal);
    void import('../terminal.ts').then(({ TerminalPainter: Painter }) => {
      if (isGone || !place.current) return;
      const made = new Painter(place.current, setAtEnd);
      painter.current = made;
      const show = (terminal: PageTerminal) => {
        modes.current = terminal;
        made.paint(terminal);
      };
      for (const terminal of early) show(terminal);
      early = [];
      feeds.terminal = show;
    });
    return () => {
      isGone = true;
      feeds.terminal = undefined;
    };
  }, []);
  const type = (text: string) => {
    painter.current?.goToEnd();
    for (const part of parts(text)) act({ type: 'type', text: part });
  };
  const paste = (given: string) => {
    const text = given.replaceAll('\r\n', '\n');
    if (isShortEnough(text, longestPaste)) type(pasteText(text, modes.current.bracketedPaste));
  };
  usePasteOn(place, paste);
  useEffect(() => {
    const element = place.current;
    if (element) element.tabIndex = 0;
    const press = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented) return;
      const isPageKey = event.key === 'PageUp' || event.key === 'PageDown';
      // As terminals have it: with Shift these are for who looks, not for the guest.
      if (isPageKey && event.shiftKey && !event.ctrlKey && !event.altKey) {
        event.preventDefault();
        painter.current?.turnPage(event.key === 'PageUp' ? -1 : 1);
        return;
      }
      const text = terminalText(event, modes.current.applicationCursorKeys);
      if (text === undefined) return;
      event.preventDefault();
      type(text);
    };
    element?.addEventListener('keydown', press);
    return () => element?.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <div id="stage" class={isOpen.value ? '' : 'stale'} onKeyDownCapture={leaveOnChord}>
        <div id="console">
          <div
            id="terminal"
            ref={place}
            role="application"
            aria-label="Console of the machine; click and type"
            aria-describedby="hint"
          />
          <button
            type="button"
            id="newest"
            hidden={isAtEnd}
            onClick={() => {
              painter.current?.goToEnd();
              place.current?.focus();
            }}
          >
            Scrolled back: go to the end
          </button>
        </div>
      </div>
      {children}
      <section id="keys" aria-label="Keys" hidden={!mayAct.value}>
        {Object.entries(terminalKeys).map(([label, text]) => (
          <ClickButton key={label} label={label} click={() => type(text)} />
        ))}
        <ClickButton label="BREAK" click={() => act({ type: 'break' })} />
      </section>
      <div id="options" hidden={!mayAct.value}>
        <button type="button" id="paste" disabled={!isOpen.value} onClick={() => setPasting(true)}>
          Paste text …
        </button>
        {isPasting && <PasteDialog send={paste} close={() => setPasting(false)} />}
      </div>
      <Hint isTerminal={true} />
    </>
  );
}

function ClickButton({ label, click }: { readonly label: string; readonly click: () => void }) {
  return (
    <button type="button" onPointerDown={(event) => event.preventDefault()} onClick={click}>
      {label}
    </button>
  );
}
