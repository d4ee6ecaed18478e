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

// Prints milliseconds of the page's own thread on a processor, and of the clock on the wall: that one
// has in it whatever else the machine does.
function print(what, taken) {
  const told = (values) => `median ${ms(quantile(values, 0.5))}, p99 ${ms(quantile(values, 0.99))}`;
  console.log(`${what.padEnd(31)}processor ${told(taken.processor)}; wall ${told(taken.wall)}`);
}

const browser = await Browser.start();

// The seconds of the processor that a page has used so far.
async function meter(page) {
  const session = await browser.context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value;
  };
}

const ready = { processor: [], wall: [] };
for (let i = 0; i < 12; ++i) {
  const { page, used } = await browser.open('long', { meter });
  ready.processor.push(1000 * (await used()));
  ready.wall.push(await page.evaluate(() => performance.getEntriesByName('usable')[0].startTime));
  await page.close();
}
print('until it can be used', ready);

const { page, requests, used } = await browser.open('long', { motion: 'no-preference', meter });
await page.waitForSelector('.checks[data-done]');

// A key, and the layout and picture that it leads to.
async function press(keys) {
  const taken = { processor: [], wall: [] };
  for (const key of keys) {
    const before = await used();
    taken.wall.push(await page.evaluate((pressed) => new Promise((resolve) => {
      const begin = performance.now();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true }));
      document.body.getBoundingClientRect();
      const end = performance.now();
      requestAnimationFrame(() => setTimeout(() => resolve(end - begin)));
    }), key));
    taken.processor.push(1000 * ((await used()) - before));
  }
  return taken;
}
print('a step', await press(Array(300).fill('ArrowRight')));
print('a jump to any tenth', await press(Array.from({ length: 100 }, (_, i) => String((i * 7) % 10))));
console.log(`requests beside the page       ${requests.length}`);
await browser.stop();
