/* What readers say, for a player: the sentence first, the code and the place under Details. */
import {make} from "./page.js";

const SENTENCES = {
  "E-NOLEVEL": "There is no level in this text.",
  "E-NOPLAYER": "This level has no player.",
  "E-PLAYERS": "This level has more than one player.",
  "E-NOBOX": "This level has no box.",
  "E-COUNT": "This level has not as many boxes as goals.",
  "E-OPEN": "The walls of this level are not closed.",
  "E-CHAR": "This level has a character that means nothing.",
  "E-OUTSIDE": "A box stands where the player never gets.",
  "E-OUTSIDE-GOAL": "A goal lies where the player never gets.",
  "W-CIRCULAR": "Every box is on a goal already.",
};

/* A message such as `a.xsb:3:4: E-OPEN the walls …` as nodes; one without place and code stays as it is. */
export function plain(message) {
  const [, place = "", code = "", words] = message.match(/^((?:[^:\n]*\.\w+|<[^>]*>)(?::\d+)*: )?([EW]-[A-Z-]+ )?([^]*)$/);
  if (!place && !code) return [message];
  const sentence = SENTENCES[code.trim()] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  return [sentence, make("details", {class: "said"}, make("summary", {}, "Details"), message)];
}
