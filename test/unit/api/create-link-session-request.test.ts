import { describe, expect, it } from 'vitest';
import { combineRequestedProducts } from '../../../domain/link/products.js';
import { CreateLinkSessionRequest } from '../../../apps/api/src/link-sessions/create-link-session.request.js';

const parse = (fields: Record<string, unknown>) =>
  CreateLinkSessionRequest.body.parse({ customer_user: { id: 'u' }, ...fields });

describe('a session request', () => {
  it('is read as in the contract', () => {
    const body = parse({
      redirect_uri: 'https://app.example/bank-return',
      settings: { products: ['identity', 'transactions'], countries: ['US'] },
      products_settings: {
        transactions: { required: true, prefetch: true, extend_history: true },
        identity: { prefetch: true },
      },
      webhook: 'https://app.example/hooks/bank',
      tags: ['tier:gold'],
    });
    const products = combineRequestedProducts({
      products: body.settings?.products,
      productsSettings: body.products_settings,
    });
    expect(products).toEqual({
      accounts: {
        required: false,
        prefetch: false,
        extend_history: false,
        require_permission: false,
        reason: null,
      },
      identity: {
        required: false,
        prefetch: true,
        extend_history: false,
        require_permission: false,
        reason: null,
      },
      transactions: {
        required: true,
        prefetch: true,
        extend_history: true,
        require_permission: false,
        reason: null,
      },
    });
  });

  it('ignores unknown fields, and settings where there are none', () => {
    const body = parse({
      colour: 'blue',
      settings: {
        products: {
          accounts: { required: 'maybe' },
          identity: { extend_history: 7, speed: 'fast' },
        },
        size: 1,
      },
    });
    expect(body).toEqual({
      customer_user: { id: 'u' },
      settings: { products: { accounts: {}, identity: {} } },
      connect_features: expect.any(Object),
    });
  });

  it('takes the alias when the name is missing, and does not look at it otherwise', () => {
    expect(parse({ link_tags: ['a', 'b', 'a'], product_settings: { identity: {} } })).toMatchObject(
      { tags: ['a', 'b'], products_settings: { identity: {} } },
    );
    expect(
      parse({
        tags: ['a'],
        link_tags: [0],
        products_settings: {},
        product_settings: { loans: {} },
      }),
    ).toMatchObject({ tags: ['a'], products_settings: {} });
  });

  it('counts tags after dropping repeats, and characters rather than bytes', () => {
    expect(
      parse({ tags: Array.from({ length: 60 }, (_, index) => `t${index % 50}`) }).tags,
    ).toHaveLength(50);
    expect(
      parse({ tags: [`a${'😀'.repeat(98)}`], customer_user: { id: '😀'.repeat(150) } })
        .customer_user.id,
    ).toBe('😀'.repeat(150));
  });

  it('has every feature off that it does not name', () => {
    const off = {
      issue_reporter: false,
      connect_manually: false,
      duplicate_institution_warning: false,
      duplicate_institution_rejected: false,
      permit_only_one_account: false,
      permit_only_depository_accounts: false,
    };
    expect(parse({}).connect_features).toEqual(off);
    expect(
      parse({ connect_features: { connect_manually: true, issue_reporter: false, sing: 'yes' } })
        .connect_features,
    ).toEqual({ ...off, connect_manually: true });
  });

  it('accepts a webhook of null', () => {
    expect(parse({ webhook: null }).webhook).toBeNull();
  });
});
