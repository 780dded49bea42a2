/** Returns the error message for a session that a teacher's code started, on pages that are closed to it. */
export const getOwnerOnlyMessage = (teacher: string) =>
  `This isn’t available, because you signed in with a code from ${teacher}. To use it, sign out, then sign in with your password or an emailed link.`;
