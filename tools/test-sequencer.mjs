import { relative, sep } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** Levels whose files start nothing. */
const INSTANT = ['unit', 'architecture'];

/**
 * The levels that start something, interleaved: files of one level are alike, and those that wait for a service leave
 * the processor to those that compute. Then the instant ones, so that no long file is left alone at the end. Within a
 * level, Jest's own order: failed, slowest as measured by the last run, largest first.
 */
export default class TestSequencer extends Sequencer {
  sort(tests) {
    const levels = groupByLevel(super.sort(tests));
    return [...levels]
      .flatMap(([level, files]) =>
        files.map((test, index) => ({
          test,
          place: index / files.length + (INSTANT.includes(level) ? 1 : 0),
        })),
      )
      .sort((a, b) => a.place - b.place)
      .map(({ test }) => test);
  }
}

function groupByLevel(tests) {
  const levels = new Map();
  for (const test of tests) {
    const level = levelOf(test);
    levels.set(level, [...(levels.get(level) ?? []), test]);
  }
  return levels;
}

const levelOf = ({ path, context }) => relative(context.config.rootDir, path).split(sep)[1] ?? '';
