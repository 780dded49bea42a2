/**
 * Paths of the documents that the page tried to load during this test, and names of the files it downloaded.
 */
export const navigationsAndDownloads: string[] = [];
