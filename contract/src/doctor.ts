import * as z from 'zod/mini'
import { callsOf } from './call.ts'
import { Timestamp } from './fields.ts'

const call = callsOf({ subjects: ['market'], fresh: 'on open' })

export const CHECK_STATES = ['ok', 'warn', 'FAIL'] as const

/** One line of `npm run doctor`. */
export const DoctorCheck = z.object({
  /** In kebab case, such as `disk-space`. */
  check: z.string(),
  state: z.enum(CHECK_STATES),
  message: z.string(),
})
export type DoctorCheck = z.output<typeof DoctorCheck>

export const DoctorReport = z.object({
  /** Null if the checks never ran at the desk. */
  ranAt: z.nullable(Timestamp),
  checks: z.array(DoctorCheck),
})
export type DoctorReport = z.output<typeof DoctorReport>

export const getDoctorReport = call({
  method: 'GET',
  path: '/api/admin/doctor',
  access: 'admin',
  summary: 'Gets what the last checks of this deployment found',
  reply: DoctorReport,
})

export const runDoctor = call({
  method: 'POST',
  path: '/api/admin/doctor',
  access: 'admin',
  summary: 'Checks this deployment and the services that it uses',
  reply: DoctorReport,
  refuses: ['too_many'],
})
