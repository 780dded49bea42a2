/** Extracts the credentials from an email; null if it has none. */
export function parseCredentials(text: string): { username: string; password: string } | null {
  // Parses the text of the email, because the password is stored nowhere else.
  const value = (name: string) => new RegExp(`^ *${name}: (.+)$`, 'm').exec(text)?.[1]?.trim();
  const [username, password] = [value('Username'), value('Password')];
  return username && password ? { username, password } : null;
}

/**
 * Formats the credentials in an email as a short message that the teacher can pass on; null if it has none.
 * @param address URL at which to sign in
 */
export function formatSignInDetails(text: string, address: string): string | null {
  const found = parseCredentials(text);
  return found && `${address}\nUsername: ${found.username}\nPassword: ${found.password}`;
}
