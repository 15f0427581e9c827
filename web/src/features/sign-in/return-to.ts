import { ReturnTo } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import { DESTINATION_KEY } from '../../shared/sign-in/remember-destination.ts'

/** Like `takeDestination`, for a sign-in that leaves the site. Undefined if the destination is home. */
export function findDestination(returnTo: string | null): string | undefined {
  return ReturnTo.safeParse(returnTo ?? sessionStorage.getItem(DESTINATION_KEY)).data
}

/** Where to go after signing in: the address's `returnTo`, otherwise the remembered page, otherwise home. */
export function takeDestination(returnTo: string | null): string {
  const remembered = sessionStorage.getItem(DESTINATION_KEY)
  sessionStorage.removeItem(DESTINATION_KEY)
  return ReturnTo.safeParse(returnTo ?? remembered).data ?? paths.home()
}
