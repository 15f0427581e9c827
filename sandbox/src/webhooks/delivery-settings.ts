import * as z from 'zod'
import { firstRow, type Tx } from '../database.ts'
import type { Form } from '../http/form-body.ts'
import { integer, parseParams } from '../http/params.ts'

export const DELIVERY_MODES = ['send', 'hold', 'drop'] as const

/** How new events are delivered. */
export interface DeliverySettings {
  mode: (typeof DELIVERY_MODES)[number]
  delaySeconds: number
  copies: number
  newestFirst: boolean
}

export const MAX_DELAY_SECONDS = 3_600
export const MAX_COPIES = 10

const SettingsForm = z.strictObject({
  mode: z.enum(DELIVERY_MODES),
  delay_seconds: integer.refine((it) => it >= 0 && it <= MAX_DELAY_SECONDS, 'Between 0 and 3600'),
  copies: integer.refine((it) => it >= 1 && it <= MAX_COPIES, 'Between 1 and 10'),
  // Browsers do not send unchecked checkboxes.
  newest_first: z.literal('on').optional(),
})

export async function readSettings(tx: Tx): Promise<DeliverySettings> {
  const row = firstRow(
    await tx.query<DeliverySettings>(
      `select mode, delay_seconds as "delaySeconds", copies, newest_first as "newestFirst"
       from sandbox.delivery_settings`,
    ),
  )
  return row ?? { mode: 'send', delaySeconds: 0, copies: 1, newestFirst: false }
}

export async function changeSettings(tx: Tx, form: Form): Promise<void> {
  const { mode, delay_seconds, copies, newest_first } = parseParams(SettingsForm, form)
  await tx.query(
    'update sandbox.delivery_settings set mode = $1, delay_seconds = $2, copies = $3, newest_first = $4',
    [mode, delay_seconds, copies, newest_first === 'on'],
  )
}
