import { SimplefinTokenRepository } from '../../../../../prisma/views/simplefin/simplefin-token.repository.js';
import type { Service } from '../../service.js';
import { unknownPair } from './create-pair.js';

export interface DisabledPair {
  disabledAt: Date | null;
  /** SimpleFIN tokens that it created. */
  revokedTokens: number;
  continuingTokens: number;
}

/** Ends all tokens of a key pair immediately; on request, also the SimpleFIN tokens that it created. @throws Refusal */
export async function disablePair(
  { applications, context }: Pick<Service, 'applications' | 'context'>,
  clientId: string,
  { simplefin }: { simplefin: boolean },
): Promise<DisabledPair> {
  const changed = await applications.setDisabled(clientId, true);
  if (changed === null) throw unknownPair(clientId);
  // The pair can create none from here on.
  const tokens = new SimplefinTokenRepository(context);
  const revokedTokens = simplefin ? await tokens.revokeOfClient(clientId) : 0;
  const continuingTokens = await tokens.countOfClient(clientId);
  return { disabledAt: changed.disabledAt, revokedTokens, continuingTokens };
}

/** Enables a disabled key pair, up to its end. @throws Refusal */
export async function enablePair(
  { applications }: Pick<Service, 'applications'>,
  clientId: string,
): Promise<{ endsAt: Date | null }> {
  const changed = await applications.setDisabled(clientId, false);
  if (changed === null) throw unknownPair(clientId);
  return { endsAt: changed.endsAt };
}
