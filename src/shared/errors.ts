/** Every kind of error response. {@link HTTP_STATUS_BY_ERROR_CODE} lists the HTTP statuses. */
export type ErrorCode =
  | 'bad-input'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'timed-out'
  | 'conflict'
  | 'other-user'
  | 'too-large'
  | 'unsupported-media'
  | 'range'
  | 'too-many'
  | 'unavailable'
  | 'storage-full'
  | 'unexpected';

export const HTTP_STATUS_BY_ERROR_CODE = {
  'bad-input': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'timed-out': 408,
  conflict: 409,
  // The expected user of a request is a precondition (RFC 9110, section 15.5.13). No other error has status
  // 412.
  'other-user': 412,
  'too-large': 413,
  'unsupported-media': 415,
  range: 416,
  'too-many': 429,
  unavailable: 503,
  // RFC 4918, section 11.5.
  'storage-full': 507,
  unexpected: 500,
} satisfies Record<ErrorCode, number>;

export type ValidationIssue = { path: string; message: string };

/** Body of every unsuccessful response. */
export type ErrorBody = { message: string; issues?: ValidationIssue[] };

/**
 * Error that is meant for the user: `message` is a sentence for a person and goes to the browser unchanged. For
 * any other error, the response is a fixed sentence, so that no internal text leaks.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly issues: ValidationIssue[] | undefined;
  /**
   * Seconds to wait before a retry, for 'too-many', 'unavailable' and 'storage-full'; sent as `Retry-After`.
   */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { issues?: ValidationIssue[]; retryAfter?: number } = {},
  ) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.issues = more.issues;
    this.retryAfter = more.retryAfter;
  }

  /**
   * Returns a copy of this error with an issue for the form field `path`, unless the error already has
   * issues. The page shows the message at that field.
   */
  atPath(path: string): AppError {
    const { code, message, retryAfter } = this;
    return new AppError(code, message, {
      issues: this.issues ?? [{ path, message }],
      ...(retryAfter !== undefined && { retryAfter }),
    });
  }
}

export const createNotFoundError = (message = 'Not found') => new AppError('not-found', message);
export const createBadInputError = (message: string, issues?: ValidationIssue[]) =>
  new AppError('bad-input', message, issues ? { issues } : {});
export const createConflictError = (message: string) => new AppError('conflict', message);
