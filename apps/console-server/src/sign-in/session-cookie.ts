import type { Request, Response } from 'express';

/** Cookies of one host are shared by its ports, so the name holds the port. */
export class SessionCookie {
  private readonly name: string;
  private readonly isSecure: boolean;

  constructor(baseUrl: string, prefix: string) {
    const { port, protocol } = new URL(baseUrl);
    this.isSecure = protocol === 'https:';
    this.name = `${prefix}_${port === '' ? (this.isSecure ? '443' : '80') : port}`;
  }

  read(request: Request): string | null {
    for (const part of (request.headers.cookie ?? '').split(';')) {
      const at = part.indexOf('=');
      if (at !== -1 && part.slice(0, at).trim() === this.name) return part.slice(at + 1).trim();
    }
    return null;
  }

  set(response: Response, value: string, maxAgeMs: number): void {
    response.cookie(this.name, value, {
      httpOnly: true,
      sameSite: 'strict',
      secure: this.isSecure,
      path: '/',
      maxAge: maxAgeMs,
    });
  }

  clear(response: Response): void {
    response.clearCookie(this.name, {
      httpOnly: true,
      sameSite: 'strict',
      secure: this.isSecure,
      path: '/',
    });
  }
}
