import { refuse } from '../core/errors.ts'
import type { Market } from '../database/market-settings.ts'

/** Reads the mode of the market. */
export interface ModeReader {
  peek(): Pick<Market, 'mode'> | null
  read(): Promise<Pick<Market, 'mode'>>
}

/** When a client may retry a request that the mode refuses. */
export const MODE_RETRY_SECONDS = 60

const retry = { retryAfterSeconds: MODE_RETRY_SECONDS }

/**
 * Refuses requests that the market's mode does not allow (ADR 82): changes in read-only mode, and during
 * maintenance everything except admins' requests.
 */
export async function requireMode(
  market: Pick<ModeReader, 'read'>,
  { isRead, isAdmin }: { isRead: boolean; isAdmin: () => Promise<boolean> },
): Promise<void> {
  const { mode } = await market.read()
  if (mode === 'read_only' && !isRead) throw refuse('read_only', retry)
  if (mode === 'maintenance' && !(await isAdmin())) throw refuse('maintenance', retry)
}
