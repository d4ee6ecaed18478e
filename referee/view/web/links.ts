// The addresses of the pages of a site. In a folder, each page is a file, named as by FileNameOf of
// referee/view/page.h. At refgate, each page has a route.

export interface Links {
  index: string;
  archive: string;
  competition(name: string): string;
  bot(name: string): string;
  replay(matchId: string): string | undefined;  // undefined: the match has no page
  match(matchId: string): string;
}

export function fileNameOf(name: string): string {
  let out = '';
  new TextEncoder().encode(name).forEach((byte, i) => {
    const character = String.fromCharCode(byte);
    const stays = /[a-z0-9_.-]/.test(character) && !(character === '.' && i === 0);
    out += stays ? character : `=${byte.toString(16).padStart(2, '0')}`;
  });
  return out;
}

// `replays`: the matches that have a page.
export function fileLinks(root: string, replays: Set<string>): Links {
  const file = (folder: string) => (name: string) => `${root}${folder}/${fileNameOf(name)}.html`;
  return {
    index: `${root}index.html`, archive: `${root}archive.html`, competition: file('competitions'), bot: file('bots'),
    replay: (id) => (replays.has(id) ? file('replays')(id) : undefined), match: file('replays'),
  };
}

export function routeLinks(root: string): Links {
  const route = (folder: string) => (name: string) => `${root}${folder}/${encodeURIComponent(name)}`;
  return {
    index: root === '' ? './' : root, archive: `${root}replays`, competition: route('competitions'), bot: route('bots'),
    replay: route('replays'), match: route('matches'),
  };
}
