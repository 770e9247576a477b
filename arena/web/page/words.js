// Moves in words, and the switch for their notation. The words of a move come from the server as
// an order, such as "take 3 from pile 2, leaving 4"; its notation, 2=4, stands in <code
// class="notation-of">, which is shown once the switch is on. The choice is kept in this browser.

import {make} from "./dom.js";

const kKept = "nimarena.notation";

// `order`: null or empty where the server told no words.
export const orderOf = (move, order) => {
  const equals = move.indexOf("=");
  return order || `turn pile ${move.slice(0, equals)} into ${move.slice(equals + 1)}`;
};

// "Ann takes 3 from pile 2, leaving 4", "You take 3 from pile 2, leaving 4".
export const sentence = (who, move, order) => {
  const words = orderOf(move, order);
  return `${who} ${who === "You" ? words : words.replace(/^\w+?(s?)\b/, (verb, s) => `${verb}${s && "e"}s`)}`;
};

export const notation = (move) => make("code", {class: "notation-of", text: ` ${move}`});

// Storage may be turned off: then the choice lasts as long as the page.
const read = () => {
  try {
    return localStorage.getItem(kKept) === "on";
  } catch {
    return false;
  }
};

const show = (isOn) => document.documentElement.classList.toggle("with-notation", isOn);

export const notationSwitch = () => {
  const box = make("input", {type: "checkbox", id: "show-notation", checked: read()});
  box.addEventListener("change", () => {
    show(box.checked);
    try {
      localStorage.setItem(kKept, box.checked ? "on" : "off");
    } catch {
      /* not kept */
    }
  });
  show(box.checked);
  return make("label", {class: "check"}, box, "Moves also in notation, such as 2=1");
};
