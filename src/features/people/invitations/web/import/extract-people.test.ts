import { describe, expect, test } from 'vitest';
import { hasRequiredColumns, detectColumns, assignColumn } from './columns.ts';
import { extractPeople } from './extract-people.ts';
import { parseTextTable } from '#web/tables/parse-text-table.ts';
import { decodeText } from '#web/tables/decode-text.ts';

const peopleOf = (text: string) => {
  const table = parseTextTable(text);
  return extractPeople(table, detectColumns(table));
};
const named = (text: string) =>
  peopleOf(text).map(({ email, firstName, lastName }) => [firstName, lastName, email]);

const TASHI = ['Tashi', 'Dolma', 'tashi@x.org'];

describe('table formats', () => {
  test.each([
    ['tabs', 'First name\tLast name\tEmail\nTashi\tDolma\ttashi@x.org'],
    ['semicolons, and commas in cells', 'E-Mail;Name\r\ntashi@x.org;Dolma, Tashi'],
    ['commas, and quotes', 'email,name\n"tashi@x.org","Dolma, Tashi"'],
    ['a line break within quotes', '"First\nname",Surname,Mail\nTashi,Dolma,tashi@x.org'],
    ['carriage returns as line breaks', 'first,last,mail\rTashi,Dolma,tashi@x.org'],
    ['no headings', 'Tashi,Dolma,tashi@x.org'],
    ['no headings and the email first', 'tashi@x.org\tTashi Dolma'],
    ['one column', 'Tashi Dolma <tashi@x.org>'],
    ['a title above the headings', 'Autumn retreat 2026,,\n,,\nFirst,Last,Email\nTashi,Dolma,tashi@x.org'],
    ['unused columns', 'No,Paid,Given name,Family name,E-mail address,Diet\n1,yes,Tashi,Dolma,tashi@x.org,-'],
    ['two columns of emails', 'Email,Email,First,Last\ntashi@x.org,other@x.org,Tashi,Dolma'],
  ])('reads a table with %s', (_, text) => expect(named(text)).toEqual([TASHI]));

  test.each([
    ['English', 'Email address*,FIRST NAME,Last_Name'],
    ['German', 'E-Mail-Adresse,Vorname,Nachname'],
    ['German, with the last name as Name', 'E-Mail,Vorname,Name'],
    ['French', 'Courriel,Prénom,Nom'],
    ['Spanish', 'Correo electrónico,Nombre,Apellidos'],
    ['Italian', 'Posta elettronica,Nome,Cognome'],
    ['Portuguese', 'Endereço de e-mail,Nome,Sobrenome'],
    ['Dutch', 'E-mailadres,Voornaam,Achternaam'],
    ['Polish', 'Adres e-mail,Imię,Nazwisko'],
    ['Russian', 'Электронная почта,Имя,Фамилия'],
    ['Chinese', '电子邮箱,名,姓'],
    ['Japanese', 'メールアドレス,名,姓'],
  ])('reads headings in %s', (_, headings) => {
    expect(named(`${headings}\ntashi@x.org,Tashi,Dolma`)).toEqual([TASHI]);
  });

  test.each([
    'Name',
    'Full name',
    'Nom',
    'Nombre',
    'Nome completo',
    'Naam',
    'ФИО',
    '姓名',
    'Vor- und Nachname',
  ])('reads full names from a column called %s', (heading) =>
    expect(named(`${heading},mail\nTashi Dolma,tashi@x.org`)).toEqual([TASHI]),
  );

  const bytes = (...given: number[]) => Uint8Array.from(given);
  const inUtf16 = (text: string, isLittle: boolean) =>
    bytes(
      ...[...text].flatMap((letter) => {
        const pair = [letter.charCodeAt(0) & 255, letter.charCodeAt(0) >> 8];
        return isLittle ? pair : pair.reverse();
      }),
    );
  test.each([
    ['UTF-8', new TextEncoder().encode('Žofia,Müller')],
    ['UTF-8 with a byte order mark', new TextEncoder().encode('\ufeffŽofia,Müller')],
    ['UTF-16 LE', bytes(0xff, 0xfe, ...inUtf16('Žofia,Müller', true))],
    ['UTF-16 BE', bytes(0xfe, 0xff, ...inUtf16('Žofia,Müller', false))],
    ['UTF-16 LE without a byte order mark', inUtf16('Žofia,Müller', true)],
    ['UTF-16 BE without a byte order mark', inUtf16('Žofia,Müller', false)],
    ['Windows-1252', bytes(0x8e, ...[...'ofia,M\u00fcller'].map((letter) => letter.charCodeAt(0)))],
  ])('decodes letters in %s', (_, file) => expect(decodeText(file)).toBe('Žofia,Müller'));
});

