/**
 * Fails every `every`-th call of the wrapped object, before the call or after it. The calling
 * worker is then lost.
 */
export class Losses {
  private calls = 0;
  lost = 0;

  constructor(
    private readonly every: number,
    private readonly when: 'before' | 'after',
  ) {}

  around<T extends object>(part: T): T {
    return new Proxy(part, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function' || name === 'turnOf') return member;
        return async (...args: unknown[]) => {
          this.calls += 1;
          const isLost = this.calls % this.every === 0;
          if (isLost && this.when === 'before') this.lose();
          const answer: unknown = await Reflect.apply(member, target, args);
          if (isLost) this.lose();
          return answer;
        };
      },
    });
  }

  private lose(): never {
    this.lost += 1;
    throw new Error('the worker was lost');
  }
}
