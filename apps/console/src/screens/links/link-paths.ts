import { placeIn } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';

export const linkPlace = (context: Context, linkId: string): string =>
  placeIn(context, `/links/${encodeURIComponent(linkId)}`);

export const bankPlace = ({ app, env }: Context, institutionId: string): string =>
  `/banks/${encodeURIComponent(institutionId)}?${new URLSearchParams({ app, env }).toString()}`;

export const PAGE_SIZE = '50';
