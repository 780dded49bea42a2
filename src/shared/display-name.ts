type Named = { firstName: string | null; lastName: string | null; username: string };

/** Returns first and last name if both are present, otherwise the username. */
export const displayName = ({ firstName, lastName, username }: Named) =>
  firstName && lastName ? `${firstName} ${lastName}` : username;
