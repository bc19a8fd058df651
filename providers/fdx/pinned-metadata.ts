type Settings = Readonly<Record<string, unknown>>;

/** An institution in stored or typed settings; `settings.ts` checks the rest of it. */
interface StoredInstitution {
  remoteId?: unknown;
  issuer?: unknown;
  metadata?: unknown;
}

/**
 * The settings with the metadata pinned in the previous ones, for each bank that does not have its
 * own and whose issuer is unchanged.
 */
export function keepMetadata(changed: Settings, before: Settings): Settings {
  const pinned = new Map(institutionsOf(before).map((bank) => [keyOf(bank), bank.metadata]));
  return changeInstitutions(changed, (bank) => ({
    ...bank,
    metadata: bank.metadata ?? pinned.get(keyOf(bank)) ?? null,
  }));
}

/** The settings without metadata of any bank. */
export const forgetMetadata = (settings: Settings): Settings =>
  changeInstitutions(settings, ({ metadata: _, ...bank }) => bank);

/** The command line passes texts. */
export function parseText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

const changeInstitutions = (
  settings: Settings,
  change: (institution: StoredInstitution) => StoredInstitution,
): Settings => ({ ...settings, institutions: institutionsOf(settings).map(change) });

function institutionsOf({ institutions }: Settings): StoredInstitution[] {
  const list = parseText(institutions);
  return Array.isArray(list) ? (list as StoredInstitution[]) : [];
}

const keyOf = ({ remoteId, issuer }: StoredInstitution): string =>
  JSON.stringify([remoteId, issuer]);
