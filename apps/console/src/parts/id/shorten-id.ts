const HEAD = 7;
const TAIL = 3;

/**
 * An id cut in its middle: the prefix with four characters, and the last three. One that would not
 * become clearly shorter stays whole.
 */
export function shortenId(id: string): string {
  const prefix = /^[a-z]{2,8}_/.exec(id)?.[0].length ?? 0;
  const head = prefix === 0 ? HEAD : prefix + 4;
  return id.length <= head + TAIL + 4 ? id : `${id.slice(0, head)}…${id.slice(-TAIL)}`;
}
