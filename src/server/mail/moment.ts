/** A time as written in a letter: the reader's time zone is unknown, so it names the zone. */
export const momentInWords = (at: Date) =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`;
