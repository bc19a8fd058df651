import type { Request } from 'express';
import type { EndUser } from '../../../../domain/session/end-user.js';

const MAX_HEADER = 500;
const DEFAULT_LANGUAGE = 'en';

/** The user who opens Connect, as the request describes them. */
export function endUserOf({ ip = '', headers }: Pick<Request, 'ip' | 'headers'>): EndUser {
  const [language = ''] = (headers['accept-language'] ?? '').split(/[,;]/);
  return {
    ipAddress: ip.replace(/^::ffff:/, ''),
    userAgent: (headers['user-agent'] ?? '').slice(0, MAX_HEADER),
    language: /^[A-Za-z0-9-]{2,35}$/.test(language.trim()) ? language.trim() : DEFAULT_LANGUAGE,
  };
}
