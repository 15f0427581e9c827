import type { FastifyReply } from 'fastify'
import type { Cause } from '../cause.ts'
import type { Database } from '../database.ts'
import type { Faults } from '../faults.ts'
import type { Html } from './html.ts'
import type { Section } from './menu.ts'

export interface PageServices {
  database: Database
  publicUrl: string
  /** The path of the public address, to which the pages' own paths are added. */
  base: string
  faults: Faults
  /** Something was committed that may have left deliveries to make. */
  onCommit(): void
}

/** What the developers' pages are made with: each stands in its section of the menu. */
export interface Dashboard extends PageServices {
  show(reply: FastifyReply, section: Section, title: string, main: Html): FastifyReply
  back(reply: FastifyReply, path: string): FastifyReply
}

/** What is pressed on a page has no call of the API behind it. */
export const pageCause = ({ faults }: PageServices): Cause => ({
  requestId: null,
  idempotencyKey: null,
  deliveryFault: (delivery) => faults.delivery?.(delivery),
})
