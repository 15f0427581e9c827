import type { BodyOf, InputOf } from '@sought/contract/call'
import type { postWantedItem } from '@sought/contract/requests'
import type { UseFormReturn } from 'react-hook-form'

/** The values of the form before validation. */
export type RequestInput = InputOf<typeof postWantedItem>['body']

export type RequestBody = BodyOf<typeof postWantedItem>

export type RequestFormState = UseFormReturn<RequestInput, unknown, RequestBody>

/** What the form can start with: a draft, or the request that is edited. */
export interface RequestFields {
  title?: string | undefined
  description?: string | undefined
  category?: string | undefined
  minBudget?: number | undefined
  maxBudget?: number | undefined
  location?: string | undefined
  urgency?: string | undefined
  imageUrl?: string | null | undefined
}
