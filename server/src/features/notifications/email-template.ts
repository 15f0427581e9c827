import type { EmailKind } from '@sought/contract/notification-kinds'
import { paths } from '@sought/contract/paths'
import { escaped } from '../../platform/page-head.ts'

/** What a mail says, before it is laid out. */
export interface Content {
  title: string
  text: string
  /** Where its button leads, on this site. */
  path: string
  action: string
}

/** Why it came and how to have no more of it. Null for mails about the account, which always come. */
type Unsubscribing = { token: string } | null

export interface Letter {
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

/** The one layout of all mails: as plain text, and as a page without pictures or anything from afar. */
export function layOut(content: Content, unsubscribing: Unsubscribing, publicUrl: string): Letter {
  const link = publicUrl + content.path
  const subject = oneLine(content.title)
  const footer = footerOf(unsubscribing, publicUrl)
  return {
    subject,
    text: asText(subject, content, link, footer),
    html: asPage(subject, content, link, footer),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribing && {
        'List-Unsubscribe': `<${publicUrl}/api/mail/unsubscribe?token=${unsubscribing.token}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

/** A title may have been typed with a break in it, and a subject has one line. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

interface Footer {
  why: string
  links: { words: string; address: string }[]
}

function footerOf(unsubscribing: Unsubscribing, publicUrl: string): Footer {
  if (!unsubscribing) {
    return {
      why: 'This mail is about the safety of your account, so that it cannot be switched off.',
      links: [],
    }
  }
  return {
    why: 'You get this mail because you have an account at Sought.',
    links: [
      { words: 'Switch off mails like this one', address: publicUrl + paths.unsubscribe(unsubscribing) },
      { words: 'All mail settings', address: publicUrl + paths.profile({ tab: 'settings' }) },
    ],
  }
}

function asText(title: string, { text, action }: Content, link: string, { why, links }: Footer): string {
  const lines = [
    title,
    '',
    text,
    '',
    `${action}:`,
    link,
    '',
    // Mail programs know by these two dashes and the space that what follows is not part of the letter.
    '-- ',
    `Sought. ${why}`,
    ...links.flatMap(({ words, address }) => [`${words}:`, address]),
  ]
  return `${lines.join('\n')}\n`
}

/** Inline, since some programs throw the rest away; the sheet in the head is for those that know darkness. */
const style = {
  body: 'margin:0;padding:24px 12px;background:#f4efe3;color:#14211b;font-family:Georgia,serif',
  card: 'max-width:520px;margin:0 auto;padding:28px;background:#fefcf7;border:1px solid #dbd4c3;border-radius:3px',
  brand: 'margin:0 0 20px;color:#0c4a33;font-size:18px;font-weight:bold',
  title: 'margin:0 0 12px;font-size:22px;line-height:1.3;overflow-wrap:anywhere',
  text: 'margin:0 0 24px;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere',
  button:
    'display:inline-block;padding:12px 20px;background:#0c4a33;color:#fbfaf2;border-radius:5px;font:600 16px/1.2 system-ui,sans-serif;text-decoration:none',
  footer:
    'max-width:520px;margin:16px auto 0;padding:0 28px;color:#4d564a;font:13px/1.5 system-ui,sans-serif',
  link: 'color:#4d564a',
} as const

const DARK = `@media (prefers-color-scheme: dark) {
  body { background: #211a12 !important; color: #efe5d2 !important }
  .card { background: #2d241a !important; border-color: #4d4234 !important }
  .brand { color: #a3cfae !important }
  .button { background: #a3cfae !important; color: #14241a !important }
  .footer, .footer a { color: #c3b8a4 !important }
}`

function asPage(title: string, { text, action }: Content, link: string, { why, links }: Footer): string {
  const part = (tag: string, name: keyof typeof style, inner: string, more = '') =>
    `<${tag} class="${name}" style="${style[name]}"${more}>${inner}</${tag}>`
  const anchor = (name: 'button' | 'link', words: string, address: string) =>
    part('a', name, escaped(words), ` href="${escaped(address)}"`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${DARK}</style>
</head>
<body style="${style.body}">
${part(
  'div',
  'card',
  [
    part('p', 'brand', 'Sought'),
    part('h1', 'title', escaped(title)),
    part('p', 'text', escaped(text)),
    anchor('button', action, link),
  ].join('\n'),
)}
${part('p', 'footer', [escaped(why), ...links.map(({ words, address }) => anchor('link', words, address))].join('<br>\n'))}
</body>
</html>
`
}

/** The same for every try of the same mail, and for no other mail, also after the database was begun anew. */
export function messageIdOf(
  mail: { id: number; kind: EmailKind; createdAt: Date },
  publicUrl: string,
): string {
  return `<${mail.kind}.${mail.id}.${mail.createdAt.getTime()}@${new URL(publicUrl).hostname}>`
}
