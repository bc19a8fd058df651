/** The token of an `Authorization: Bearer …` header; null when there is no well-formed one. */
export function bearerToken(authorization: string | undefined): string | null {
  const [, token] = /^bearer +([A-Za-z0-9._~+/=-]{1,512})$/i.exec(authorization ?? '') ?? [];
  return token ?? null;
}
