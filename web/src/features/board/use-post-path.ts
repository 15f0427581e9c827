import { buildQueryString, paths, routes } from '@sought/contract/paths'
import { useSession } from '../../data/session.ts'

/** The path of the post form. Visitors sign in or up first, and then reach it. */
export function usePostPath(title?: string): string {
  const { state } = useSession()
  const path = paths.post(title ? { title } : {})
  return state === 'signed-in' ? path : routes.login + buildQueryString({ returnTo: path })
}
