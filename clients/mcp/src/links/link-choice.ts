import { z } from 'zod';
import { Refusal } from '../serving/explain-failure.js';
import { cursor, linkId } from '../serving/inputs.js';
import type { ToolContext } from '../serving/tool.js';

/** A limited key pair may send this many calls, and the list of links, without a wait. */
export const MAX_LINKS = 20;
/** The list may return a page with few links, or none, before its end (native-api 3.4). */
const MAX_PAGES = 10;

const choice = {
  link_id: linkId.optional().describe('From list_links; by default all links.'),
  links_cursor: cursor.describe(
    `The next_links_cursor of the previous result, for further links: a call reads ${MAX_LINKS}.`,
  ),
};
type LinkChoice = z.output<z.ZodObject<typeof choice>>;

/** @param scopes of the key pair: one that cannot list its links has to name one */
export function linkChoice(scopes: ReadonlySet<string>): typeof choice {
  return scopes.has('links:read') ? choice : ({ link_id: linkId } as object as typeof choice);
}

export interface ChosenLinks {
  ids: string[];
  /** The position at which the list continues; null if these are all. */
  next: string | null;
  /** True if the caller named the link. */
  isNamed: boolean;
}

export async function chooseLinks(
  { link_id: named, links_cursor: from }: LinkChoice,
  { tributary, options }: ToolContext,
): Promise<ChosenLinks> {
  if (named !== undefined && from !== undefined)
    throw new Refusal(
      'The arguments are wrong: links_cursor: goes without link_id. Correct them and call the tool again.',
    );
  if (named !== undefined) return { ids: [named], next: null, isNamed: true };
  const ids: string[] = [];
  let next = from ?? null;
  for (let page = 0; page < MAX_PAGES && ids.length < MAX_LINKS; page += 1) {
    const query = { limit: MAX_LINKS - ids.length, ...(next === null ? {} : { cursor: next }) };
    const list = await tributary.links.list(query, options).page();
    ids.push(...list.items.map(({ link_id: id }) => id));
    next = list.next as string | null;
    if (next === null) break;
  }
  return { ids, next, isNamed: false };
}
