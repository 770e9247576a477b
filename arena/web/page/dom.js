// Small helpers to build elements. Text is only ever set as text, never parsed as HTML.

const kSvg = "http://www.w3.org/2000/svg";

const fill = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") node.textContent = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};

// make("p", {class: "soft", text: "words", onclick: f}, child, …)
export const make = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

export const makeSvg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(kSvg, tag), attributes, children);

export const byId = (id) => document.getElementById(id);

export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

export const prefersStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export const plural = (count, one, many = one + "s") => `${count} ${count === 1 ? one : many}`;
