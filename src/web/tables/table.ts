/** Rows of cells, as a spreadsheet shows them. */
export type Table = string[][];

/** Error for a file or pasted text that can't be read as a table. The message is for the user. */
export class TableError extends Error {}
