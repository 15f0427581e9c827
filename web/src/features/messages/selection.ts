import { useSearchParams } from 'wouter'

/** Which conversation the address names: none, one of an item, or that of an item and a person. */
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
