import type { AdminTicket } from '@sought/contract/support'

/** The name of the user who asked, or the address that a visitor entered. */
export function nameOfAsker({ person, email }: Pick<AdminTicket, 'person' | 'email'>): string {
  return person?.name ?? `${email} (visitor)`
}
