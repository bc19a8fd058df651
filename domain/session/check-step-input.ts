import type { ValidationIssue } from '../errors/api-errors.js';
import type { Step, StepInput } from './connect-step.js';

/**
 * Checks an answer to a step: its kind must match the step (or be `back`, if allowed) and its
 * values must be valid. The institution of `select_institution` is validated elsewhere. Source:
 * connect 5, rules 4, 10, 11, 13.
 * @returns the issues; empty = the answer may be submitted
 */
export function checkStepInput(step: Step, input: StepInput): ValidationIssue[] {
  if (input.kind === 'back')
    return step.can_go_back ? [] : [issue(['kind'], 'There is no way back from this step.')];
  if (input.kind !== step.kind)
    return [issue(['kind'], `The step expects an answer of kind "${step.kind}".`)];
  switch (input.kind) {
    case 'select_institution':
      return [];
    case 'form':
      return step.kind === 'form' ? checkForm(step, input.values) : [];
    case 'choice':
      return step.kind === 'choice' ? checkChoice(step, input.option_ids) : [];
    case 'otp':
      return step.kind === 'otp' ? checkOtp(step, input) : [];
    case 'image':
      return input.answer === '' ? [issue(['answer'], 'An answer is required.')] : [];
    case 'redirect':
      return [];
    case 'wait':
      return step.kind === 'wait' && step.can_cancel
        ? []
        : [issue(['cancel'], 'This cannot be canceled.')];
    case 'select_accounts':
      return step.kind === 'select_accounts' ? checkAccounts(step, input.refs) : [];
    case 'consent':
      return step.kind === 'consent' ? checkConsent(step, input.granted) : [];
    case 'error':
      return step.kind === 'error' && step.actions.includes(input.action)
        ? []
        : [issue(['action'], 'This action is not offered.')];
  }
}

function issue(path: (string | number)[], message: string): ValidationIssue {
  return { location: ['body', 'input', ...path], message, type: 'invalid' };
}

function checkForm(
  step: Extract<Step, { kind: 'form' }>,
  values: Record<string, string>,
): ValidationIssue[] {
  const known = new Set(step.fields.map((field) => field.name));
  const unknown = Object.keys(values)
    .filter((name) => !known.has(name))
    .map((name) => issue(['values', name], 'The step has no such field.'));
  const wrong = step.fields.flatMap((field) => {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    if (value === undefined || value === '')
      return field.required ? [issue(['values', field.name], 'This field is required.')] : [];
    if (value.length > field.max_length)
      return [issue(['values', field.name], 'This value is too long.')];
    if (field.options !== null && !field.options.some((option) => option.value === value))
      return [issue(['values', field.name], 'This value is not offered.')];
    if (field.pattern !== null && !new RegExp(`^(?:${field.pattern})$`, 'u').test(value))
      return [issue(['values', field.name], 'This value does not have the expected form.')];
    return [];
  });
  return [...unknown, ...wrong];
}

function checkChoice(
  step: Extract<Step, { kind: 'choice' }>,
  ids: readonly string[],
): ValidationIssue[] {
  if (ids.length < 1 || ids.length > step.max || new Set(ids).size !== ids.length)
    return [issue(['option_ids'], `Choose from 1 to ${step.max}.`)];
  const offered = new Set(step.options.map((option) => option.id));
  return ids.flatMap((id, index) =>
    offered.has(id) ? [] : [issue(['option_ids', index], 'This option is not offered.')],
  );
}

function checkOtp(
  step: Extract<Step, { kind: 'otp' }>,
  input: Extract<StepInput, { kind: 'otp' }>,
): ValidationIssue[] {
  if ('resend' in input)
    return step.resend_after_seconds === null
      ? [issue(['resend'], 'The code cannot be sent again.')]
      : [];
  if (input.code === '' || input.code.length > 64) return [issue(['code'], 'A code is required.')];
  return step.digits_only && !/^\d+$/.test(input.code)
    ? [issue(['code'], 'The code has digits only.')]
    : [];
}

function checkAccounts(
  step: Extract<Step, { kind: 'select_accounts' }>,
  refs: readonly string[],
): ValidationIssue[] {
  const awaited = new Set(step.missing?.map(({ ref }) => ref));
  const offered = new Set([...step.accounts.map(({ ref }) => ref), ...awaited]);
  const unknown = refs.flatMap((ref, index) =>
    offered.has(ref) ? [] : [issue(['refs', index], 'This account is not offered.')],
  );
  if (unknown.length > 0) return unknown;
  // Locked accounts are always included, even if they are not named.
  const chosen = new Set([
    ...refs.filter((ref) => !awaited.has(ref)),
    ...step.accounts.filter(({ locked }) => locked).map(({ ref }) => ref),
  ]);
  const fits = chosen.size >= step.min && (step.max === null || chosen.size <= step.max);
  return fits ? [] : [issue(['refs'], 'That is not the expected number of accounts.')];
}

function checkConsent(
  step: Extract<Step, { kind: 'consent' }>,
  granted: readonly string[],
): ValidationIssue[] {
  const offered = new Set<string>(step.products.map((product) => product.product));
  const unknown = granted.flatMap((product, index) =>
    offered.has(product) ? [] : [issue(['granted', index], 'This product is not offered.')],
  );
  // `accounts` is always on, and products granted earlier stay granted; neither has to be named.
  const needed = step.products.filter(
    (row) => row.product !== 'accounts' && row.locked && !row.already_granted,
  );
  const missing = needed.some(({ product }) => !granted.includes(product));
  return missing
    ? [...unknown, issue(['granted'], 'A required product cannot be declined.')]
    : unknown;
}
