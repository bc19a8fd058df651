import { execFileSync } from 'node:child_process';
import document from '../../../docs/openapi.json' with { type: 'json' };
import { operationsOf } from '../../../docs/generators/python-client.mjs';
import {
  CLIENT_VARIABLES,
  describeWithPythonClient,
} from '../../support/receivers/python-client.js';

interface Method {
  ids: string[];
  named: string[];
  has_body: boolean;
  is_explained: boolean;
  signature: string;
  of_class: string;
}

const snakeCase = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const KEYWORDS: Record<string, string> = { from: 'from_', 'links.import': 'links.import_' };
const pythonName = (name: string) => KEYWORDS[name] ?? name;
/** Methods beyond the operations. */
const OWN = [
  'links.export_to',
  'transactions.sync_into',
  'users.export_to',
  'webhooks.asgi_handler',
  'webhooks.verify',
  'webhooks.wsgi_handler',
];

describeWithPythonClient('The methods of the Python client', (python) => {
  let methods: Record<string, Method>;
  beforeAll(() => {
    methods = JSON.parse(
      execFileSync(python, ['test/integration/python-client/list_methods.py'], {
        env: CLIENT_VARIABLES,
        encoding: 'utf8',
      }),
    ) as Record<string, Method>;
  });

  it('are those of the operations of the OpenAPI document, in snake case', () => {
    const named = operationsOf(document).map(({ operationId }) =>
      pythonName(snakeCase(operationId)),
    );
    expect(Object.keys(methods).sort()).toEqual([...named, ...OWN].sort());
  });

  it('take the parameters of their operations, a body and a key where these do', () => {
    for (const { operationId, parameters = [], requestBody } of operationsOf(document)) {
      const method = methods[pythonName(snakeCase(operationId))];
      const of = (place: string) =>
        parameters.filter((each) => each.in === place).map(({ name }) => pythonName(name));
      const key = of('header').includes('Idempotency-Key') ? ['idempotency_key'] : [];
      // `export_to` has the other formats, and the parameters of one.
      const query = of('query').filter((name) => !['format', 'data', 'bom'].includes(name));
      expect({
        operationId,
        ids: method?.ids.length,
        named: method?.named.sort(),
        hasBody: method?.has_body,
      }).toEqual({
        operationId,
        ids: of('path').length,
        named: [...query, ...key].sort(),
        hasBody: requestBody !== undefined,
      });
    }
  });

  it('show their parameters and their results to inspect.signature, and to the class with self', () => {
    const shown = (name: string) => methods[name]?.signature.replaceAll("'", '');
    expect(shown('links.get')).toBe('(link_id: str) -> Link');
    expect(shown('accounts.list')).toBe(
      '(link_id: str, *, account_ids: Sequence[str] | None = None) -> AccountsListResult',
    );
    expect(shown('users.list_links')).toMatch(/ -> PagedList\[Link, UsersListLinksResult\]$/);
    for (const [name, { signature, of_class: ofClass }] of Object.entries(methods)) {
      expect({ name, signature }).toEqual({ name, signature: expect.not.stringContaining('self') });
      expect({ name, ofClass }).toEqual({ name, ofClass: expect.stringMatching(/^\(self\b/) });
    }
  });

  it('are all documented', () => {
    const silent = Object.entries(methods).filter(([, { is_explained }]) => !is_explained);
    expect(silent).toEqual([]);
  });
});
