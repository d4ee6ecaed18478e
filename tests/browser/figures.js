// Prints what the pages weigh and how fast they are. The machine's load is in every time.
import { readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Browser, fileOf } from './browser.js';

const page500 = readFileSync(fileOf('long'), 'utf8');
const bundle = page500.replace(/(id="views">)[^<]*/, '$1');
console.log(`page without matches, gzip     ${(gzipSync(bundle, { level: 9 }).length / 1024).toFixed(1)} KB`);
console.log(`page of a match of 500 turns   ${(statSync(fileOf('long')).size / 1024).toFixed(1)} KB`);

const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1];
const ms = (value) => `${value.toFixed(1)} ms`;

const browser = await Browser.start();
const ready = [];
for (let i = 0; i < 12; ++i) {
  const { page } = await browser.open('long');
  ready.push(await page.evaluate(() => performance.getEntriesByName('usable')[0].startTime));
  await page.close();
}
console.log(`until it can be used           median ${ms(quantile(ready, 0.5))}, worst of ${ready.length} ${ms(Math.max(...ready))}`);

const { page, requests } = await browser.open('long', { motion: 'no-preference' });
await page.waitForSelector('.checks[data-done]');
// The time of a key's handler, and of the layout and paint that it leads to, one after another.
const times = (keys) => page.evaluate(async (all) => {
  const taken = [];
  for (const key of all) {
    const begin = performance.now();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    document.body.getBoundingClientRect();
    taken.push(performance.now() - begin);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return taken;
}, keys);
const steps = await times(Array(490).fill('ArrowRight'));
const jumps = await times(Array.from({ length: 200 }, (_, i) => String((i * 7) % 10)));
console.log(`a step, with its layout        median ${ms(quantile(steps, 0.5))}, p99 ${ms(quantile(steps, 0.99))}`);
console.log(`a jump to any tenth            median ${ms(quantile(jumps, 0.5))}, p99 ${ms(quantile(jumps, 0.99))}`);
console.log(`requests beside the page       ${requests.length}`);
await browser.stop();
