import type { BodyOf, InputOf } from '@sought/contract/call'
import { type editWantedItem, NewWantedItem, type postWantedItem } from '@sought/contract/requests'
import type { EntryForm } from '../forms/entry-form.ts'

export type RequestCall = typeof postWantedItem | typeof editWantedItem

/** The values of the form before validation. */
type RequestInput = InputOf<typeof postWantedItem>['body']

export type RequestBody = BodyOf<typeof postWantedItem>

export type RequestFormState = EntryForm<RequestInput, RequestBody>

/** A picture in the format of the server. */
export type FormImage = NonNullable<RequestBody['images']>[number]

/** The initial values of the form: a draft, or the edited request. */
export interface RequestFields extends Partial<Omit<RequestInput, 'images'>> {
  images?: { url: string; alt?: string | undefined }[] | undefined
  /** The addresses where the images are displayed. A draft has none. */
  pictures?: { url: string }[] | undefined
}

export const isFieldName = (name: string): name is keyof RequestInput => name in NewWantedItem.shape
