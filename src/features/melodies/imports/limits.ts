/** Maximum number of melodies in one import. */
export const IMPORT_MAX = 500;
/** Maximum number of imports offered for undo. */
export const IMPORTS_SHOWN = 10;
