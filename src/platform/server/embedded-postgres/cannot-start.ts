/** The embedded database can't be started; the message is a sentence for the operator that says what to do. */
export class CannotStartPostgres extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CannotStartPostgres';
  }
}
