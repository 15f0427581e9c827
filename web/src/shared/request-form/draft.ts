import { NewWantedItem } from '@sought/contract/requests'
import { readStored, writeStored } from '../../data/browser-storage.ts'
import { isFieldName, type RequestFields } from './request-form-state.ts'

/*
 * The draft of a request is stored in the browser, per user, until it is posted. It survives a reload, a closed dialog
 * and an ended session.
 */
const getStorageKey = (userId: string) => `sought:draft:${userId}`

const isValid = (name: string, value: unknown) =>
  isFieldName(name) && typeof value === (name.endsWith('Budget') ? 'number' : 'string')

/** The valid fields of the stored draft; undefined if there is none. */
export const readDraft = (userId: string) => readStored(getStorageKey(userId), validFields, undefined)

function validFields(stored: object): RequestFields {
  const fields = Object.entries(stored).filter(([name, value]) => isValid(name, value))
  const images = NewWantedItem.shape.images.safeParse('images' in stored ? stored.images : undefined)
  return { ...Object.fromEntries(fields), images: images.data }
}

export const saveDraft = (userId: string, draft: RequestFields) => writeStored(getStorageKey(userId), draft)

export const deleteDraft = (userId: string) => writeStored(getStorageKey(userId), undefined)
