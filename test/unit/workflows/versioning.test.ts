import { readdirSync, readFileSync } from 'node:fs';
import { bundleHash, versionedBundle } from '../../../apps/worker/src/temporal/worker-version.js';
import * as workflows from '../../../workflows/index.js';
import { setVersioning, VERSIONING_FLAG } from '../../../workflows/versioning.js';
import { WORKFLOWS } from '../../../workflows/workflow-list.contract.js';

const FOLDER = new URL('../../../workflows/', import.meta.url);

describe('The versioning of workflows', () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, VERSIONING_FLAG);
  });

  it('is in a contract with its reason for each workflow type', () => {
    const written = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.workflow.ts'))
      .flatMap((file) => [
        ...readFileSync(new URL(file, FOLDER), 'utf8').matchAll(/^export async function (\w+)/gm),
      ])
      .map(([, name]) => name);
    expect(Object.keys(workflows).sort()).toEqual(written.sort());
    expect(WORKFLOWS.map(({ type }) => type).sort()).toEqual(Object.keys(workflows).sort());
    for (const { versioning } of WORKFLOWS) expect(versioning.reason).toMatch(/^\w.+/);
  });

  it('pins workflows that end soon, and upgrades those that wait for days', () => {
    const pinned = WORKFLOWS.filter(({ versioning }) => versioning.behavior === 'PINNED');
    expect(pinned.map(({ type }) => type).sort()).toEqual([
      'catalogSync',
      'linkSession',
      'periodicAggregation',
      'productRefresh',
      'reauthentication',
      'sandboxControl',
    ]);
  });

  it('is set only if the worker requests it', () => {
    const copies = () =>
      Object.fromEntries(
        WORKFLOWS.map(({ type }) => [type, async () => undefined]),
      ) as unknown as Parameters<typeof setVersioning>[0];
    const without = copies();
    setVersioning(without);
    expect(without.linkSession).not.toHaveProperty('workflowDefinitionOptions');
    Object.assign(globalThis, { [VERSIONING_FLAG]: true });
    const withRows = copies();
    setVersioning(withRows);
    for (const { type, versioning } of WORKFLOWS)
      expect(withRows[type]).toHaveProperty('workflowDefinitionOptions', {
        versioningBehavior: versioning.behavior,
      });
  });

  it('is requested by a statement before the bundle, on the same line', () => {
    expect(versionedBundle({ code: 'var a;\nvar b;' })).toEqual({
      code: `globalThis.${VERSIONING_FLAG} = true; var a;\nvar b;`,
    });
  });
});

describe('The build id of a worker', () => {
  it('changes with the workflows, and not with the folder of the build', () => {
    const map = (folder: string) => `\n//# sourceMappingURL=data:application/json;base64,${folder}`;
    const hash = bundleHash(`var a;${map('QQ==')}`);
    expect(hash).toMatch(/^[0-9a-f]{12}$/);
    expect(bundleHash(`var a;${map('Qg==')}`)).toBe(hash);
    expect(bundleHash(`var b;${map('QQ==')}`)).not.toBe(hash);
  });
});
