// A browser, and pages in it that are opened from disk.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { chromium } from 'playwright-core';

// Where make_pages and make_site have put their pages.
export const folder = process.env.REFEREE_PAGES;

export const fileOf = (name) => join(folder, `${name}.html`);
export const viewsOf = (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));

// Writes the page `name` once more with other views in it, as `as`. Its script is as refctl wrote it.
export function writePage(name, as, views) {
  const data = deflateRawSync(JSON.stringify(views)).toString('base64');
  const page = readFileSync(fileOf(name), 'utf8');
  writeFileSync(fileOf(as), page.replace(/(id="views">)[^<]*/, (_, before) => before + data));
  return as;
}

export class Browser {
  static async start() {
    const profile = mkdtempSync(join(tmpdir(), 'referee-browser-'));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: '/usr/bin/chromium-headless-shell',
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
        '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
    return new Browser(context, profile);
  }

  constructor(context, profile) {
    this.context = context;
    this.profile = profile;
  }

  // Opens a page and waits until it can be used. `requests` and `problems` of the result grow as the
  // page asks for something beside itself, complains, or runs into an error. `before` is a function that
  // runs in the page before its script.
  async open(name, { hash = '', clock = false, meter, before, ...options } = {}) {
    const page = await this.context.newPage();
    const opened = { page, requests: [], problems: [] };
    const url = options.url ?? pathToFileURL(fileOf(name)).href;
    page.on('request', (request) => {
      if (request.url().split('#')[0] !== url) opened.requests.push(request.url());
    });
    page.on('console', (message) => opened.problems.push(message.text()));
    page.on('pageerror', (error) => opened.problems.push(error.message));
    page.on('dialog', (dialog) => {
      opened.problems.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.setViewportSize(options.size ?? { width: 1280, height: 1000 });
    await page.emulateMedia({ colorScheme: options.colours ?? 'light', reducedMotion: options.motion ?? 'reduce' });
    if (clock) await page.clock.install();
    if (before) await page.addInitScript(before);
    if (meter) opened.used = await meter(page);
    await page.goto(url + hash);
    await page.waitForSelector('html[data-ready]');
    return opened;
  }

  async stop() {
    await this.context.close();
    // Its last processes may still write there.
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

// The step that a page is at.
export const stepOf = (page) => page.locator('input[type=range]').inputValue().then(Number);

export async function checksOf(page) {
  await page.waitForSelector('.checks[data-done]');
  return page.locator('.checks li').evaluateAll((items) =>
    items.map((item) => ({ result: item.className, text: item.textContent })));
}
