/** Returns the error message for pages that a session started with a teacher's code can't use. */
export const getOwnerOnlyMessage = (teacher: string) =>
  `This isn’t available, because you signed in with a code from ${teacher}. To use it, sign out, then sign in with your password or an emailed link.`;
