// Makes elements without parsing markup: outside text stays text.

const svgSpace = 'http://www.w3.org/2000/svg';

type Attributes = Record<string, string | number>;
type Child = Node | string;

function fill<T extends Element>(element: T, attributes: Attributes, children: Child[]): T {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(svgSpace, tag), attributes, children);
}

// A name that somebody chose. Its text direction does not affect the text around it.
export function nameText(name: string): HTMLElement {
  return html('bdi', { class: 'name' }, name);
}

// An icon in the colour of the text, drawn in a square of side 16.
export function icon(path: string): SVGElement {
  return svg('svg', { class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, svg('path', { d: path }));
}

export function button(label: string, sign: Child, key: string, act: () => void): HTMLButtonElement {
  const element = html('button', { type: 'button', 'aria-label': label, title: `${label} (${key})` }, sign);
  element.addEventListener('click', act);
  return element;
}
