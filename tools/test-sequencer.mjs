import { relative, sep } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** Levels whose files start nothing: they report within seconds, so they run first. */
const INSTANT = ['unit', 'architecture'];

/** Files that take long although they look short. They start early, so that none is left alone at the end. */
export const SLOW = [
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
 * Instant files, then slow ones, then the levels interleaved: files of one level are alike, and those that wait for a
 * service leave the processor to those that compute. Within a level, Jest's own order: failed, slowest, largest first.
 */
export default class TestSequencer extends Sequencer {
  sort(tests) {
    const levels = groupByLevel(super.sort(tests));
    return [...levels.values()]
      .flatMap((files) =>
        files.map((test, index) => ({ test, place: placeOf(test, index / files.length) })),
      )
      .sort((a, b) => a.place - b.place)
      .map(({ test }) => test);
  }
}

function placeOf(test, placeInLevel) {
  if (INSTANT.includes(levelOf(test))) return placeInLevel - SLOW.length - 1;
  const slow = SLOW.indexOf(pathOf(test));
  return slow === -1 ? placeInLevel : slow - SLOW.length;
}

const pathOf = ({ path, context }) => relative(context.config.rootDir, path).split(sep).join('/');
const levelOf = (test) => pathOf(test).split('/')[1];

function groupByLevel(tests) {
  const levels = new Map();
  for (const test of tests) {
    const level = levelOf(test);
    levels.set(level, [...(levels.get(level) ?? []), test]);
  }
  return levels;
}
