/** Where the page wanted to go in this test, other than to pages of its own, and the files that it wanted to save. */
export const departures: string[] = [];
