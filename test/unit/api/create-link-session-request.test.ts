import { combineRequestedProducts } from '../../../domain/link/products.js';
import { CreateLinkSessionRequest } from '../../../apps/api/src/link-sessions/create-link-session.request.js';

const parse = (fields: Record<string, unknown>) =>
  CreateLinkSessionRequest.body.parse({ customer_user: { id: 'u' }, ...fields });

describe('The body of POST /link-session', () => {
  it('is parsed as the contract defines it', () => {
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

  it('may contain unknown fields and null settings, which are ignored', () => {
    const body = parse({
      color: 'blue',
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

  it('is read from the alias if the name is missing, or beside the same value', () => {
    expect(parse({ link_tags: ['a', 'b', 'a'], product_settings: { identity: {} } })).toMatchObject(
      { tags: ['a', 'b'], products_settings: { identity: {} } },
    );
    expect(
      parse({
        tags: ['a'],
        link_tags: ['a'],
        products_settings: {},
        product_settings: {},
      }),
    ).toMatchObject({ tags: ['a'], products_settings: {} });
  });

  it('counts tags after removing duplicates, and characters instead of bytes', () => {
    expect(
      parse({ tags: Array.from({ length: 60 }, (_, index) => `t${index % 50}`) }).tags,
    ).toHaveLength(50);
    expect(
      parse({ tags: [`a${'😀'.repeat(98)}`], customer_user: { id: '😀'.repeat(150) } })
        .customer_user.id,
    ).toBe('😀'.repeat(150));
  });

  it('turns off every feature that it does not name', () => {
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
