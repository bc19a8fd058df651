import { app, sandbox, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import { errorOf } from '../../support/services/api-client.js';

serviceOfFile();

interface Holdings {
  holdings: { holding_id: string; quantity: string; price: string; value: number }[];
}

describe('POST /sandbox/links/{id}/holdings', () => {
  it('sets a price that the list of holdings shows afterwards, under the same id', async () => {
    const { link_id: linkId } = await sandbox.link({
      customer_user: { id: 'investor' },
      settings: { products: ['accounts', 'investments'] },
    });
    const list = () => app.get<Holdings>(`/links/${linkId}/holdings`);
    const before = (await list()).holdings.find(({ quantity }) => quantity === '220');
    const path = `/sandbox/links/${linkId}/holdings`;
    const script = [
      { verb: 'set', holding_id: before?.holding_id, price: '50.00' },
      { verb: 'reissue_ids' },
    ];
    expect(await sandbox.ask('POST', path, { script })).toEqual({
      link_id: linkId,
      applied: 2,
      refreshed: true,
    });
    expect(
      (await list()).holdings.find(({ holding_id: id }) => id === before?.holding_id),
    ).toMatchObject({ quantity: '220', price: '50', value: 11_000 });

    const impossible = [{ verb: 'drop', holding_id: 'hld_none' }];
    expect(errorOf(await sandbox.send('POST', path, { script: impossible }))).toMatchObject({
      status: 422,
      code: 'sandbox_error.script_failed',
    });
  });
});
