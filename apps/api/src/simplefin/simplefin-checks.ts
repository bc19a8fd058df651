import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import {
  SimplefinTokenRepository,
  type SimplefinAccess,
} from '../../../../prisma/views/simplefin/simplefin-token.repository.js';
import type { Admission, RequestChecks } from '../http/admission.js';
import { CallLimits } from '../http/call-limits.js';
import { refuseDeclaredSize } from '../http/input/read-body.js';
import { ownerOf } from '../http/request-state.js';
import { readCredential } from './basic-credential.js';
import { SimplefinForbidden } from './simplefin-errors.js';
import type { SimplefinRouteOptions } from './simplefin-route-options.js';

/** No call of the protocol has a body; clients that send a small one are not refused. */
const MAX_BODY_BYTES = 8_192;

type Simplefin = Admission<SimplefinRouteOptions>;

const accesses = new WeakMap<IncomingMessage, SimplefinAccess>();

/** The access that the credential of a request gives. */
export function accessOf(request: IncomingMessage): SimplefinAccess {
  const access = accesses.get(request);
  if (access === undefined) throw new Error('this route has no credential');
  return access;
}

@Injectable()
export class SimplefinChecks implements RequestChecks<'simplefin', SimplefinRouteOptions> {
  constructor(
    private readonly tokens: SimplefinTokenRepository,
    private readonly calls: CallLimits,
  ) {}

  readonly checks = {
    'declared size': ({ request }: Simplefin): void => refuseDeclaredSize(request, MAX_BODY_BYTES),

    credential: async ({ request, route, state }: Simplefin): Promise<void> => {
      if (route.credential !== 'access') return;
      const credential = readCredential(request.headers.authorization);
      const access = await state.anonymous.authenticate(credential, async () =>
        credential === null ? null : this.tokens.use(credential),
      );
      if (access === null) throw new SimplefinForbidden();
      state.owner = ownerOf(access);
      accesses.set(request, access);
    },

    'rate limit': ({ request, route }: Simplefin): void => {
      if (route.credential !== 'access') return;
      const access = accessOf(request);
      this.calls.takeOfFinanceApp(access, access.tokenId);
    },
  };
}
