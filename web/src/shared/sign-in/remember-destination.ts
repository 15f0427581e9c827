/*
 * Where a visitor wanted to go when asked to sign in. Some screens redirect to the home page first, so
 * it is remembered for this tab until the visitor signs in.
 */
export const DESTINATION_KEY = 'sought:return-to'

export function rememberDestination(path: string): void {
  sessionStorage.setItem(DESTINATION_KEY, path)
}
