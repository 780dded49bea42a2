/** Error for an embedded database that can't be started. The message says what the operator can do. */
export class PostgresStartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PostgresStartError';
  }
}
