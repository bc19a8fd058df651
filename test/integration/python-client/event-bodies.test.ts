import { execFileSync } from 'node:child_process';
import document from '../../../docs/openapi.json' with { type: 'json' };
import { readExamples } from '../../../apps/api/src/openapi/recorded-examples.js';
import {
  CLIENT_VARIABLES,
  describeWithPythonClient,
} from '../../support/receivers/python-client.js';

type Body = Record<string, unknown>;

const EXAMPLES = readExamples().webhooks as Record<string, Body>;
const WEBHOOKS = Object.entries(document.webhooks).map(([name, { post }]): [string, Body] => [
  post.requestBody.content['application/json'].schema.$ref.split('/').at(-1) ?? '',
  EXAMPLES[name] ?? {},
]);

describeWithPythonClient('The body of an event in the log, in the Python client', (python) => {
  /** The class of each body, and its members as they were sent. */
  const read = (bodies: Body[]) =>
    JSON.parse(
      execFileSync(python, ['test/integration/python-client/read_event_bodies.py'], {
        input: JSON.stringify(bodies),
        env: CLIENT_VARIABLES,
        encoding: 'utf8',
      }),
    ) as [string, Body][];

  it('is of the class of its webhook, also with members of tomorrow', () => {
    const sent = WEBHOOKS.flatMap(([model, body]): [string, Body][] => [
      [model, body],
      [model, { ...body, webhook_minor_version: 7, of_tomorrow: { a: [1] } }],
    ]);
    expect(sent).toHaveLength(12);
    expect(read(sent.map(([, body]) => body))).toEqual(sent);
  });

  it('is readable as any other when its event is unknown, has no name, or lacks what its webhook promises', () => {
    const [, known = {}] = WEBHOOKS[0] ?? [];
    const others: Body[] = [
      { ...known, webhook_event: 'link.of_tomorrow', of_tomorrow: [1] },
      { webhook_type: 'ITEM', webhook_code: 'ERROR', item_id: 'mk_1', error: { a: null } },
      { webhook_event: 'link.state_changed', state: 'connected' },
      { ...known, link_tags: null },
      {},
    ];
    expect(read(others)).toEqual(others.map((body) => ['OtherWebhookBody', body]));
  });
});
