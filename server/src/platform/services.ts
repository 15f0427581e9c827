import type { FastifyBaseLogger } from 'fastify'
import type { Google } from '../providers/google/google.ts'
import type { Mailer } from '../providers/mail/mailer.ts'
import type { CardProvider } from '../providers/stripe/card-provider.ts'
import type { SandboxHost } from '../providers/stripe/sandbox-host.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './database.ts'
import type { Events } from './events.ts'
import type { FileStore } from './files.ts'
import type { Limits } from './limits.ts'
import type { Secrets } from './secrets.ts'
import type { Sessions } from './session.ts'

/** What features are built on. Made once in app.ts and handed to every feature's routes. */
export interface Services {
  config: Config
  secrets: Secrets
  clock: Clock
  database: Database
  sessions: Sessions
  limits: Limits
  files: FileStore
  events: Events
  /** Null without a mail server: mails are then kept to be looked at, or in production dropped. */
  mailer: Mailer | null
  /** Null when Google sign-in is not set up. */
  google: Google | null
  /** Null in production without keys: then nobody can pay. */
  cards: CardProvider | null
  /** Null unless the sandbox stands in for Stripe. */
  sandbox: SandboxHost | null
  log: FastifyBaseLogger
}
