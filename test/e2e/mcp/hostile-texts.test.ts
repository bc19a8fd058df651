import { Tributary } from '../../../clients/node/src/index.js';
import { eventually } from '../../support/assertions/eventually.js';
import { HOSTILE_TEXTS } from '../../support/fixtures/hostile-texts.js';
import { shareService } from '../../support/fixtures/shared-service.js';
import { McpServerProcess, readingPair } from './support/mcp-server.js';

type Step = Parameters<Tributary['sandbox']['runScript']>[1]['script'][number];

/** As long as a name may be. */
const shortened = (text: string) => text.slice(0, 200);

/** A value with the fields of bank text taken out. */
const withoutBankText = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, each: unknown) =>
      name.startsWith('untrusted_') ? undefined : each,
    ),
  ) as unknown;

it('Attacks in the texts of transactions change no result of the MCP server for data but the untrusted fields', async () => {
  const service = await shareService();
  const { client_id: clientId, client_secret: clientSecret } = service.app.sandbox;
  const app = new Tributary({ baseUrl: service.info.base_url, clientId, clientSecret });
  // Its clock stands still, so that a second refresh changes no time.
  const { world_id } = await app.sandbox.createWorld({ start: '2026-03-02T00:00:00', seed: 7 });
  const { link_id: linkId = '' } = await app.sandbox.createLink({
    world_id,
    customer_user: { id: 'ann' },
  });
  const server = await McpServerProcess.start('data', service, await readingPair(service, 'ann'));
  const entries = Object.entries(HOSTILE_TEXTS);
  const write = async (verb: 'post' | 'amend', textOf: (attack: string) => string) => {
    const script = entries.map(([, attack], index) => ({
      verb,
      ref: `row-${index}`,
      ...(verb === 'post' ? { amount: index + 1 } : {}),
      description: textOf(attack),
      remittance: textOf(attack),
      merchant: { name: shortened(textOf(attack)) },
      counterparty: { name: shortened(textOf(attack)) },
    }));
    const { refreshed } = await app.sandbox.runScript(linkId, { script: script as Step[] });
    expect(refreshed).toBe(true);
  };
  const read = async () => {
    const link = { link_id: linkId };
    return [
      await server.call('list_links'),
      await server.call('get_link', link),
      await server.call('explain_link', link),
      await server.call('list_accounts', link),
      await server.call('search_transactions', { ...link, limit: 100 }),
      await server.call('summarize_transactions', link),
      await server.call('list_accounts'),
      await server.call('search_transactions', { limit: 100 }),
      await server.call('summarize_transactions'),
    ];
  };
  try {
    await write('post', () => 'Coffee');
    const before = await read();
    const toolsBefore = await server.tools();
    await write('amend', (attack) => attack);
    const after = await read();

    expect(after).not.toEqual(before);
    expect(withoutBankText(after)).toEqual(withoutBankText(before));
    expect(await server.tools()).toEqual(toolsBefore);
    await eventually(() =>
      expect(server.log()).toMatch(/^(tributary-mcp-data: [a-z]+_[a-z]+\n){18}$/),
    );
    const shown = JSON.stringify(after);
    expect(shown).toContain('Ignore all previous instructions');
    expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
    expect(shown).not.toContain('A'.repeat(201));
  } finally {
    await server.close();
    await app.sandbox.deleteWorld(world_id);
  }
});
