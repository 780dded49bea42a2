import type { Table } from '#web/tables/table.ts';

/** What a column may be. */
export type Column = 'email' | 'firstName' | 'lastName' | 'fullName' | 'levels';

export type Columns = {
  /** By position; null for a column that is left aside. */
  fields: readonly (Column | null)[];
  /** The position of the row with the headings; null where there is none. */
  headings: number | null;
};

/** Headings in the languages that communities write, apart from case, accents and spaces ({@link plain}). */
const HEADINGS: Record<Column | 'name' | 'firstOrFull', string> = {
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
  // Of one's family beside a column of first names, else the whole.
  name: 'name naam nom navn namn nazwa',
  // The first beside a column of last names, else the whole.
  firstOrFull: 'nombre nome имя 名字',
};

/** Without case, accents, and what is not a letter: 'E-Mail *' and 'e mail' are 'email'. */
export const plain = (heading: string) =>
  heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/\(.*?\)/g, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

const known = new Map(
  (Object.keys(HEADINGS) as (keyof typeof HEADINGS)[]).flatMap((kind) =>
    HEADINGS[kind].split(' ').map((heading) => [plain(heading), kind] as const),
  ),
);

/** Headings stand near the top, maybe below a title. */
const HEADINGS_WITHIN = 10;

/** Finds out what each column is: by its heading, else by what is in it. */
export function columnsOf(table: Table): Columns {
  const width = Math.max(0, ...table.map((row) => row.length));
  const found = table
    .slice(0, HEADINGS_WITHIN)
    .map((row, index) => ({ headings: index, fields: fieldsOf(row, width) }))
    .find(({ fields, headings }) => isHeadings(fields, table[headings] ?? []));
  if (found) return found;
  return { headings: null, fields: guessedFields(table, width) };
}

/** A column of emails and one of names are enough; the cells below need not be looked at. */
const isHeadings = (fields: Columns['fields'], cells: readonly string[]) =>
  fields.some((field) => field !== null) &&
  !cells.some((cell) => cell.includes('@')) &&
  (fields.includes('email') || fields.filter(Boolean).length > 1);

function fieldsOf(row: readonly string[], width: number): (Column | null)[] {
  const kinds = Array.from({ length: width }, (_, index) => known.get(plain(row[index] ?? '')) ?? null);
  const has = (kind: Column) => kinds.includes(kind);
  const taken = new Set<Column>();
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
    // The first of two with one heading.
    if (field === null || taken.has(field)) return null;
    taken.add(field);
    return field;
  });
}

/** The column with the most addresses is that of emails; of those with letters, one is the name, or two are its parts. */
function guessedFields(table: Table, width: number): (Column | null)[] {
  const rows = table.slice(0, 100);
  const count = (index: number, isSuch: (cell: string) => boolean) =>
    rows.filter((row) => isSuch(row[index] ?? '')).length;
  const columns = Array.from({ length: width }, (_, index) => index);
  const most = Math.max(0, ...columns.map((index) => count(index, hasAddress)));
  const email = most === 0 ? -1 : columns.find((index) => count(index, hasAddress) === most);
  const names = columns.filter((index) => index !== email && count(index, isNameLike) * 2 >= rows.length);
  const parts: Column[] = names.length > 1 ? ['firstName', 'lastName'] : ['fullName'];
  return columns.map((index) => (index === email ? 'email' : (parts[names.indexOf(index)] ?? null)));
}

const hasAddress = (cell: string) => cell.includes('@');
const isNameLike = (cell: string) => /\p{L}/u.test(cell) && !/[@\d]/.test(cell);

/** Whether emails and names are both known. */
export const areComplete = ({ fields }: Columns) =>
  fields.includes('email') && (fields.includes('fullName') || fields.includes('firstName'));

/** Another choice for one column; a field that it takes is taken from the column that had it. */
export const withField = ({ fields, headings }: Columns, at: number, field: Column | null): Columns => ({
  headings,
  fields: fields.map((each, index) => (index === at ? field : each === field ? null : each)),
});

/** Whether a row repeats the headings, as where several lists were put one below the other. */
export const repeatsHeadings = (row: readonly string[], headings: readonly string[]) =>
  headings.length > 0 &&
  row.some((cell) => cell.trim() !== '') &&
  headings.every((heading, index) => plain(heading) === plain(row[index] ?? ''));
