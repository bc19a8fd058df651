import type { HealthCheck } from '../../../../platform/src/process/health-check.js';
import { describeFailure } from '../../../../platform/src/process/watch-checks.js';
import type { ShownPart } from './part-shapes.js';

const UNKNOWN_REMEDY = 'See the log of the console';

/** Examines a part; a silent one does not hold. */
export async function examinePart(
  { part: name, check }: Pick<HealthCheck, 'part' | 'check'>,
  patienceMs: number,
): Promise<ShownPart> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<ShownPart>((resolve) => {
    timer = setTimeout(
      () => resolve(failing(name, `It did not respond within ${patienceMs / 1_000} s`)),
      patienceMs,
    );
  });
  const examined = check().then(
    (): ShownPart => ({ name, ok: true, detail: null, remedy: null }),
    (error: unknown): ShownPart => {
      const { cause, remedy } = describeFailure(error);
      return failing(name, cause, remedy);
    },
  );
  try {
    return await Promise.race([examined, silence]);
  } finally {
    clearTimeout(timer);
  }
}

function failing(name: string, detail: string, remedy = UNKNOWN_REMEDY): ShownPart {
  return { name, ok: false, detail, remedy };
}
