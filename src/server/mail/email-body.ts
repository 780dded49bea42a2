/** Block of an email: a paragraph, a link in small print, a list of named values to copy, or the button. */
export type EmailBodyPart =
  | { paragraph: string }
  | { link: string; href: string }
  | { values: readonly (readonly [name: string, value: string])[] }
  | { button: string; href: string };

export type EmailBody = { greeting: string; parts: readonly EmailBodyPart[]; closing: string };

/**
 * Renders an email as plain text and as simple HTML with the same content. The parts contain plain text, which
 * is escaped here for the HTML.
 * @param appName heading of the email
 */
export function renderEmailBody(letter: EmailBody, appName: string): { text: string; html: string } {
  return { text: renderText(letter, appName), html: renderHtml(letter, appName) };
}

function renderText({ greeting, parts, closing }: EmailBody, appName: string): string {
  const body = parts.map((part) => {
    if ('paragraph' in part) return part.paragraph;
    if ('values' in part) return part.values.map(([name, value]) => `  ${name}: ${value}`).join('\n');
    return `${'link' in part ? part.link : part.button}:\n${part.href}`;
  });
  return `${[appName, greeting, ...body, closing].join('\n\n')}\n`;
}

// Every mail program supports tables and inline styles, and some support nothing else. Text and background
// colours are always set together, so that the text stays readable if dark mode inverts colours. No image or
// font is loaded.
const INK_COLOR = '#2b1d1b';
const SOFT_INK = '#66534c';
const GROUND = '#faf5ec';
const SURFACE = '#fffdf8';
const SUNK = '#f3ebdc';
const LINE = '#e5d9c6';
const MAROON = '#7a1e2c';
const ON_MAROON = '#fff7ee';
const SERIF = "font-family:Georgia,'Times New Roman',serif";
const MONO = "font-family:Consolas,Menlo,'Courier New',monospace";

/** Width of the table in px, set as an attribute because Outlook ignores max-width. */
const WIDTH = 560;

/** The app's own dark colours, for mail programs that support this media query. */
const DARK = `@media (prefers-color-scheme:dark){
.ground{background:#171110!important}
.sheet{background:#211917!important;border-color:#3b2d29!important}
.ink{color:#f5ebe0!important}
.soft{color:#c2aea2!important}
.name{color:#e39a8b!important}
.sunk{background:#120c0b!important;border-color:#3b2d29!important}
.press{background:#e39a8b!important}
.press a{color:#2a0d0c!important}
}`;

function renderHtml({ greeting, parts, closing }: EmailBody, appName: string): string {
  const name = escapeHtml(appName);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${name}</title>
<style>${DARK}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:${GROUND}">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${GROUND}" style="background:${GROUND}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="${WIDTH}" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:${WIDTH}px">
<tr><td class="name" style="padding:0 4px 14px;${SERIF};font-size:22px;line-height:1.3;color:${MAROON}">${name}</td></tr>
<tr><td class="sheet" bgcolor="${SURFACE}" style="padding:28px 24px 12px;background:${SURFACE};border:1px solid ${LINE};border-radius:8px">
${[renderParagraph(greeting), ...parts.map(renderPart), renderParagraph(closing)].join('\n')}
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

function renderPart(part: EmailBodyPart): string {
  if ('paragraph' in part) return renderParagraph(part.paragraph);
  if ('link' in part) return renderSmallLink(part.link, part.href);
  return 'values' in part ? renderValueTable(part.values) : renderButton(part.button, part.href);
}

const renderParagraph = (text: string) =>
  `<p class="ink" style="margin:0 0 16px;${SERIF};font-size:17px;line-height:1.55;color:${INK_COLOR}">${escapeHtml(text).replaceAll(/\r?\n/g, '<br>')}</p>`;

/**
 * Renders a table of values to copy. If the mail program supports `user-select: all`, a click or a long press
 * selects a whole value.
 */
function renderValueTable(values: readonly (readonly [string, string])[]) {
  const rows = values.map(
    ([name, value]) => `<tr>
<td class="soft" valign="top" style="padding:5px 16px 5px 0;${SERIF};font-size:15px;line-height:1.5;color:${SOFT_INK}">${escapeHtml(name)}</td>
<td class="ink" valign="top" style="padding:5px 0;${MONO};font-size:16px;line-height:1.45;color:${INK_COLOR};overflow-wrap:anywhere;word-break:break-word;-webkit-user-select:all;user-select:all">${escapeHtml(value)}</td>
</tr>`,
  );
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px"><tr><td class="sunk" bgcolor="${SUNK}" style="padding:10px 16px;background:${SUNK};border:1px solid ${LINE};border-radius:6px">
<table cellpadding="0" cellspacing="0" border="0">
${rows.join('\n')}
</table>
</td></tr></table>`;
}

/**
 * Renders a button and, below it, the URL: for mail programs without links, and for people who want to see
 * where the button leads.
 */
function renderButton(label: string, href: string) {
  const address = escapeHtml(href);
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 10px"><tr><td class="press" bgcolor="${MAROON}" style="background:${MAROON};border-radius:6px">
<a href="${toSafeHref(href)}" style="display:inline-block;padding:13px 26px;${SERIF};font-size:17px;line-height:1.2;color:${ON_MAROON};text-decoration:none">${escapeHtml(label)}</a>
</td></tr></table>
<p class="soft" style="margin:0 0 20px;${MONO};font-size:13px;line-height:1.5;color:${SOFT_INK};overflow-wrap:anywhere;word-break:break-word">${address}</p>`;
}

/** Renders a link whose text is its URL, so that the reader sees where it leads. */
const renderSmallLink = (label: string, href: string) =>
  `<p class="soft" style="margin:0 0 16px;${SERIF};font-size:15px;line-height:1.5;color:${SOFT_INK}">${escapeHtml(label)}:<br>
<a class="soft" href="${toSafeHref(href)}" style="${MONO};font-size:13px;color:${SOFT_INK};overflow-wrap:anywhere;word-break:break-word">${escapeHtml(href)}</a></p>`;

/** Returns the escaped URL; '#' for any URL that isn't http or https, because such a URL could run a script. */
const toSafeHref = (href: string) => (/^https?:\/\//i.test(href) ? escapeHtml(href) : '#');

const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** Returns who the user can ask for help. Teachers can ask only whoever runs the server. */
export const getHelpContact = ({ role }: { role: 'admin' | 'student' }, teacherTitle: string) =>
  role === 'admin' ? 'whoever runs the server' : teacherTitle;

/** Formats a time for an email, in UTC because the reader's time zone is unknown. */
export const formatLongUtcDateTime = (at: Date) =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`;
