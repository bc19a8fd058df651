import { disablePair, enablePair } from '../../../../operator/src/operations/pairs/disable-pair.js';
import { tenantOf } from '../app-input.js';
import { operation } from '../operation.js';
import { refused } from '../refused.js';
import { subjectOf } from '../subject-of.js';
import { ownPair } from './own-pair.js';
import { PairDisabling, PairEnabling, type DisabledPair, type EnabledPair } from './pair-shapes.js';

export const DISABLE_PAIR = operation({
  call: 'POST /apps/:app/:env/pairs/:client_id/disable',
  roles: ['operator', 'app'],
  level: 'destroy',
  input: PairDisabling,
  recorded: ({ client_id: clientId, simplefin, reason }) => ({
    action: 'clients disable',
    subject: subjectOf([clientId], { simplefin, reason }),
  }),
  run: async (
    { service },
    { app, env, client_id: clientId, simplefin = false },
  ): Promise<DisabledPair> => {
    const disabled = await ownPair(service, tenantOf({ app, env }), clientId)
      .then((own) => disablePair(service, own, { simplefin }))
      .catch(refused);
    return {
      client_id: clientId,
      disabled_at: disabled.disabledAt?.toISOString() ?? null,
      simplefin_tokens_revoked: disabled.revokedTokens,
      simplefin_tokens_left: disabled.continuingTokens,
    };
  },
});

export const ENABLE_PAIR = operation({
  call: 'POST /apps/:app/:env/pairs/:client_id/enable',
  roles: ['operator', 'app'],
  level: 'change',
  input: PairEnabling,
  recorded: ({ client_id: clientId }) => ({
    action: 'clients enable',
    subject: subjectOf([clientId]),
  }),
  run: async ({ service }, { app, env, client_id: clientId }): Promise<EnabledPair> => {
    const { endsAt } = await ownPair(service, tenantOf({ app, env }), clientId)
      .then((own) => enablePair(service, own))
      .catch(refused);
    return { client_id: clientId, disabled_at: null, ends_at: endsAt?.toISOString() ?? null };
  },
});
