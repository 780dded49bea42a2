/** The embedded database can't be started; the message tells the operator what to do. */
export class CannotStartPostgres extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CannotStartPostgres';
  }
}
