/** Maximum number of melodies in one import. */
export const MAX_IMPORTED_MELODIES = 500;
/** Maximum number of imports offered for undo. */
export const MAX_IMPORTS_SHOWN = 10;
