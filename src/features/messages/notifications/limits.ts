/** What a link in a mail of news says when it can do nothing. */
export const NEWS_LINK_INVALID = 'This link does not work.';
