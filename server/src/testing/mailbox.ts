import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** A letter as it came in: the envelope's recipients, and what was in it. */
export interface Received extends Email {
  recipients: string[]
  raw: string
  header(name: string): string | undefined
}

/** A real mail server that keeps what it is sent, and can be made to behave badly. */
export interface Mailbox {
  url: string
  letters: Received[]
  /** What it does with the next letter: refuses the recipient or the letter, takes it and hangs up, or says nothing. */
  next(...behaviours: Behaviour[]): void
}

type Behaviour =
  | { refuses: 'recipient' | 'letter'; code: number }
  | { does: 'takes it and hangs up' | 'never answers' }

export async function openMailbox(): Promise<Mailbox> {
  const letters: Received[] = []
  const queue: Behaviour[] = []
  const behaving = new Map<string, Behaviour | undefined>()

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 100,
    onRcptTo(_address, session, callback) {
      const behaviour = queue.shift()
      behaving.set(session.id, behaviour)
      callback(refusal(behaviour, 'recipient'))
    },
    onData(stream, session, callback) {
      const behaviour = behaving.get(session.id)
      void (async () => {
        const raw = Buffer.concat(await stream.toArray()).toString()
        const refused = refusal(behaviour, 'letter')
        if (refused) return callback(refused)
        if (behaviour && 'does' in behaviour && behaviour.does === 'never answers') return
        letters.push(await received(raw, session))
        if (behaviour && 'does' in behaviour) hangUp(server)
        else callback()
      })()
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, letters, next: (...behaviours) => void queue.push(...behaviours) }
}

function refusal(behaviour: Behaviour | undefined, of: 'recipient' | 'letter'): Error | null {
  if (!behaviour || !('refuses' in behaviour) || behaviour.refuses !== of) return null
  return Object.assign(new Error('No'), { responseCode: behaviour.code })
}

function hangUp(server: SMTPServer): void {
  for (const connection of server.connections as Set<{ _socket: { destroy(): void } }>)
    connection._socket.destroy()
}

async function received(raw: string, { envelope }: SMTPServerSession): Promise<Received> {
  const email = await PostalMime.parse(raw)
  return {
    ...email,
    raw,
    recipients: envelope.rcptTo.map(({ address }) => address),
    header: (name) => email.headers.find(({ key }) => key === name.toLowerCase())?.value,
  }
}
