/** The names and values of an address, as plain text; a name that occurs several times has several values. */
export type Search = Record<string, string | string[]>;

/** Numbers and dates stay text, so that an address is the query of the API. */
export function parseSearch(text: string): Search {
  const search: Search = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const previous = search[name];
    search[name] = previous === undefined ? value : [previous, value].flat();
  }
  return search;
}

export function stringifySearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const each of [value].flat())
      if (each !== undefined && each !== null && each !== '') query.append(name, String(each));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** One value of a name, or an empty text. */
export const oneOf = (search: Search, name: string): string => [search[name] ?? ''].flat()[0] ?? '';
