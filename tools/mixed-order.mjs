import { relative, sep } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/**
 * Files that take long and look short: nobody likes to wait for one file at the end while the other processors are
 * idle. They start programs, or go through many screens.
 */
const FIRST = [
  'test/e2e/operations/shutdown.test.ts',
  'test/browser/journeys/windows.test.ts',
  'test/e2e/connect/lost-responses.test.ts',
  'test/integration/standalone/life.test.ts',
  'test/browser/journeys/banks.test.ts',
  'test/e2e/documentation/openapi-fuzz.test.ts',
  'test/e2e/links/delete-link.test.ts',
  'test/browser/journeys/sample-app.test.ts',
  'test/e2e/connect/time-limits.test.ts',
  'test/browser/journeys/plaid-link.test.ts',
  'test/integration/webhooks/killed.test.ts',
  'test/e2e/webhooks/webhook-upkeep.test.ts',
  'test/browser/connect-app/screens-in-light.test.ts',
  'test/e2e/products/scheduled-refresh.test.ts',
  'test/browser/connect-app/screens-narrow.test.ts',
  'test/integration/standalone/demo.test.ts',
  'test/e2e/security/secrets.test.ts',
  'test/sdk/built-packages.test.ts',
  'test/compat/errors.test.ts',
];

/**
 * Levels beside each other from beginning to end, since files of one level are alike: those that wait for a service
 * leave the processor to those that compute. Within a level as Vitest does: what failed, then what took longest, then
 * the largest file.
 */
export class MixedOrder extends BaseSequencer {
  async sort(files) {
    const { root } = this.ctx.config;
    const levels = {};
    for (const file of await super.sort(files))
      (levels[relative(root, file.moduleId).split(sep)[1]] ??= []).push(file);
    const placed = Object.values(levels).flatMap((level) =>
      level.map((file, index) => ({
        file,
        place: placeAtFront(root, file) ?? index / level.length,
      })),
    );
    return placed.sort((a, b) => a.place - b.place).map(({ file }) => file);
  }
}

function placeAtFront(root, { moduleId }) {
  const index = FIRST.indexOf(relative(root, moduleId).split(sep).join('/'));
  return index === -1 ? undefined : index - FIRST.length;
}
