import { effect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Controls } from '../controls.ts';
import { feeds } from '../feeds.ts';
import { PastPicture } from '../film/past-picture.tsx';
import { act } from '../link.ts';
import { PicturePainter } from '../picture.ts';
import { pasteOnScreen, repaint } from '../session.ts';
import { input, isByPlace, isOpen, joystickPort, mayAct, noInput } from '../store.ts';
import { leaveOnChord } from './full-screen.ts';
import { Hint } from './hint.tsx';
import { KeyButtons } from './key-buttons.tsx';
import { ScreenOptions } from './screen-options.tsx';

/** The picture of a machine, and everything with which a person uses it. */
export function Screen({ children }: { readonly children: ComponentChildren }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [controls, setControls] = useState<Controls>();
  useLayoutEffect(() => {
    if (!canvas.current) return;
    // Screen readers pass all keys on to it.
    canvas.current.role = 'application';
    const painter = new PicturePainter(canvas.current);
    const made = new Controls(canvas.current, act);
    made.byPlace = isByPlace.value;
    feeds.picture = (picture, dirty) => painter.paint(picture, dirty);
    repaint();
    setControls(made);
    joystickPort.value = undefined;
    const forget = effect(() => made.show(mayAct.value ? input.value : noInput));
    return () => {
      forget();
      feeds.picture = undefined;
      made.close();
    };
  }, []);
  usePasteOn(canvas, pasteOnScreen);
  return (
    <>
      <div id="stage" class={isOpen.value ? '' : 'stale'} onKeyDownCapture={leaveOnChord}>
        <canvas
          ref={canvas}
          id="screen"
          width={384}
          height={272}
          tabIndex={0}
          aria-label="Screen of the machine; click and type"
          aria-describedby="hint"
        />
        <PastPicture />
      </div>
      {children}
      {controls && <KeyButtons controls={controls} />}
      {controls && <ScreenOptions controls={controls} />}
      <Hint isTerminal={false} />
    </>
  );
}

/** What is pasted while the element has the focus. */
export function usePasteOn(place: { readonly current: HTMLElement | null }, paste: (text: string) => void): void {
  useLayoutEffect(() => {
    const take = (event: ClipboardEvent) => {
      if (document.activeElement !== place.current) return;
      event.preventDefault();
      paste(event.clipboardData?.getData('text/plain') ?? '');
    };
    document.addEventListener('paste', take);
    return () => document.removeEventListener('paste', take);
  }, []);
}
