// The page's files that need no compiling.
import { cpSync } from 'node:fs';

for (const file of ['index.html', 'style.css', 'icon.svg']) cpSync(`src/view/page/${file}`, `dist/view/page/${file}`);
