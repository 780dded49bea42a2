/** Where the page wanted to go in this test, other than to pages of its own. */
export const departures: string[] = [];
