/* What readers throw, with the place. */
export class Refused extends Error {}

export const fail = (source, line, column, code, words) => {
  const place = [source, line, column].filter((part) => part !== null && part !== "").join(":");
  throw new Refused(`${place && `${place}: `}${code && `${code} `}${words}`);
};

export const counted = (number, noun, one) => `${number} ${number === 1 ? one : noun}`;
