import { operationIn } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';

/** The address below /api of a change of a pair. */
export const pairPath = (context: Context, clientId: string, change: string): string =>
  operationIn(context, `/pairs/${encodeURIComponent(clientId)}/${change}`);
