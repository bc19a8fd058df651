import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeWithPython } from '../../support/receivers/python.js';
import { bodiesOfTomorrow, OPEN_LISTS, TOMORROW } from './bodies-of-tomorrow.js';
import { COMPONENTS, DOCUMENT, NUMBERED, OPERATIONS } from './document.js';
import { readExamples } from '../../../apps/api/src/openapi/recorded-examples.js';

const VIEW = readExamples().operations['connect.getSession']?.response as object;

const BASE = {
  id: 'st_1',
  can_go_back: false,
  message: null,
  error: { code: 'wrong', text: 'Try again.' },
  attempts_left: 2,
  expires_at: null,
};
const FIELD = {
  name: 'color',
  label: 'Color',
  type: 'select',
  required: true,
  secret: false,
  autocomplete: 'off',
  max_length: 10,
  pattern: null,
  options: [{ value: 'red', label: 'Red' }],
};

/** A step of each kind. Source: connect 5. */
const STEPS: readonly { kind: string; [field: string]: unknown }[] = [
  { kind: 'select_institution' },
  { kind: 'form', purpose: 'questions', fields: [FIELD], help_url: null, reset_url: null },
  { kind: 'choice', purpose: 'option', options: [{ id: 'a', label: 'A', icon: null }], max: 1 },
  {
    kind: 'otp',
    channel: 'sms',
    target: null,
    length: 6,
    digits_only: true,
    resend_after_seconds: 20,
  },
  { kind: 'image', image: 'data:image/png;base64,AA', label: 'Code', description: null },
  { kind: 'redirect', started: true },
  { kind: 'wait', stage: 'connecting', can_cancel: true },
  {
    kind: 'select_accounts',
    accounts: [
      {
        ref: 'a',
        name: 'Everyday Checking',
        account_type: 'depository.checking',
        account_mask: '1101',
        balance: 12.5,
        currency: 'USD',
        selected: true,
        locked: false,
      },
    ],
    min: 1,
    max: null,
    missing: [{ ref: null, name: null, selected: false }],
  },
  {
    kind: 'consent',
    products: [
      {
        product: 'identity',
        reason: null,
        required: false,
        granted: true,
        locked: false,
        already_granted: false,
      },
    ],
  },
  { kind: 'success' },
  {
    kind: 'error',
    error_id: 'connect_error.invalid_credentials',
    displayed_message: 'The bank refused the login.',
    fault: 'user',
    link_error: 'user_error',
    actions: ['retry', 'exit'],
    institution_url: null,
  },
];

const CONNECT_VIEWS = STEPS.map((step) => ({ ...VIEW, step: { ...BASE, ...step } }));

/** `select_accounts` → `ConnectSelectAccountsStep`. */
const STEP_MODELS = STEPS.map(({ kind }) => [
  `Connect${kind.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Step`,
  kind,
]);

const HERE = 'test/integration/generated-clients';
const MAX_MODELS = 350;
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

    it('both read every response and webhook with values that no list has yet', () => {
      const { bodies, lists } = bodiesOfTomorrow();
      expect(lists.sort()).toEqual([...OPEN_LISTS].sort());
      const printed = execFileSync(python, [`${HERE}/read_bodies_of_tomorrow.py`, folder], {
        input: JSON.stringify(bodies),
        encoding: 'utf8',
      });
      const values = (text: string) => text.split(TOMORROW).length;
      const read = JSON.parse(printed) as [string, string, string][];
      const wrong = read.filter(([name, ...texts]) => {
        const sent = JSON.stringify(bodies.find(([model]) => model === name)?.[1]);
        return texts.some((text) => values(text) !== values(sent));
      });
      expect(wrong).toEqual([]);
    });
  },
  { modules: 'openapi_python_client, datamodel_code_generator', minVersion: [3, 11] },
);
