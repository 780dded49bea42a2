/** Rows of cells, as a spreadsheet shows them. */
export type Table = string[][];

/** The file or the pasted text is not a table; the message is for the user. */
export class TableError extends Error {}
