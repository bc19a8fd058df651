import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeWithPython } from '../../support/receivers/python.js';
import { CONNECT_VIEWS, STEP_MODELS } from './connect-views.js';
import { COMPONENTS, DOCUMENT, NUMBERED, OPERATIONS } from './document.js';

const HERE = 'test/integration/generated-clients';
const MAX_MODELS = 300;
/** The only part that it cannot read: a picture. */
const PICTURE = 'GET /institutions/{institution_id}/avatar.svg within institutions';

describeWithPython(
  'Clients that Python generators make of the OpenAPI document',
  `${HERE}/requirements.txt`,
  (python) => {
    let folder: string;
    let report: string;
    let models: string[];
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'tributary-clients-'));
      // It formats its output by a program beside Python.
      const PATH = `${dirname(python)}:${process.env['PATH'] ?? ''}`;
      const { stdout, stderr } = spawnSync(
        python,
        [
          ...['-m', 'openapi_python_client', 'generate', '--path', DOCUMENT, '--meta', 'none'],
          ...['--output-path', join(folder, 'attrs_client')],
        ],
        { encoding: 'utf8', env: { ...process.env, PATH } },
      );
      report = stdout + stderr;
      const module = join(folder, 'pydantic_models.py');
      execFileSync(python, [
        ...['-m', 'datamodel_code_generator'],
        ...['--input', DOCUMENT, '--input-file-type', 'openapi', '--output', module],
        ...['--output-model-type', 'pydantic_v2.BaseModel', '--formatters', 'builtin'],
        ...['--openapi-scopes', 'schemas', 'paths', 'parameters', 'webhooks'],
      ]);
      models = [...readFileSync(module, 'utf8').matchAll(/^class (\w+)\(/gm)].map(
        ([, name = '']) => name,
      );
    }, 180_000);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const filesIn = (...path: string[]): string[] =>
      readdirSync(join(folder, 'attrs_client', ...path), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.py') && !name.endsWith('__init__.py'))
        .map((name) => name.replace(/.*\//, '').replace(/\.py$/, ''));

    it('openapi-python-client loses no operation and no model', () => {
      // `linksList` becomes `links_list`, `startOAuth` becomes `start_o_auth`.
      const letters = (name: string) => name.replaceAll('_', '').toLowerCase();
      expect(filesIn('api').map(letters).sort()).toEqual(OPERATIONS.map(letters).sort());
      expect(
        [...report.matchAll(/^WARNING parsing (.+?)\.(?: |$)/gm)].map(([, place]) => place),
      ).toEqual([PICTURE]);
      expect(report).not.toContain('Unable to process schema');
    });

    it('openapi-python-client makes few models, none of them numbered', () => {
      const names = filesIn('models');
      expect(names.length).toBeLessThan(MAX_MODELS);
      expect(names.filter((name) => NUMBERED.test(name))).toEqual([]);
    });

    it('datamodel-code-generator makes a model of every schema, and none that is numbered', () => {
      expect(COMPONENTS.filter((name) => !models.includes(name))).toEqual([]);
      expect(models.filter((name) => NUMBERED.test(name))).toEqual([]);
    });

    it('both read a Connect View with every kind of step as the model of that step', () => {
      const printed = execFileSync(python, [`${HERE}/read_connect_views.py`, folder], {
        input: JSON.stringify(CONNECT_VIEWS),
        encoding: 'utf8',
      });
      expect(JSON.parse(printed)).toEqual({ attrs: STEP_MODELS, pydantic: STEP_MODELS });
    });
  },
  { modules: 'openapi_python_client, datamodel_code_generator', minVersion: [3, 11] },
);
