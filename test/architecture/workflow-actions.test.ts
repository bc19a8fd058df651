import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = '.github/workflows';
const uses = readdirSync(FOLDER).flatMap((file) =>
  readFileSync(`${FOLDER}/${file}`, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, action] = /^[\s-]*["']?uses["']?\s*:\s*(.*)$/.exec(line) ?? [];
      return action === undefined ? [] : [`${file}: ${action}`];
    }),
);
/** A tag can be moved to other code later. The version in the comment is the one that Dependabot raises. */
const PINNED = /^\S+: ([\w.-]+\/)+[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
const isPinned = (action: string) => PINNED.test(action);

describe('The workflows of GitHub', () => {
  it('name every action by the commit and the version of one release', () => {
    expect(uses.length).toBeGreaterThan(4);
    expect(uses.filter((action) => !isPinned(action))).toEqual([]);
  });

  it('name one commit for each action and version', () => {
    const pins = uses.map((action) => action.replace(/^\S+: /, ''));
    const actions = new Set(pins.map((pin) => pin.split('@')[0]));
    expect(new Set(pins).size).toBe(actions.size);
  });
});

it.each([
  'actions/checkout@v4',
  'actions/checkout@main',
  'actions/checkout@34e1148',
  'actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5',
  'docker://alpine:3',
])('The action %s is not pinned', (action) => {
  expect(isPinned(`test.yml: ${action}`)).toBe(false);
});
