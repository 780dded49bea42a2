/**
 * First and last name of a full one: the last word is the last name, 'Khandro Pema Lhamo' is 'Khandro Pema' and
 * 'Lhamo'. Many Tibetans go by one name, which is then the first.
 */
export function splitName(fullName: string): { firstName: string; lastName: string | null } {
  const words = fullName.split(/\s+/).filter(Boolean);
  const lastName = words.length > 1 ? words.pop()! : null;
  return { firstName: words.join(' '), lastName };
}
