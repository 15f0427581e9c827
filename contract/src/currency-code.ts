import * as z from 'zod/mini'
import { CODES } from './currencies.ts'

/** Apart from the table, because the first load of a page formats amounts, but has no schemas (ADR 67). */
export const Currency = z.enum(CODES)
export type Currency = z.output<typeof Currency>
