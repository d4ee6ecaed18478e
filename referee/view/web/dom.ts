// Elements, made without markup: what comes from outside is only ever text.

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

// A name that somebody chose: its direction stays its own.
export function nameText(name: string): HTMLElement {
  return html('bdi', { class: 'name' }, name);
}

export function button(label: string, sign: string, key: string, act: () => void): HTMLButtonElement {
  const element = html('button', { type: 'button', 'aria-label': label, title: key ? `${label} (${key})` : label }, sign);
  element.addEventListener('click', act);
  return element;
}
