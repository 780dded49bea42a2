/** Returns the error message for a session that a teacher's code started, on pages that are closed to it. */
export const forOwnerOnly = (teacher: string) =>
  `This is closed, because you signed in with a code that ${teacher} showed. To open it, sign out and sign in again with your password or an emailed link.`;
