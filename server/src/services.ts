import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './core/clock.ts'
import type { Config } from './core/config.ts'
import type { Secrets } from './core/secrets.ts'
import type { Tracing } from './core/tracing.ts'
import type { Database } from './database/database.ts'
import type { MarketReader } from './database/market-settings.ts'
import type { Notifier } from './database/notifier.ts'
import type { Replicas } from './database/replicas.ts'
import type { ViewCounter } from './features/board/requests/view-counter.ts'
import type { Notifications } from './features/notifications/describe-notifications.ts'
import type { Downloads } from './files/download.ts'
import type { FileStore } from './files/files.ts'
import type { BrowserErrors } from './http/browser-errors.ts'
import type { Events } from './http/events.ts'
import type { Limits } from './http/limits.ts'
import type { Sessions } from './http/session.ts'
import type { FileStorage } from './providers/files/file-storage.ts'
import type { Google } from './providers/google/google.ts'
import type { Mailer } from './providers/mail/mailer.ts'
import type { SesEvents } from './providers/mail/ses-events.ts'
import type { PhoneProvider } from './providers/phone/phone-provider.ts'
import type { PushService } from './providers/push/push-service.ts'
import type { VirusScanner } from './providers/scanner/virus-scanner.ts'
import type { CardProvider } from './providers/stripe/card-provider.ts'
import type { KeyWatch } from './providers/stripe/key-watch.ts'
import type { SandboxHost } from './providers/stripe/sandbox-host.ts'
import type { StandIn } from './providers/tracking/stand-in.ts'
import type { TrackingProvider } from './providers/tracking/tracking-provider.ts'

/** Created once in create-services.ts and passed to every feature's routes. */
export interface Services {
  config: Config
  secrets: Secrets
  clock: Clock
  database: Database
  replicas: Replicas
  sessions: Sessions
  /** The settings of the market. */
  market: MarketReader
  limits: Limits
  files: FileStore
  /** The storage behind `files`. */
  fileStorage: FileStorage
  /** Null if files are not scanned for viruses. */
  scanner: VirusScanner | null
  /** Downloads from addresses that users enter. */
  downloads: Downloads
  events: Events
  /** Passes announcements on, if no other process does. */
  notifier: Notifier
  views: ViewCounter
  browserErrors: BrowserErrors
  /** Null without a mail server. Then emails are stored for developers, or dropped in production. */
  mailer: Mailer | null
  /** Reads the bounces that Amazon SES reports. Null without a topic. */
  ses: SesEvents | null
  /** What people are notified of, and with which texts. */
  notifications: Notifications
  /** Push notifications to browsers. */
  push: PushService
  /** Null if Google sign-in is not configured. */
  google: Google | null
  /** Null in production without keys. Then payments are unavailable. */
  cards: CardProvider | null
  /** Null without real keys. */
  keyWatch: KeyWatch | null
  /** Null unless the sandbox is used instead of Stripe. */
  sandbox: SandboxHost | null
  /** Null in production without a key. Then parcels are not tracked. */
  tracking: TrackingProvider | null
  /** Null unless the stand-in is used instead of a tracking service. */
  standIn: StandIn | null
  /** Null in production. Then phones cannot be verified. */
  phone: PhoneProvider | null
  /** Null without a collector. */
  tracing: Tracing | null
  log: FastifyBaseLogger
}
