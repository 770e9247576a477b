// The links from page to page, the same on all of them.

import {byId, make} from "./dom.js";

const kPages = [
  ["/", "Play"],
  ["/puzzles", "Puzzles"],
  ["/explore", "Explore"],
  ["/bot", "Your bot"],
];

// `site`: what /api/site says of this server, once it is known.
export const showNav = ({live = false, clinic = false, records = []} = {}) => {
  const links = [...kPages];
  if (live) links.push(["/live", "Live"]);
  if (clinic) links.push(["/clinic/", "Clinic"]);
  for (const {name, title} of records)
    links.push([`/record/${encodeURIComponent(name)}/`, title || name]);
  byId("nav").replaceChildren(
    ...links.map(([href, text]) =>
      make("a", {href, text, "aria-current": href === location.pathname && "page"}),
    ),
  );
};
