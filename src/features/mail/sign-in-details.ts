/**
 * What a mail says of how to sign in, alone: to be passed on in a message. Null for a mail that says nothing of it. It is
 * read from the text, for the password is nowhere else.
 */
export function signInDetails(text: string, address: string): string | null {
  const value = (name: string) => new RegExp(`^ *${name}: (.+)$`, 'm').exec(text)?.[1]?.trim();
  const [username, password] = [value('Username'), value('Password')];
  return username && password ? `${address}\nUsername: ${username}\nPassword: ${password}` : null;
}
