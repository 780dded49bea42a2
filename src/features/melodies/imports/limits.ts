/** Melodies of one import. */
export const IMPORT_MAX = 500;
/** Imports that can still be undone, of which one is told. */
export const IMPORTS_SHOWN = 10;
