/** Rows of cells, as a spreadsheet shows them. */
export type Table = string[][];

/** What a file, or what was pasted, turned out not to be; its message is for a person. */
export class NoTable extends Error {}
