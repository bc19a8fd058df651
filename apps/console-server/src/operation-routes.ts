import { Router } from 'express';
import type { Service } from '../../operator/src/service.js';
import { recordWork } from '../../operator/src/recorded-command.js';
import { admit } from './access/access.js';
import { sendJson } from './listener/send-json.js';
import type { Sessions } from './sign-in/sessions.js';
import type { Operation } from './operations/operation.js';

/** The call of each operation, in the order: who asks, may they, is the input right, then the record and the work. */
export function operationRoutes(
  operations: readonly Operation[],
  { service, sessions, now }: { service: Service; sessions: Sessions; now: () => Date },
): Router {
  const router = Router();
  for (const operation of operations) {
    const [method, path = ''] = operation.call.split(' ');
    router[method === 'GET' ? 'get' : 'post'](path, async (request, response) => {
      const session = await sessions.of(request);
      const { app = null, env } = request.params as Record<string, string>;
      const isSandbox = env === 'sandbox';
      const { roles, level } = operation;
      const person = admit(session, { roles, level, appId: app, isSandbox }, now());
      const input: unknown = operation.input.parse({
        ...(request.query as Record<string, unknown>),
        ...(request.body as Record<string, unknown> | undefined),
        ...request.params,
      });
      let answer: unknown;
      const work = async (): Promise<void> => {
        answer = await operation.run({ service, person, now }, input);
      };
      const recorded = operation.recorded?.(input);
      if (recorded === undefined) await work();
      else await recordWork(service, { actor: person.actor, ...recorded }, { shell: {}, work });
      if (answer === undefined) response.status(204).end();
      else sendJson(request, response, JSON.stringify(answer));
    });
  }
  return router;
}
