import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { afterAll, beforeAll, onTestFinished } from 'vitest'

/** A received email with the recipients of its envelope. */
export interface Received extends Email {
  recipients: string[]
  raw: string
  header(name: string): string | undefined
}

/** A real mail server that stores what it receives and can simulate failures. */
export interface Mailbox {
  url: string
  emails: Received[]
  /**
   * Sets what happens to the next emails: reject the recipient or the message, accept and disconnect, or do not
   * answer.
   */
  next(...behaviours: Behaviour[]): void
}

type Behaviour =
  | { rejects: 'recipient' | 'message'; code: number; text?: string }
  | { does: 'accepts and disconnects' | 'never answers' }

export async function openMailbox(): Promise<Mailbox> {
  const mailbox = await startMailbox()
  onTestFinished(mailbox.close)
  return mailbox
}

/** One mail server for all tests of a file. */
export function shareMailbox(): () => Mailbox {
  let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
  beforeAll(async () => {
    mailbox = await startMailbox()
  })
  afterAll(() => mailbox?.close())
  return () => {
    if (!mailbox) throw new Error('the mail server exists only while tests run')
    return mailbox
  }
}

async function startMailbox(): Promise<Mailbox & { close(): Promise<void> }> {
  const emails: Received[] = []
  const queue: Behaviour[] = []
  const behaviourOf = new Map<string, Behaviour | undefined>()

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 100,
    onRcptTo(_address, session, callback) {
      const behaviour = queue.shift()
      behaviourOf.set(session.id, behaviour)
      callback(rejection(behaviour, 'recipient'))
    },
    onData(stream, session, callback) {
      const behaviour = behaviourOf.get(session.id)
      void (async () => {
        const chunks: Buffer[] | null = await stream.toArray().catch(() => null)
        // The client disconnected during the message.
        if (!chunks) return
        const raw = Buffer.concat(chunks).toString()
        const rejected = rejection(behaviour, 'message')
        if (rejected) return callback(rejected)
        if (behaviour && 'does' in behaviour && behaviour.does === 'never answers') return
        emails.push(await parseEmail(raw, session))
        if (behaviour && 'does' in behaviour) disconnect(server)
        else callback()
      })()
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    emails,
    next: (...behaviours) => void queue.push(...behaviours),
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

function rejection(behaviour: Behaviour | undefined, of: 'recipient' | 'message'): Error | null {
  if (!behaviour || !('rejects' in behaviour) || behaviour.rejects !== of) return null
  return Object.assign(new Error(behaviour.text ?? 'No'), { responseCode: behaviour.code })
}

function disconnect(server: SMTPServer): void {
  for (const connection of server.connections as Set<{ _socket: { destroy(): void } }>)
    connection._socket.destroy()
}

async function parseEmail(raw: string, { envelope }: SMTPServerSession): Promise<Received> {
  const email = await PostalMime.parse(raw)
  return {
    ...email,
    raw,
    recipients: envelope.rcptTo.map(({ address }) => address),
    header: (name) => email.headers.find(({ key }) => key === name.toLowerCase())?.value,
  }
}
