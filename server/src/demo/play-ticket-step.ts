import type { Tx } from '../database/database.ts'
import { addToTicket, openTicket } from '../features/desk/support/actions.ts'
import { addNote, answer, close } from '../features/desk/support/desk.ts'
import type { Actor } from '../http/session.ts'
import type { DemoTicket } from './tickets.ts'

/** Plays one step of a ticket. `opened` has the ticket's id after the first step. */
export async function playTicketStep(
  tx: Tx,
  step: DemoTicket['steps'][number],
  { by, email, topic, subject }: DemoTicket,
  opened: { id: number },
  userOf: (personKey: string) => Actor,
): Promise<void> {
  const user = by && userOf(by)
  const admin = userOf('admin')
  if ('replies' in step) await answer(tx, opened.id, step.replies, admin)
  else if ('notes' in step) await addNote(tx, opened.id, step.notes, admin)
  else if ('closes' in step) await close(tx, opened.id, admin)
  else if (opened.id > 0) await addToTicket(tx, opened.id, step.says, { user, linkedId: opened.id })
  else {
    const question = { topic, subject, message: step.says, ...(email && { email }) }
    opened.id = (await openTicket(tx, question, user)).id
  }
}
