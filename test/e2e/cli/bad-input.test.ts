import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shareService } from '../../support/fixtures/shared-service.js';
import { representatives } from '../../support/runner/representatives.js';
import { DeveloperCli } from '../../support/actors/developer-cli.js';

const SECRET = 'canary-of-a-secret';
let cli: DeveloperCli;
let folder: string;
beforeAll(async () => {
  const { info, app } = await shareService();
  cli = new DeveloperCli(info.base_url, app.sandbox);
  folder = cli.folder;
  writeFileSync(join(folder, 'text.json'), 'no json');
  writeFileSync(join(folder, 'steps.json'), '[{"verb":"post","ref":"a"}]');
});

/** Arguments, exit code, cause, and what to do next. */
const CASES: readonly [args: string[], status: number, cause: string, next: string][] = [
  [['sing'], 2, "unknown command 'sing'", 'Add --help'],
  [['links'], 2, '', 'Usage: tributary links'],
  [['links', 'get'], 2, "missing required argument 'link_id'", 'Add --help'],
  [['links', 'list', '--limit', '0'], 2, 'Must be a whole number of 1 or more.', 'Add --help'],
  [['links', 'list', '--state', 'happy'], 6, 'The request is not valid.', 'query.state'],
  [['links', 'get', 'mk_unknown'], 4, 'Link not found.', 'Check the id'],
  [['links', 'get', '..'], 2, 'An id cannot be', 'Correct the value'],
  [
    ['links', 'delete', 'mk_unknown'],
    2,
    'Input is needed, but this is not a terminal.',
    'Pass --yes.',
  ],
  [['links', 'create'], 2, 'There is only one way', 'Pass --hosted.'],
  [['links', 'create', '--hosted'], 2, 'No user given.', 'Pass --user or --repair.'],
  [['listen'], 2, "required option '--forward-to <url>' not specified", 'Add --help'],
  [['listen', '--forward-to', 'ftp://a'], 2, 'Must be an address such as', 'Add --help'],
  [['listen', '--forward-to', 'a:1', '--since', 'soon'], 2, 'Must be a duration', 'Add --help'],
  [
    ['listen', '--forward-to', 'a:1', '--events', 'link.changed'],
    6,
    'not valid',
    'webhook_events.0',
  ],
  [['trigger', 'rain'], 2, 'There is no event "rain" to cause.', 'Choose one of'],
  [['events', 'get', 'evt_unknown'], 4, 'Event not found.', 'Check the id'],
  [['replay'], 2, 'No webhooks are selected.', 'either the id of an event, or --since'],
  [['worlds', 'advance', 'default', 'a day'], 6, 'not valid', 'body.by'],
  [['fault', 'create', 'sandbox-instant-bank', 'rain'], 6, 'not valid', 'body.kind'],
  [['script', 'mk_unknown', '/none.json'], 2, 'cannot be read (ENOENT)', 'Check its name'],
  [['script', 'mk_unknown', '{folder}/text.json'], 2, 'is not JSON.', 'Correct it'],
  [['script', 'mk_unknown', '{folder}/steps.json'], 4, 'Link not found.', 'Check the id'],
  [['holdings', 'script', 'mk_unknown', '/none.json'], 2, 'cannot be read (ENOENT)', 'Check its'],
  [['liabilities', 'script', 'mk_unknown', '{folder}/text.json'], 2, 'is not JSON.', 'Correct it'],
  [['holdings', 'script', 'mk_unknown', '{folder}/steps.json'], 6, 'not valid', 'body.script'],
  [['sync', 'mk_unknown', '{folder}/text.json'], 2, 'is not a copy of mk_unknown', 'another file'],
  [['institutions', 'get', 'no-bank'], 4, 'Institution not found.', 'Check the id'],
  [
    ['webhook', 'verify', '{folder}/text.json', '--signature', 'x'],
    1,
    'signature',
    'respond with 400',
  ],
  [
    ['export', 'link', 'mk_unknown', '--format', 'xml'],
    2,
    'There is no format "xml".',
    'Choose one of',
  ],
  [
    ['export', 'link', 'mk_unknown', '--format', 'csv', '--data', 'debts'],
    2,
    'There is no table "debts".',
    'Choose one of',
  ],
  [['export', 'user', 'a', '--data', 'holdings'], 2, 'Only csv has tables.', 'Add --format csv'],
  [['whoami', '--profile', 'none'], 2, 'There is no profile "none".', 'profiles list'],
  [['login'], 2, 'Input is needed, but this is not a terminal.', 'Pass --url and --client-id'],
  [['login', `--client-secret=${SECRET}`], 2, "unknown option '--client-secret'", 'Add --help'],
];

/** The first row of each exit code, and those that ask for a secret. */
const stands = (row: (typeof CASES)[number]) =>
  CASES.find(([, status]) => status === row[1]) === row || row[0][0] === 'login';

it.each(representatives(CASES, stands))(
  'tributary %j ends with %i, the cause, and what to do next',
  async (args, status, cause, next) => {
    const given = args.map((word) => word.replace('{folder}', folder));
    const ended = await cli.run(given);
    const { stdout, stderr } = ended;
    expect({ status: ended.status, stdout }).toEqual({ status, stdout: '' });
    expect(stderr).toContain(cause);
    expect(stderr).toContain(next);
    expect(stderr).not.toMatch(/\n\s+at |node:internal/);
    expect(stderr).not.toContain(SECRET);
  },
);

it('A command says with --json, in JSON, why it failed', async () => {
  const { status, stderr } = await cli.run(['links', 'get', 'mk_unknown', '--json']);
  expect({ status, error: JSON.parse(stderr) as unknown }).toEqual({
    status: 4,
    error: {
      error: {
        cause: expect.stringContaining('Link not found.'),
        next: expect.any(String),
        code: 'link_error.not_found',
      },
    },
  });
});

it('A command without a key pair says how to log in', async () => {
  const { info } = await shareService();
  expect(await new DeveloperCli(info.base_url).run(['whoami'])).toEqual({
    status: 3,
    stdout: '',
    stderr:
      'You are not logged in.\nRun `tributary login`, or set TRIBUTARY_URL, CLIENT_ID, CLIENT_SECRET.\n',
  });
});

it('A service that does not respond is named with its address', async () => {
  const { app } = await shareService();
  const away = new DeveloperCli('http://127.0.0.1:9', app.sandbox);
  expect(await away.run(['whoami'])).toMatchObject({
    status: 5,
    stderr: expect.stringMatching(/http:\/\/127\.0\.0\.1:9.*\n.*tributary doctor/),
  });
  const doctor = await away.run(['doctor']);
  expect(doctor).toMatchObject({ status: 1, stdout: expect.stringContaining('does not respond') });
});
