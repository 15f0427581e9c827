import { ReturnTo } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import { DESTINATION_KEY } from './remember-destination.ts'

/** Where to go after signing in: to the `returnTo` of the address, else to the remembered page, else home. */
export function takeDestination(returnTo: string | null): string {
  const remembered = sessionStorage.getItem(DESTINATION_KEY)
  sessionStorage.removeItem(DESTINATION_KEY)
  return ReturnTo.safeParse(returnTo ?? remembered).data ?? paths.home()
}
