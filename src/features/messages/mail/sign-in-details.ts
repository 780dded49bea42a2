/** Extracts the credentials from an email; null if it has none. */
export function parseCredentials(text: string): { username: string; password: string } | null {
  // The text is the only place that has the password.
  const value = (name: string) => new RegExp(`^ *${name}: (.+)$`, 'm').exec(text)?.[1]?.trim();
  const [username, password] = [value('Username'), value('Password')];
  return username && password ? { username, password } : null;
}

/** Formats the same as a short message that the teacher can pass on; `address` is where to sign in. */
export function formatSignInDetails(text: string, address: string): string | null {
  const found = parseCredentials(text);
  return found && `${address}\nUsername: ${found.username}\nPassword: ${found.password}`;
}
