import { pageHeaders } from '../../../apps/api/src/connect/hosted/page-policy.js';

const source = (sessionCalls: string, connectBaseUrl = new URL(sessionCalls).origin) =>
  /connect-src ([^;]+);/.exec(
    pageHeaders({ sessionCalls, connectBaseUrl }, "'none'")['Content-Security-Policy'] ?? '',
  )?.[1];

it.each([
  ['a name', 'https://api.example/connect/api', 'https://api.example/connect/api/'],
  ['a name with a port', 'http://localhost:4000/connect/api', 'http://localhost:4000/connect/api/'],
  ['loopback', 'http://127.0.0.1:4000/connect/api', 'http://127.0.0.1:4000/connect/api/'],
  ['another number, which a policy cannot name', 'http://10.1.2.3:4000/connect/api', "'self'"],
  ['a number of version 6', 'http://[::1]:4000/connect/api', "'self'"],
])(
  'The page policy lets a hosted page call the session endpoints at %s and nothing else',
  (_what, sessionCalls, expected) => {
    expect(source(sessionCalls)).toBe(expected);
  },
);

it('The page policy names the origin of pages that are served elsewhere', () => {
  expect(source('http://10.1.2.3:4000/connect/api', 'https://connect.example')).toBe(
    'http://10.1.2.3:4000',
  );
});
