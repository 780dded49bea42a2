/** Pages outside the app that the page navigated to during this test, and files that it downloaded. */
export const externalNavigations: string[] = [];
