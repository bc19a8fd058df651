import { untrustedText, untrustedValue } from '../../../clients/mcp/src/results/untrusted-text.js';
import { HOSTILE_TEXTS } from '../../support/fixtures/hostile-texts.js';

describe('A text of a bank in a result of an MCP server', () => {
  it.each(Object.entries(HOSTILE_TEXTS))(
    'is one short line without characters that hide something: %s',
    (_, text) => {
      const shown = untrustedText(text);
      expect([...shown].length).toBeLessThanOrEqual(201);
      expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|\s\s/u);
      expect(untrustedText(shown)).toBe(shown);
    },
  );

  it('keeps the letters and signs of all languages', () => {
    const text = 'Café Zürich 北京 \u041c\u0438\u0440 \u0926\u093f\u0928 🍕 €4.50 #12/3';
    expect(untrustedText(text)).toBe(text);
  });

  it('is cleaned at any depth, and other values stay', () => {
    expect(
      untrustedValue({ names: ['A\u202eB'], primary: true, address: { street: null, no: 4 } }),
    ).toEqual({ names: ['AB'], primary: true, address: { street: null, no: 4 } });
  });
});
