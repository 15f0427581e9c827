import { refuse } from './errors.ts'
import type { Market } from './market.ts'

/** What knows the mode of the market. */
export interface ModeReader {
  peek(): Pick<Market, 'mode'> | null
  read(): Promise<Pick<Market, 'mode'>>
}

/** When to try again what a mode does not allow. */
export const MODE_RETRY_SECONDS = 60

const retry = { retryAfterSeconds: MODE_RETRY_SECONDS }

/**
 * Refuses what the mode of the market does not allow (ADR 82): changes while it is read-only, and everything but what
 * admins do during maintenance.
 */
export async function requireMode(
  market: Pick<ModeReader, 'read'>,
  { isRead, isAdmin }: { isRead: boolean; isAdmin: () => Promise<boolean> },
): Promise<void> {
  const { mode } = await market.read()
  if (mode === 'read_only' && !isRead) throw refuse('read_only', retry)
  if (mode === 'maintenance' && !(await isAdmin())) throw refuse('maintenance', retry)
}
