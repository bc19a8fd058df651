import {
  endSecret,
  rotateSecret,
} from '../../../../operator/src/operations/pairs/change-secrets.js';
import { presentSecret } from '../../../../operator/src/operations/pairs/present-pair.js';
import { tenantOf } from '../app-input.js';
import { operation } from '../operation.js';
import { refused } from '../refused.js';
import { subjectOf } from '../subject-of.js';
import { ownPair } from './own-pair.js';
import { SecretEnd, SecretRotation, type EndedSecret, type RotatedSecret } from './pair-shapes.js';

export const ROTATE_SECRET = operation({
  call: 'POST /apps/:app/:env/pairs/:client_id/rotate',
  roles: ['operator', 'app'],
  level: 'reveal',
  input: SecretRotation,
  recorded: ({ client_id: clientId, label }) => ({
    action: 'clients rotate',
    subject: subjectOf([clientId], { label }),
  }),
  run: async (
    { service },
    { app, env, client_id: clientId, overlap: overlapMs = 0, label = null },
  ): Promise<RotatedSecret> => {
    const { secret, clientSecret, othersEndAt } = await ownPair(
      service,
      tenantOf({ app, env }),
      clientId,
    )
      .then((own) => rotateSecret(service, own, { label, overlapMs }))
      .catch(refused);
    return {
      secret_id: secret.secretId,
      client_secret: clientSecret,
      others_end_at: othersEndAt?.toISOString() ?? null,
    };
  },
});

export const END_SECRET = operation({
  call: 'POST /apps/:app/:env/pairs/:client_id/secrets/:secret_id/end',
  roles: ['operator', 'app'],
  level: 'destroy',
  input: SecretEnd,
  recorded: ({ client_id: clientId, secret_id: secretId, tokens }) => ({
    action: 'clients end-secret',
    subject: subjectOf([clientId, secretId], { tokens }),
  }),
  run: async (
    { service },
    { app, env, client_id: clientId, secret_id: secretId, tokens: tokensToo = false },
  ): Promise<EndedSecret> => {
    const ended = await ownPair(service, tenantOf({ app, env }), clientId)
      .then((own) => endSecret(service, own, secretId, { tokensToo }))
      .catch(refused);
    return presentSecret(ended);
  },
});
