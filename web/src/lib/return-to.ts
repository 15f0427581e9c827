import { ReturnTo } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'

/*
 * Where a visitor wanted to go when asked to sign in. Some screens redirect to the home page first
 * (spec §2), so it is remembered for this tab until the visitor signs in.
 */
const KEY = 'sought:return-to'

export function rememberDestination(path: string): void {
  sessionStorage.setItem(KEY, path)
}

/** Where to go after signing in: to the `returnTo` of the address, else to the remembered page, else home. */
export function takeDestination(returnTo: string | null): string {
  const remembered = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return ReturnTo.safeParse(returnTo ?? remembered).data ?? paths.home()
}
