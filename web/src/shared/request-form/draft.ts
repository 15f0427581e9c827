import { NewWantedItem } from '@sought/contract/requests'
import { isFieldName, type RequestFields } from './request-form-state.ts'

/*
 * The draft of a request is stored in the browser, per user, until it is posted. It survives a reload, a closed dialog
 * and an ended session.
 */
const getStorageKey = (userId: string) => `sought:draft:${userId}`

const isValid = (name: string, value: unknown) =>
  isFieldName(name) && typeof value === (name.endsWith('Budget') ? 'number' : 'string')

/** The valid fields of the stored draft; undefined if there is none. */
export function readDraft(userId: string): RequestFields | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(getStorageKey(userId)) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return undefined
    const fields = Object.entries(stored).filter(([name, value]) => isValid(name, value))
    const images = NewWantedItem.shape.images.safeParse('images' in stored ? stored.images : undefined)
    return { ...Object.fromEntries(fields), images: images.data }
  } catch {
    return undefined
  }
}

export function saveDraft(userId: string, draft: RequestFields): void {
  try {
    localStorage.setItem(getStorageKey(userId), JSON.stringify(draft))
  } catch {
    // The storage may be full or disabled. The form works without it.
  }
}

export function deleteDraft(userId: string): void {
  try {
    localStorage.removeItem(getStorageKey(userId))
  } catch {
    // Storage is disabled.
  }
}
