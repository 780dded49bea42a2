import type { Table } from '#web/tables/table.ts';

/** Kind of data in a column. */
export type PersonColumn = 'email' | 'firstName' | 'lastName' | 'fullName' | 'levels';

export type ColumnMapping = {
  /** Kind of data in each column, in order; null for an ignored column. */
  fields: readonly (PersonColumn | null)[];
  /** Index of the row with the headings; null if there is none. */
  headings: number | null;
};

/** Known headings in the languages of the communities, separated by spaces. */
const HEADINGS: Record<PersonColumn | 'name' | 'firstOrFull', string> = {
  email:
    'email emailaddress emailadress emails mail mailaddress eaddress emailadresse mailadresse ' +
    'adresseemail adressemail adressedemessagerie adresseelectronique courriel courrielelectronique mel ' +
    'correo correoelectronico correoe direcciondecorreo direcciondecorreoelectronico emailcorreo ' +
    'postaelettronica indirizzoemail indirizzodipostaelettronica enderecodeemail correioeletronico enderecoemail ' +
    'emailadres mailadres epost epostadresse epostadress eposta sahkoposti adresemail adresposta ' +
    'почта электроннаяпочта элпочта адресэлектроннойпочты эпочта имейл емейл мейл ' +
    '邮箱 电子邮箱 电子邮件 邮件 邮件地址 邮箱地址 郵箱 電子郵箱 電子郵件 電郵 メール メールアドレス 이메일',
  firstName:
    'firstname first given givenname givennames forename forenames christianname vorname vornamen rufname ' +
    'prenom prenoms nombredepila nombres voornaam voornamen roepnaam primeironome prenome imie jmeno fornavn ' +
    'fornamn etunimi имя 名 名字 이름',
  lastName:
    'lastname last surname family familyname secondname nachname familienname zuname nomdefamille ' +
    'apellido apellidos cognome cognomi sobrenome apelido ultimonome achternaam familienaam nazwisko prijmeni ' +
    'etternavn efternavn efternamn sukunimi фамилия 姓 姓氏 성',
  fullName:
    'fullname names displayname completename person participant student participantname studentname ' +
    'vollername vollstandigername ganzername vorundnachname vorundzuname vornamenachname vornameundnachname ' +
    'namevorname teilnehmer teilnehmerin teilnehmende nomcomplet nometprenom prenometnom nomprenom prenomnom ' +
    'nombrecompleto nombreyapellido nombreyapellidos nomecompleto nomeecognome cognomeenome nomeesobrenome ' +
    'volledigenaam volledigname naamvoluit фио полноеимя имяифамилия фамилияимя 姓名 全名 氏名 성명',
  levels:
    'level levels transmission transmissions transmissionlevel transmissionlevels ubertragung ubertragungen ' +
    'stufe stufen niveau niveaux nivel niveles livello livelli nivelis уровень уровни передача передачи',
  // These headings mean the last name if there is a first-name column but no other last-name column.
  // Otherwise, they mean the whole name.
  name: 'name naam nom navn namn nazwa',
  // These headings mean the first name if there is a last-name column but no other first-name column.
  // Otherwise, they mean the whole name.
  firstOrFull: 'nombre nome имя 名字',
};

/**
 * Lower-cases a heading, and removes accents, parts in brackets and everything else that is not a letter or
 * digit: 'E-Mail *' and 'e mail' become 'email'.
 */
export const normalizeHeading = (heading: string) =>
  heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/\(.*?\)/g, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

const knownHeadings = new Map(
  (Object.keys(HEADINGS) as (keyof typeof HEADINGS)[]).flatMap((kind) =>
    HEADINGS[kind].split(' ').map((heading) => [normalizeHeading(heading), kind] as const),
  ),
);

/** Number of rows in which to look for the headings, which may be below a title. */
const MAX_HEADING_ROW = 10;

/** Recognises each column by its heading or, without headings, by its contents. */
export function detectColumns(table: Table): ColumnMapping {
  const width = Math.max(0, ...table.map((row) => row.length));
  const found = table
    .slice(0, MAX_HEADING_ROW)
    .map((row, index) => ({ headings: index, fields: matchHeadings(row, width) }))
    .find(({ fields, headings }) => isHeadingRow(fields, table[headings] ?? []));
  if (found) return found;
  return { headings: null, fields: guessFields(table, width) };
}

/**
 * Returns whether a row contains the headings: no cell is an email address, and the row has the heading of an
 * email column or two other known headings.
 */
const isHeadingRow = (fields: ColumnMapping['fields'], cells: readonly string[]) =>
  fields.some((field) => field !== null) &&
  !cells.some((cell) => cell.includes('@')) &&
  (fields.includes('email') || fields.filter(Boolean).length > 1);

function matchHeadings(row: readonly string[], width: number): (PersonColumn | null)[] {
  const kinds = Array.from(
    { length: width },
    (_, index) => knownHeadings.get(normalizeHeading(row[index] ?? '')) ?? null,
  );
  const has = (kind: PersonColumn) => kinds.includes(kind);
  const taken = new Set<PersonColumn>();
  return kinds.map((kind) => {
    const field =
      kind === 'name'
        ? has('firstName') && !has('lastName')
          ? 'lastName'
          : 'fullName'
        : kind === 'firstOrFull'
          ? has('lastName') && !has('firstName')
            ? 'firstName'
            : 'fullName'
          : kind;
    // If two headings mean the same kind of data, the second column is ignored.
    if (field === null || taken.has(field)) return null;
    taken.add(field);
    return field;
  });
}

/**
 * Guesses the columns from the first 100 rows. The column with the most email addresses is the email column.
 * Columns in which at least half of the cells look like names are name columns. A single name column contains
 * whole names; of several, the first contains first names and the second last names.
 */
function guessFields(table: Table, width: number): (PersonColumn | null)[] {
  const rows = table.slice(0, 100);
  const count = (index: number, matches: (cell: string) => boolean) =>
    rows.filter((row) => matches(row[index] ?? '')).length;
  const columns = Array.from({ length: width }, (_, index) => index);
  const maxCount = Math.max(0, ...columns.map((index) => count(index, hasAddress)));
  const email = maxCount === 0 ? -1 : columns.find((index) => count(index, hasAddress) === maxCount);
  const names = columns.filter((index) => index !== email && count(index, isNameLike) * 2 >= rows.length);
  const parts: PersonColumn[] = names.length > 1 ? ['firstName', 'lastName'] : ['fullName'];
  return columns.map((index) => (index === email ? 'email' : (parts[names.indexOf(index)] ?? null)));
}

const hasAddress = (cell: string) => cell.includes('@');
const isNameLike = (cell: string) => /\p{L}/u.test(cell) && !/[@\d]/.test(cell);

/** Returns whether there are columns for both email and name. */
export const hasRequiredColumns = ({ fields }: ColumnMapping) =>
  fields.includes('email') && (fields.includes('fullName') || fields.includes('firstName'));

/** Assigns a field to a column, and removes it from the column that had it. */
export const assignColumn = (
  { fields, headings }: ColumnMapping,
  at: number,
  field: PersonColumn | null,
): ColumnMapping => ({
  headings,
  fields: fields.map((each, index) => (index === at ? field : each === field ? null : each)),
});

/** Returns whether a row repeats the headings, as happens when several lists were appended to each other. */
export const isRepeatedHeadingRow = (row: readonly string[], headings: readonly string[]) =>
  headings.length > 0 &&
  row.some((cell) => cell.trim() !== '') &&
  headings.every((heading, index) => normalizeHeading(heading) === normalizeHeading(row[index] ?? ''));
