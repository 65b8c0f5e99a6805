import { render } from 'preact';
import { openSession } from './session.ts';
import { App } from './shell/app.tsx';

render(<App />, document.body);
openSession();
