// Pictures of the pages, light and dark, wide and narrow, into the folder that is named.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Browser, checksOf } from './browser.js';

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
const browser = await Browser.start();
for (const name of ['hypnosia', 'isaac', 'long']) {
  for (const colours of ['light', 'dark']) {
    for (const [label, size] of [['wide', { width: 1280, height: 900 }], ['narrow', { width: 390, height: 800 }]]) {
      const { page } = await browser.open(name, { hash: '#turn=25&seat=b', colours, size });
      await checksOf(page);
      const path = join(folder, `${name}-${colours}-${label}.png`);
      await page.screenshot({ path, fullPage: true });
      console.log(path);
      await page.close();
    }
  }
}
await browser.stop();