describe('rows', () => {
  test.each([
    ['a name and an email address in one cell', 'Tashi Dolma <tashi@x.org>', TASHI],
    ['a name, last name first, and an email address in one cell', '"""Dolma, Tashi"" <Tashi@X.org>;"', TASHI],
    ['a link', 'Tashi Dolma,mailto:tashi@x.org', TASHI],
    ['a link as a formula', 'Tashi Dolma,"=HYPERLINK(""mailto:tashi@x.org"",""tashi@x.org"")"', TASHI],
    ['spaces and upper case', '  Tashi \u00a0 Dolma ,\u00a0 TASHI@X.ORG\u200b ', TASHI],
    ['a space within the email address', 'Tashi Dolma,tashi @x.org', TASHI],
    ['a full-width at sign', 'Tashi Dolma,tashi＠x.org', TASHI],
    ['an extra full stop', 'Tashi Dolma,tashi@x.org.', TASHI],
    ['an apostrophe that prevents a formula', "'Tashi Dolma,tashi@x.org", TASHI],
    ['a formula instead of a name', '=1+1,tashi@x.org', ['=1+1', null, 'tashi@x.org']],
    ['a single name', 'Jampa,jampa@x.org', ['Jampa', null, 'jampa@x.org']],
    ['a Tibetan name', 'པདྨ འཚོ,pema@x.org', ['པདྨ', 'འཚོ', 'pema@x.org']],
    ['two email addresses', 'Tashi Dolma,a@x.org; b@x.org', ['Tashi', 'Dolma', 'a@x.org; b@x.org']],
    ['no email address', 'Tashi Dolma,none', ['Tashi', 'Dolma', 'none']],
  ])('reads a row with %s', (_, row, expected) => {
    // The tested row may lack an email address, so a second row is added from which the email column can be
    // detected.
    expect(named(`${row}\nSomebody Else,else@x.org`)[0]).toEqual(expected);
  });

  test('splits a full name that is in only one of the two name columns', () =>
    expect(named('First,Last,Mail\nTashi Dolma,,tashi@x.org\n,Jampa,jampa@x.org')).toEqual([
      TASHI,
      ['Jampa', null, 'jampa@x.org'],
    ]));
});

test('skips empty rows and repeated headings without changing the row numbers', () => {
  const text = 'Name,Email\nTashi Dolma,tashi@x.org\n,\n\n NAME ,e-mail\nJampa,jampa@x.org\n,no.name@x.org\n';
  expect(peopleOf(text).map(({ row, email }) => [row, email])).toEqual([
    [2, 'tashi@x.org'],
    [6, 'jampa@x.org'],
    [7, 'no.name@x.org'],
  ]);
});

test('assigning a field to a column removes the field from its previous column', () => {
  const table = parseTextTable('X,Y,Z\nTashi,Dolma,tashi@x.org\nJampa,Yeshe,jampa@x.org');
  const guessed = detectColumns(table);
  expect(guessed).toEqual({ headings: null, fields: ['firstName', 'lastName', 'email'] });
  const swapped = assignColumn(guessed, 0, 'lastName');
  expect(swapped.fields).toEqual(['lastName', null, 'email']);
  expect([hasRequiredColumns(guessed), hasRequiredColumns(swapped)]).toEqual([true, false]);
  const nothing = parseTextTable('1\n2\n3');
  expect(hasRequiredColumns(detectColumns(nothing))).toBe(false);
  expect(extractPeople(parseTextTable(''), detectColumns(parseTextTable('')))).toEqual([]);
});

test('reads a thousand rows', () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => `Tashi;Dolma ${index};tashi.${index}@x.org`);
  expect(peopleOf(`Vorname;Nachname;E-Mail\n${rows.join('\n')}`)).toHaveLength(1_000);
});

test('reads a column of levels whose cells contain several levels or none', () => {
  const people = peopleOf(
    'Email;Name;Level\na@x.org;Tashi;"Refuge, Lung"\nb@x.org;Pema;\nc@x.org;Karma;"Refuge;Wang"',
  );
  expect(people.map(({ levelNames }) => levelNames)).toEqual([
    ['Refuge', 'Lung'],
    undefined,
    ['Refuge', 'Wang'],
  ]);
});
