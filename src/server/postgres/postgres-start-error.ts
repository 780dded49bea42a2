/** Error for an embedded database that can't be started. The message tells the operator what to do. */
export class PostgresStartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PostgresStartError';
  }
}
