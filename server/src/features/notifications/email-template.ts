import { type AccentColours, accentColours } from '@sought/contract/accent-colours'
import type { MarketSettings } from '@sought/contract/market-settings'
import { paths } from '@sought/contract/paths'
import { escaped } from '../../core/escape-html.ts'

export interface EmailContent {
  title: string
  text: string
  /** The path that the button opens. */
  path: string
  action: string
  /** List entries with a link each. */
  entries?: { title: string; detail: string; path: string }[]
  /** The number of the payment in question. */
  transactionNumber?: string | null
  /**
   * Why the recipient cannot unsubscribe. By default, because the email concerns the security of their
   * account.
   */
  reason?: string
}

export interface RenderedEmail {
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

/** The market that sends the email. */
interface Site extends Pick<MarketSettings, 'name' | 'accentColor'> {
  publicUrl: string
}

/**
 * Renders an email as plain text and as HTML without images or other external content. The token is null for emails
 * about the account, which cannot be switched off.
 */
export function renderEmail(
  content: EmailContent,
  unsubscribeToken: string | null,
  site: Site,
): RenderedEmail {
  const { publicUrl } = site
  const link = publicUrl + content.path
  const subject = oneLine(content.title)
  const footer = footerOf(content, unsubscribeToken, site)
  return {
    subject,
    text: renderText(subject, content, link, footer, site),
    html: renderHtml(subject, content, link, footer, site),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeToken && {
        'List-Unsubscribe': `<${publicUrl}/api/mail/unsubscribe?token=${unsubscribeToken}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

/** Titles may contain line breaks; a subject must not. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

interface Footer {
  reason: string
  links: { label: string; url: string }[]
}

const ABOUT_SECURITY = 'This email is about the security of your account, so you cannot unsubscribe from it.'

function footerOf(
  { reason = ABOUT_SECURITY }: EmailContent,
  unsubscribeToken: string | null,
  { name, publicUrl }: Site,
): Footer {
  if (!unsubscribeToken) return { reason, links: [] }
  return {
    reason: `You get this email because you have an account at ${name}.`,
    links: [
      {
        label: 'Unsubscribe from emails like this',
        url: publicUrl + paths.unsubscribe({ token: unsubscribeToken }),
      },
      { label: 'All email settings', url: publicUrl + paths.profile({ tab: 'settings' }) },
    ],
  }
}

const numberLines = ({ transactionNumber }: EmailContent) =>
  transactionNumber ? [`Transaction number: ${transactionNumber}`] : []

function renderText(
  title: string,
  content: EmailContent,
  link: string,
  { reason, links }: Footer,
  { name: siteName, publicUrl }: Site,
): string {
  const { text, action, entries = [] } = content
  const lines = [
    title,
    '',
    text,
    '',
    ...entries.flatMap((entry) => [oneLine(entry.title), entry.detail, publicUrl + entry.path, '']),
    ...numberLines(content).flatMap((line) => [line, '']),
    `${action}:`,
    link,
    '',
    // Mail programs recognise this line as the start of the signature.
    '-- ',
    `${siteName}. ${reason}`,
    ...links.flatMap(({ label, url }) => [`${label}:`, url]),
  ]
  return `${lines.join('\n')}\n`
}

/** Inline, since some mail programs drop style sheets. The style sheet in the head only adds dark mode. */
const stylesWith = ({ accent, ink }: AccentColours) => ({
  body: 'margin:0;padding:24px 12px;background:#f4efe3;color:#14211b;font-family:Georgia,serif',
  card: 'max-width:520px;margin:0 auto;padding:28px;background:#fefcf7;border:1px solid #dbd4c3;border-radius:3px',
  brand: `margin:0 0 20px;color:${accent};font-size:18px;font-weight:bold`,
  title: 'margin:0 0 12px;font-size:22px;line-height:1.3;overflow-wrap:anywhere',
  text: 'margin:0 0 24px;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere;white-space:pre-line',
  button: `display:inline-block;padding:12px 20px;background:${accent};color:${ink};border-radius:5px;font:600 16px/1.2 system-ui,sans-serif;text-align:center;text-decoration:none`,
  footer:
    'max-width:520px;margin:16px auto 0;padding:0 28px;color:#4d564a;font:13px/1.5 system-ui,sans-serif',
  entry:
    'margin:0 0 16px;padding:0 0 16px;border-bottom:1px solid #dbd4c3;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere',
  request: `color:${accent};font-weight:600;text-decoration:none`,
  detail: 'color:#4d564a;font-size:14px',
  link: 'color:#4d564a',
})

const darkStyle = ({ accent, ink }: AccentColours) => `@media (prefers-color-scheme: dark) {
  body { background: #211a12 !important; color: #efe5d2 !important }
  .card { background: #2d241a !important; border-color: #4d4234 !important }
  .entry { border-color: #4d4234 !important }
  .brand, .request { color: ${accent} !important }
  .button { background: ${accent} !important; color: ${ink} !important }
  .detail, .footer, .footer a { color: #c3b8a4 !important }
}`

function renderHtml(
  title: string,
  content: EmailContent,
  link: string,
  { reason, links }: Footer,
  { name: siteName, publicUrl, accentColor }: Site,
): string {
  const { text, action, entries = [] } = content
  const style = stylesWith(accentColours(accentColor, 'light'))
  const part = (tag: string, name: keyof typeof style, inner: string, attributes = '') =>
    `<${tag} class="${name}" style="${style[name]}"${attributes}>${inner}</${tag}>`
  const anchor = (name: 'button' | 'request' | 'link', label: string, url: string) =>
    part('a', name, escaped(label), ` href="${escaped(url)}"`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${darkStyle(accentColours(accentColor, 'dark'))}</style>
</head>
<body style="${style.body}">
${part(
  'div',
  'card',
  [
    part('p', 'brand', escaped(siteName)),
    part('h1', 'title', escaped(title)),
    ...[text, ...numberLines(content)].map((line) => part('p', 'text', escaped(line))),
    ...entries.map((entry) =>
      part(
        'p',
        'entry',
        `${anchor('request', entry.title, publicUrl + entry.path)}<br>${part('span', 'detail', escaped(entry.detail))}`,
      ),
    ),
    anchor('button', action, link),
  ].join('\n'),
)}
${part('p', 'footer', [escaped(reason), ...links.map(({ label, url }) => anchor('link', label, url))].join('<br>\n'))}
</body>
</html>
`
}

/** Stays the same when an email is sent again. The time keeps it unique even if the database is recreated. */
export function messageIdOf(email: { id: number; kind: string; createdAt: Date }, publicUrl: string): string {
  return `<${email.kind}.${email.id}.${email.createdAt.getTime()}@${new URL(publicUrl).hostname}>`
}
