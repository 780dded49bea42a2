/** Error shown when a link in a news mail does not work. */
export const NEWS_LINK_INVALID = 'This link doesn’t work.';
