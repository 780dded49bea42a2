type NameParts = { firstName: string | null; lastName: string | null; username: string };

/** Returns first and last name if both are present, otherwise the username. */
export const formatDisplayName = ({ firstName, lastName, username }: NameParts) =>
  firstName && lastName ? `${firstName} ${lastName}` : username;
