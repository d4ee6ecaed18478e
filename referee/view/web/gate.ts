// What refgate is asked: referee/gate/GATE.md has its routes.
import { Json } from './view.js';

const pageSize = 100;

export class Gate {
  // `root`: where the first page is, from here, as "../".
  constructor(private readonly root: string) {}

  routeOf(path: string): string {
    return `${this.root}api/v1/${path}`;
  }

  // Throws what is wrong, in words.
  async get(path: string): Promise<Json> {
    const response = await fetch(this.routeOf(path), { headers: { accept: 'application/json' } });
    if (response.ok) return response.json();
    let why = `${response.status} ${response.statusText}`;
    try {
      why = String((await response.json()).error ?? why);
    } catch { /* no JSON: the status must do */ }
    throw new Refusal(response.status, why);
  }

  // Page after page of a list, until there are `most`.
  async list(path: string, key: string, most: number): Promise<Json[]> {
    const all: Json[] = [];
    let token = '';
    do {
      const page = token === '' ? '' : `&page=${encodeURIComponent(token)}`;
      const answer = await this.get(`${path}${path.includes('?') ? '&' : '?'}size=${Math.min(pageSize, most)}${page}`);
      all.push(...(answer[key] ?? []));
      token = String(answer.nextPageToken ?? '');
    } while (token !== '' && all.length < most);
    return all.slice(0, most);
  }

  // A list that this competition may not have.
  async listIfThere(path: string, key: string, most: number): Promise<Json[]> {
    try {
      return await this.list(path, key, most);
    } catch (error) {
      if (error instanceof Refusal && error.status === 409) return [];
      throw error;
    }
  }
}

export class Refusal extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}
