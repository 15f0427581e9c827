import type { FastifyReply } from 'fastify'
import type { Cause } from '../cause.ts'
import type { Database } from '../database.ts'
import type { Faults } from '../faults.ts'
import type { Html } from './html.ts'
import type { Section } from './menu.ts'

export interface PageServices {
  database: Database
  publicUrl: string
  /** The path of `publicUrl`, which all links start with. */
  base: string
  faults: Faults
  /** Called after a commit, since there may be new deliveries. */
  onCommit(): void
}

/** The services for the pages of the dashboard. */
export interface Dashboard extends PageServices {
  show(reply: FastifyReply, section: Section, title: string, main: Html): FastifyReply
  back(reply: FastifyReply, path: string): FastifyReply
}

/** The cause of events that a button triggers: no API request. */
export const pageCause = ({ faults }: PageServices): Cause => ({
  requestId: null,
  idempotencyKey: null,
  deliveryFault: (delivery) => faults.delivery?.(delivery),
})
