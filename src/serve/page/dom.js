// Elements made in one line.

const SVG = 'http://www.w3.org/2000/svg';

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked') node[name] = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An HTML element: el('button', { class: 'x', onclick: f }, 'text'). */
export function el(tag, attributes, ...children) {
  return build(document.createElement(tag), attributes, children);
}

/** An SVG element, made the same way. */
export function svg(tag, attributes, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

/** The element of this id in the page. */
export const byId = (id) => document.getElementById(id);

/** Fills a place anew; the button that had the focus keeps it. */
export function refill(host, ...children) {
  const buttons = () => [...host.querySelectorAll('button')];
  const place = buttons().indexOf(document.activeElement);
  host.replaceChildren(...children);
  buttons()[place]?.focus({ preventScroll: true });
}

/** A labelled control of a form. */
export function field(label, control, help) {
  return el('label', { class: 'field', title: help }, el('span', {}, label), control);
}

/** A choice among [value, text] pairs. */
export function select(pairs, value, attributes) {
  const node = el('select', attributes, pairs.map(([v, text]) => el('option', { value: v }, text ?? v)));
  node.value = value;
  return node;
}
