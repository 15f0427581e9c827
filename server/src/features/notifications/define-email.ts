import type { Tx } from '../../database/database.ts'
import type { EmailContext } from './define-notification.ts'
import type { EmailContent } from './email-template.ts'

interface Definition<Recipient> {
  kind: string
  /** The user has just asked for it, so it is attempted even if the address was rejected before. */
  isAskedFor?: true
  /** The address that the email goes to, null for none. By default, the one it was queued for. */
  addressOf?(known: KnownAddresses): string | null
  content(
    tx: Tx,
    email: Recipient & { address: string; createdAt: Date },
    context: EmailContext,
  ): Promise<EmailContent | null> | EmailContent | null
}

interface KnownAddresses {
  /** The address that the email was queued for. */
  address: string
  currentAddress: string | null
  pendingAddress: string | null
}

/** An email about the account itself, or to an admin. It cannot be switched off. */
export const defineAccountEmail = (definition: Definition<{ userId: string }>) =>
  ({ ...definition, to: 'user' }) as const

/** An email to a visitor who asked our team a question. */
export const defineVisitorEmail = (definition: Definition<{ supportMessageId: number }>) =>
  ({ ...definition, to: 'visitor' }) as const

export type AccountEmail = ReturnType<typeof defineAccountEmail>
export type VisitorEmail = ReturnType<typeof defineVisitorEmail>
export type EmailDefinition = AccountEmail | VisitorEmail
