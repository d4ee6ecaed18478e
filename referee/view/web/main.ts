// A page of matches: recorded matches that it holds, or a running match from a gate.
import { Gate } from './gate.js';
import { routeLinks } from './links.js';
import { LivePage } from './live_page.js';
import { showReplays } from './replay_page.js';
import { loading, nameHere, SiteFrame } from './site_frame.js';

function showLive(place: HTMLElement): void {
  const { root = '' } = place.dataset;
  const links = routeLinks(root), frame = new SiteFrame(place, links);
  void frame.run(async () => {
    frame.open('');
    frame.main.replaceChildren(loading());
    const live = new LivePage(links, new Gate(root, (text) => frame.say(text)), nameHere());
    await live.follow();
    frame.show(live.nodes());
  });
}

const views = document.getElementById('views');
if (views === null) showLive(document.getElementById('site')!);
else showReplays(document.getElementById('page')!, views.textContent ?? '');
