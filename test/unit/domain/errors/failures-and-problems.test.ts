import {
  API_ERRORS,
  ApiError,
  badState,
  validationFailed,
} from '../../../../domain/errors/api-errors.js';
import {
  CONNECT_PROBLEMS,
  isConnectProblem,
  makeErrorStep,
} from '../../../../domain/session/connect-problem.js';
import { FAILURE_MEANINGS } from '../../../../domain/errors/failure-mapping.js';
import { LINK_ERRORS } from '../../../../domain/link/link-state.js';
import { PRODUCT_ERRORS } from '../../../../domain/link/product-state.js';
import { PROVIDER_CAUSES } from '../../../../domain/errors/provider-failure.js';

describe('The meaning of a provider failure', () => {
  it.each(PROVIDER_CAUSES)(
    'of %s has a link error, a product error and a problem in Connect',
    (cause) => {
      const { linkError, productError, errorId, text } = FAILURE_MEANINGS[cause];
      expect(LINK_ERRORS).toContain(linkError);
      expect(PRODUCT_ERRORS).toContain(productError);
      expect(isConnectProblem(errorId)).toBe(true);
      expect(text).toMatch(/^[A-Z].*\.$/);
    },
  );

  it.each(PROVIDER_CAUSES)('of %s is the same kind for the link and the user', (cause) => {
    const { linkError, errorId } = FAILURE_MEANINGS[cause];
    expect(isConnectProblem(errorId) ? CONNECT_PROBLEMS[errorId].linkError : undefined).toBe(
      linkError,
    );
  });
});

describe('The error step of Connect (connect 6)', () => {
  it.each(Object.keys(CONNECT_PROBLEMS).filter(isConnectProblem))(
    'always offers an exit: %s',
    (id) => {
      expect(makeErrorStep(id, { mayChooseAnother: true, institutionUrl: null }).actions).toContain(
        'exit',
      );
    },
  );

  it('does not offer another institution if the session is bound to one', () => {
    expect(
      makeErrorStep('connect_error.institution_down', {
        mayChooseAnother: false,
        institutionUrl: null,
      }).actions,
    ).toEqual(['retry', 'exit']);
  });
});

describe('Error bodies (native-api 5.1)', () => {
  it('have exactly three members when there are no details to add', () => {
    expect(new ApiError('link_error.not_found').body('https://api.example')).toEqual({
      error_code: 'link_error.not_found',
      error_message: API_ERRORS['link_error.not_found'].message,
      documentation_url: 'https://api.example/docs#error-link_error.not_found',
    });
  });

  it('name the LinkError of a broken link, otherwise its state', () => {
    expect(badState({ state: 'error', error: 'auth_expired' }).body(null).link_error_code).toBe(
      'auth_expired',
    );
    expect(badState({ state: 'connecting', error: null }).body(null).link_error_code).toBe(
      'connecting',
    );
  });

  it('list the validation errors of a request', () => {
    const issue = {
      location: ['body', 'customer_user', 'id'],
      message: 'Required',
      type: 'invalid_type',
    };
    expect(validationFailed([issue]).body(null).validation_errors).toEqual([issue]);
  });
});
