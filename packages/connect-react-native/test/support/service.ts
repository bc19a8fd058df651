/** The service that an SDK asks about a link: the response of each attempt, `true` and `false` for a whole one. */
export type Reply = boolean | { status: number; body?: unknown } | 'unreachable' | 'silent';

interface Question {
  address: string;
  init: RequestInit;
  /** Its body. */
  asked: { url: string; link_session_token: string | null };
}

/** Replaces `fetch`. @returns the questions so far */
export function answerQuestions(
  reply: (question: Question) => Reply | Promise<Reply> = () => true,
): Question[] {
  const questions: Question[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (address, init = {}) => {
    const asked = JSON.parse(String(init.body)) as Question['asked'];
    const question = { address: String(address), init, asked };
    questions.push(question);
    const given = await reply(question);
    if (given === 'unreachable') throw new TypeError('Network request failed');
    if (given === 'silent')
      return new Promise((_, fail) => init.signal?.addEventListener('abort', () => fail(late())));
    const { status, body } =
      typeof given === 'boolean' ? { status: 200, body: { resumable: given } } : given;
    const json = async () => {
      if (body === undefined) throw new SyntaxError('not JSON');
      return body;
    };
    return { status, ok: status === 200, json } as Response;
  });
  return questions;
}

const late = (): Error => new Error('aborted');
