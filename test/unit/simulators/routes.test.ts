import { RouteTable } from '../../../simulators/http/routes.js';

const TABLE = new RouteTable({
  'GET /accounts/{id}': 'account',
  'DELETE /accounts/{id}': 'closed account',
  '* /accounts/{id}/pages': 'pages',
  '* /oauth/*': 'oauth',
});

describe('The routes of a simulated bank', () => {
  it.each([
    ['GET', '/accounts/a-1', 'account', { id: 'a-1' }],
    ['DELETE', '/accounts/a%2F1', 'closed account', { id: 'a/1' }],
    ['PUT', '/accounts/%25/pages', 'pages', { id: '%' }],
    ['GET', '/oauth/x/y', 'oauth', {}],
  ])('find %s %s with its decoded parameters', (method, path, target, params) => {
    expect(TABLE.find(method, path)).toMatchObject({ target, params });
  });

  it('name the methods of an address that lacks the requested one', () => {
    expect(TABLE.find('PUT', '/accounts/a')).toEqual({ allowed: ['GET', 'DELETE'] });
  });

  it.each([
    ...['/accounts', '/accounts/', '/accounts/a/', '/accounts//a', '/Accounts/a', '/a%63counts/a'],
    ...['/./accounts/a', '/x/../accounts/a', '/accounts\\a', '/accounts/%E0%A4', '/accounts/a#b'],
    ...['//accounts/a', 'http://bank/accounts/a', '*'],
  ])('have nothing at %s, which is no spelling of theirs', (path) => {
    expect(TABLE.find('GET', path)).toEqual({ allowed: [] });
  });

  it('accept only the parameters that their pattern allows', () => {
    const table = new RouteTable({ 'GET /faults/{id}': 'fault' }, '([\\w.\\-]{1,4})');
    expect(table.find('GET', '/faults/a.-1')).toMatchObject({ params: { id: 'a.-1' } });
    for (const id of ['abcde', '%00', 'a~b'])
      expect(table.find('GET', `/faults/${id}`)).toEqual({ allowed: [] });
  });
});
