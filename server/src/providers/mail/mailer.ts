import type { FastifyBaseLogger } from 'fastify'
import { createTransport } from 'nodemailer'

/*
 * Sends emails by SMTP over a small connection pool. Each step has a timeout, and sending as a whole has a deadline,
 * because a very slow server may stay below every single timeout.
 */

export const MAIL_CONNECTIONS = 3
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
/** Shorter than the claim on an email (send-email.ts), so that two workers never send it at once. */
const DEADLINE_MS = 45_000

export interface OutgoingEmail {
  /** The same for every attempt, so that receivers can detect duplicates. */
  messageId: string
  to: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

/** 'refused' if the server permanently rejects the recipient, 'no_mailbox' if the address does not exist. */
export type MailOutcome = 'sent' | 'refused' | 'no_mailbox'

export interface Mailer {
  /** Throws on errors that may be temporary. */
  send(email: OutgoingEmail): Promise<MailOutcome>
  /** Closes all connections, also those that are sending. */
  close(): void
}

interface Options {
  smtpUrl: string
  from: string
  publicUrl: string
  log: FastifyBaseLogger
  deadlineMs?: number
}

type Server = Pick<Options, 'smtpUrl' | 'publicUrl'>

const settingsOf = ({ smtpUrl, publicUrl }: Server) => ({
  url: smtpUrl,
  name: new URL(publicUrl).hostname,
  connectionTimeout: CONNECT_MS,
  dnsTimeout: CONNECT_MS,
  greetingTimeout: CONNECT_MS,
  socketTimeout: SILENCE_MS,
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** Connects and signs in. Throws if the server refuses that. */
export async function checkMailServer(server: Server): Promise<void> {
  const transport = createTransport(settingsOf(server))
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

export function createMailer({ smtpUrl, from, publicUrl, log, deadlineMs = DEADLINE_MS }: Options): Mailer {
  const openTransport = () => {
    const opened = createTransport({
      ...settingsOf({ smtpUrl, publicUrl }),
      pool: true,
      maxConnections: MAIL_CONNECTIONS,
      // The job decides about retries.
      maxRequeues: 0,
    })
    opened.on('error', (error) => log.debug({ err: error }, 'lost the connection to the mail server'))
    return opened
  }
  let transport = openTransport()

  /** Other emails on the old connections fail too and are retried by their jobs. */
  const replaceTransport = (stalled: typeof transport) => {
    if (transport !== stalled) return
    transport = openTransport()
    stalled.close({ force: true })
  }

  return {
    async send({ messageId, to, ...email }) {
      const using = transport
      const sending = using.sendMail({ ...email, messageId, from, to: { name: '', address: to } })
      const timer = setTimeout(() => replaceTransport(using), deadlineMs)
      try {
        await sending
        return 'sent'
      } catch (error) {
        if (!isPermanentlyRejected(error)) throw error
        log.warn({ err: error }, 'the mail server permanently rejects a recipient')
        return isAboutMailbox(error) ? 'no_mailbox' : 'refused'
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => transport.close({ force: true }),
  }
}

interface Rejection {
  responseCode: number
  response?: string
}

/** Whether the error is permanent and about the recipient. Errors about us or the message may be temporary. */
function isPermanentlyRejected(error: unknown): error is Error & Rejection {
  if (!(error instanceof Error && 'responseCode' in error && 'command' in error)) return false
  return error.command === 'RCPT TO' && Number(error.responseCode) >= 500
}

/** Replies to RCPT that are about the mailbox (RFC 5321). Others, such as 530, are about us. */
const MAILBOX_CODES = [550, 551, 553, 556]
/**
 * Codes of RFC 3463 that are about the address or the mailbox. 5.1.7 and 5.1.8 are about the sender, and a mailbox that
 * is full (5.2.2) exists. Policies (5.7) also reject addresses that exist.
 */
const MAILBOX_STATUS = /^5\.(0\.|1\.(?![78]\b)|2\.(?![23]\b))/

function isAboutMailbox({ responseCode, response = '' }: Rejection): boolean {
  if (!MAILBOX_CODES.includes(Number(responseCode))) return false
  const [, status] = response.match(/^\d{3}[ -](5\.\d+\.\d+)/) ?? []
  return status === undefined || MAILBOX_STATUS.test(status)
}
