/** Error shown when a link in a news email does not work. */
export const UNSUBSCRIBE_LINK_INVALID_MESSAGE = 'This link doesn’t work.';
