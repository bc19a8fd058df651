import { createHash } from 'node:crypto';
import type { Context } from '../../base/context.js';

/** A copy is read again after this time. */
const RENEW_AFTER_MS = 7 * 24 * 60 * 60_000;
/** A copy that no institution has is deleted after this time, since pages may still show it. */
const KEEP_UNUSED_MS = 30 * 24 * 60 * 60_000;

/** Copies of the logos of institutions, by their addresses at the sources. */
export class LogoRepository {
  constructor(private readonly ctx: Context) {}

  /** The addresses of a provider's institutions that were not read lately, the oldest first. */
  async due(provider: string, limit: number): Promise<string[]> {
    const { rows } = await this.ctx.database.pool.query<{ address: string }>(
      `SELECT institution.logo_url AS address
         FROM institutions institution
         LEFT JOIN institution_logos logo ON logo.address = institution.logo_url
        WHERE starts_with(institution.logo_url, 'https:')
          AND EXISTS (SELECT 1 FROM institution_routes route
                       WHERE route.institution_id = institution.institution_id AND route.provider = $1)
          AND (logo.checked_at IS NULL OR logo.checked_at < $2)
        GROUP BY institution.logo_url
        ORDER BY min(logo.checked_at) NULLS FIRST, institution.logo_url
        LIMIT $3`,
      [provider, new Date(this.ctx.clock().getTime() - RENEW_AFTER_MS), limit],
    );
    return rows.map(({ address }) => address);
  }

  /** Stores the picture of an address. Null = it has no usable one now; an earlier one stays. */
  async keep(address: string, picture: Uint8Array | null): Promise<void> {
    const digest = picture && createHash('sha256').update(picture).digest('hex');
    await this.ctx.database.pool.query(
      `INSERT INTO institution_logos AS known (address, digest, picture, checked_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (address) DO UPDATE SET
         digest = coalesce(excluded.digest, known.digest),
         picture = coalesce(excluded.picture, known.picture),
         checked_at = excluded.checked_at`,
      [address, digest, picture && Buffer.from(picture), this.ctx.clock()],
    );
  }

  /** Gives institutions the copies of their addresses, and deletes the copies that none has. */
  async assign(): Promise<void> {
    const { pool } = this.ctx.database;
    await pool.query(
      `UPDATE institutions institution SET logo_digest = found.digest
         FROM (SELECT listed.institution_id, logo.digest
                 FROM institutions listed LEFT JOIN institution_logos logo ON logo.address = listed.logo_url) AS found
        WHERE found.institution_id = institution.institution_id
          AND institution.logo_digest IS DISTINCT FROM found.digest`,
    );
    await pool.query(
      `DELETE FROM institution_logos logo
        WHERE logo.checked_at < $1
          AND NOT EXISTS (SELECT 1 FROM institutions institution WHERE institution.logo_url = logo.address)`,
      [new Date(this.ctx.clock().getTime() - KEEP_UNUSED_MS)],
    );
  }

  /** The PNG with this digest. */
  async picture(digest: string): Promise<Buffer | null> {
    const { rows } = await this.ctx.database.pool.query<{ picture: Buffer }>(
      'SELECT picture FROM institution_logos WHERE digest = $1 LIMIT 1',
      [digest],
    );
    return rows[0]?.picture ?? null;
  }
}
