import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { Id, PathId, pageLimit, Timestamp } from './fields.ts'

const call = callsOf({ subjects: ['exports'], fresh: 'on open' })

export const EXPORT_KINDS = ['payments', 'fees', 'payouts'] as const
export type ExportKind = (typeof EXPORT_KINDS)[number]
export const EXPORT_STATUSES = ['running', 'done', 'failed'] as const

/** How long an export is kept. */
export const EXPORT_KEPT_DAYS = 30
const FIRST_YEAR = 2020
const LAST_YEAR = 2100

/** A CSV file for accountants and tax, created by a job. Years are in UTC. */
export const ExportJob = z.object({
  id: Id,
  kind: z.enum(EXPORT_KINDS),
  year: z.int(),
  status: z.enum(EXPORT_STATUSES),
  /** In percent. */
  progress: z.int(),
  /** Null until it is done. */
  url: z.nullable(z.string()),
  requestedBy: PublicUser,
  createdAt: Timestamp,
  endedAt: z.nullable(Timestamp),
})
export type ExportJob = z.output<typeof ExportJob>

export const listExports = call({
  method: 'GET',
  path: '/api/admin/exports',
  access: 'admin',
  summary: 'Lists the exports for accountants and tax, newest first',
  query: z.object({ limit: pageLimit(20, 100), cursor: z.optional(PathId) }),
  reply: z.array(ExportJob),
})

export const NewExport = z.object({
  kind: z.enum(EXPORT_KINDS),
  year: z
    .int()
    .check(
      z.gte(FIRST_YEAR, `Must be ${FIRST_YEAR} or later`),
      z.lte(LAST_YEAR, `Must be ${LAST_YEAR} or earlier`),
    ),
})

export const createExport = call({
  method: 'POST',
  path: '/api/admin/exports',
  access: 'admin',
  confirmed: true,
  summary: 'Starts an export of the payments, the fees, or the payouts by seller of a year',
  body: NewExport,
  status: 201,
  reply: ExportJob,
})

const onExport = { params: z.object({ id: PathId }) }

export const getExport = call({
  ...onExport,
  method: 'GET',
  path: '/api/admin/exports/:id',
  access: 'admin',
  summary: 'Gets the progress of an export and the address of its file',
  reply: ExportJob,
  refuses: ['export_not_found'],
})

export const retryExport = call({
  ...onExport,
  method: 'POST',
  path: '/api/admin/exports/:id/retry',
  access: 'admin',
  summary: 'Starts a failed export again',
  reply: ExportJob,
  refuses: ['export_not_found', 'export_not_failed'],
})

export const downloadExport = call({
  ...onExport,
  method: 'GET',
  path: '/api/admin/exports/:id/file',
  access: 'admin',
  confirmed: true,
  summary: 'Downloads the CSV file of an export; each download is recorded',
  reply: 'file',
  refuses: ['export_not_found', 'export_not_ready'],
})
