import type { FastifyBaseLogger } from 'fastify'
import { createTransport } from 'nodemailer'

/*
 * The only place that knows how mail is sent: SMTP, over a few connections that are kept open. Each step has
 * its limit, and all of them together have one too: a server that answers letter by letter breaks no single one.
 */

export const MAIL_CONNECTIONS = 3
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
/** Shorter than a mail is held for whoever sends it, so that no two send it at once. */
const DEADLINE_MS = 45_000

export interface Letter {
  /** The same for every try of the same mail: by it a repeat is known for one. */
  messageId: string
  to: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

export interface Mailer {
  /** 'refused' if the server wants no mail for this address, now or ever. Fails where a later try may do better. */
  send(letter: Letter): Promise<'sent' | 'refused'>
  /** Ends the connections, also those in the middle of a letter. */
  close(): void
}

interface Options {
  smtpUrl: string
  from: string
  publicUrl: string
  log: FastifyBaseLogger
  deadlineMs?: number
}

export function createMailer({ smtpUrl, from, publicUrl, log, deadlineMs = DEADLINE_MS }: Options): Mailer {
  const open = () => {
    const opened = createTransport({
      url: smtpUrl,
      pool: true,
      maxConnections: MAIL_CONNECTIONS,
      // Whether to try again is decided by the job alone.
      maxRequeues: 0,
      name: new URL(publicUrl).hostname,
      connectionTimeout: CONNECT_MS,
      dnsTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    opened.on('error', (error) => log.debug({ err: error }, 'a connection to the mail server broke'))
    return opened
  }
  let transport = open()

  /** Whatever else was under way on the old connections fails too, and is tried again. */
  const startAnew = (stalled: typeof transport) => {
    if (transport !== stalled) return
    transport = open()
    stalled.close({ force: true })
  }

  return {
    async send({ messageId, to, ...letter }) {
      const using = transport
      const sending = using.sendMail({ ...letter, messageId, from, to: { name: '', address: to } })
      const timer = setTimeout(() => startAnew(using), deadlineMs)
      try {
        await sending
        return 'sent'
      } catch (error) {
        if (!isRefusedForGood(error)) throw error
        log.warn({ err: error }, 'the mail server refuses a recipient for good')
        return 'refused'
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => transport.close({ force: true }),
  }
}

/** Its word on this very address, and not on us, the letter or the moment. */
function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof Error && 'responseCode' in error && 'command' in error)) return false
  return error.command === 'RCPT TO' && Number(error.responseCode) >= 500
}
