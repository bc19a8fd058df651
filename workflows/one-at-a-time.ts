type Activity = (...args: never[]) => Promise<unknown>;

/**
 * The same local activities, each started after the previous one has finished. A replay can deliver
 * results of concurrent ones in a different order, which breaks the workflow.
 */
export function oneAtATime<T extends object>(activities: T): T {
  let last: Promise<unknown> = Promise.resolve();
  return new Proxy(activities, {
    get(target, name, receiver) {
      const activity = Reflect.get(target, name, receiver) as Activity;
      return (...args: never[]) => {
        const call = last.then(() => activity(...args));
        last = call.catch(() => undefined);
        return call;
      };
    },
  });
}
