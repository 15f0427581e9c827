import { ReturnTo } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import { DESTINATION_KEY } from './remember-destination.ts'

/** The same as `takeDestination`, for a sign-in that leaves the site. Undefined if it is home. */
export function findDestination(returnTo: string | null): string | undefined {
  return ReturnTo.safeParse(returnTo ?? sessionStorage.getItem(DESTINATION_KEY)).data
}

/** Where to go after signing in: to the `returnTo` of the address, else to the remembered page, else home. */
export function takeDestination(returnTo: string | null): string {
  const remembered = sessionStorage.getItem(DESTINATION_KEY)
  sessionStorage.removeItem(DESTINATION_KEY)
  return ReturnTo.safeParse(returnTo ?? remembered).data ?? paths.home()
}
