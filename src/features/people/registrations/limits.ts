/** Requests per page. */
export const REQUESTS_PAGE = 50;

/** Number of recent approvals shown. */
export const RECENT_APPROVALS = 5;
