/** Texts that must never turn up where nobody may read them, in the forms in which a leak would have them. */
export class Canaries {
  private readonly texts = new Map<string, string>();

  add(name: string, text: string): void {
    if (text.length < 16) throw new RangeError(`"${name}" is too short to be looked for`);
    this.texts.set(name, text);
  }

  get count(): number {
    return this.texts.size;
  }

  /** Names of those that occur in the haystack: as they are, in an address, inside JSON, in base64 at any offset, or in hexadecimal. */
  findIn(haystack: string): string[] {
    return [...this.texts]
      .filter(([, text]) => formsOf(text).some((form) => haystack.includes(form)))
      .map(([name]) => name);
  }
}

function formsOf(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  return [
    ...new Set([
      text,
      escaped,
      JSON.stringify(escaped).slice(1, -1),
      encodeURIComponent(text),
      Buffer.from(text).toString('hex'),
      ...base64Forms(text),
    ]),
  ];
}

/** Base64 depends on where in its group of three bytes a text begins; the ends, which depend on neighbours, are left out. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
      .toString('base64')
      .replace(/=+$/, '')
      .slice(offset === 0 ? 0 : offset + 1, -2),
  );
}
