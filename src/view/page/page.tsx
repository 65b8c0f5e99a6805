import { render } from 'preact';
import { followAddress, keepAddress } from './address.ts';
import { openSession } from './session.ts';
import { App } from './shell/app.tsx';

// A file that misses its place must not replace the page.
for (const type of ['dragover', 'drop']) addEventListener(type, (event) => event.preventDefault());

followAddress();
render(<App />, document.body);
openSession();
keepAddress();
