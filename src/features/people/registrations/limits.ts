/** Requests in a page of their list. */
export const REQUESTS_PAGE = 50;

/** How many of the latest approvals are shown. */
export const RECENT_APPROVALS = 5;
