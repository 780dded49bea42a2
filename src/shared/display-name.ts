type Named = { firstName: string | null; lastName: string | null; username: string };

/** First and last name where both are there, else the username. */
export const displayName = ({ firstName, lastName, username }: Named) =>
  firstName && lastName ? `${firstName} ${lastName}` : username;
