import { randomUUID } from 'node:crypto'
import type { Services } from '../services.ts'
import { cardBrowserOf, VISA } from './card-browser.ts'
import type { Market } from './given.ts'
import { insertPeople } from './insert-people.ts'
import type { Person } from './send.ts'
import { createInProcessSend } from './send-in-process.ts'

/** The market of these services. Buyers pay with a test card of the sandbox. */
export function createInProcessMarket(services: Services): Market<Person> {
  const sendAs = createInProcessSend(services)
  return {
    async addPerson(firstName, role) {
      const id = randomUUID()
      const person = { id, email: `${id}@example.com`, firstName, lastName: 'Tester', role }
      await insertPeople(services.database.read, [person], { now: services.clock() })
      return { id, send: sendAs(id) }
    },
    async enterCard(clientSecret) {
      const { status, body } = await cardBrowserOf(services).enterCard(clientSecret, VISA)
      if (status !== 200) throw new Error(`the sandbox refused the card: ${JSON.stringify(body)}`)
    },
  }
}
