/** A moment as a letter says it: we don't know where its reader is, so it names the zone. */
export const momentInWords = (at: Date) =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`;
