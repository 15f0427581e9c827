import { useSearchParams } from 'wouter'

/** The conversation in the URL: none, of an item, or of an item and a user. */
export interface Selection {
  itemId: number | undefined
  userId: string | undefined
}

export function useSelection(): Selection {
  const [query] = useSearchParams()
  const itemId = query.get('itemId') ?? ''
  return {
    itemId: /^[1-9]\d{0,9}$/.test(itemId) ? Number(itemId) : undefined,
    userId: query.get('userId') || undefined,
  }
}
