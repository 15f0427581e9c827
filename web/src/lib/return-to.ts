import { ReturnTo } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'

/*
 * Where a visitor was going when they were asked to sign in. It is kept for this tab only, since some
 * screens send a visitor home first (spec §2) and the way to the sign-in screen is then their own.
 */
const KEY = 'sought:return-to'

export function rememberDestination(path: string): void {
  sessionStorage.setItem(KEY, path)
}

/** The place to go after signing in: the one that the address names, else the one remembered, else home. */
export function takeDestination(named: string | null): string {
  const remembered = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return ReturnTo.safeParse(named ?? remembered).data ?? paths.home()
}
